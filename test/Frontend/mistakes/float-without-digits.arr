export def f(x: f32) -> f32 = 2. * x

#| error[E0025]: a float has digits on both sides of the point
#|  --> float-without-digits.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = 2. * x
#|   |                               ^^
#| help: write '2.0'
