export def f(a: f32[n]) -> f32[2, ?] = reshape(a, 2, -1)

#| error[E0262]: the size -1 is negative
#|  --> reshape-minus-two.arr:1:54
#|   |
#| 1 | export def f(a: f32[n]) -> f32[2, ?] = reshape(a, 2, -1)
#|   |                                                      ^^
#| help: no size is worked out: write 'size(a) // 2'
