export def f(a: f32[n]) -> f32[n] = scan((+), 0.0, a)

#| error[E0331]: 'scan' takes 2, not 3 arguments
#|  --> scan-with-start.arr:1:52
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = scan((+), 0.0, a)
#|   |                                                    ^
#| help: write 'exscan(op, e, a)' to begin with 'e', 'scan(op, a)' with the first element
