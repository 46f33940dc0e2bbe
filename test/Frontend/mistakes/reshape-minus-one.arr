export def f(a: f32[6]) -> f32[6] = reshape(a, -1)

#| error[E0262]: the size -1 is negative
#|  --> reshape-minus-one.arr:1:48
#|   |
#| 1 | export def f(a: f32[6]) -> f32[6] = reshape(a, -1)
#|   |                                                ^^
#| help: no size is worked out: write 'flatten(a)'
