export def f(a: f32[n]) -> f32 = a[n / 2]

#| error[E0230]: '/' does not divide two integers
#|  --> float-index.arr:1:38
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a[n / 2]
#|   |                                      ^
#| help: write 'n / 2.0' for a float, 'n // 2' for an integer, rounded down
