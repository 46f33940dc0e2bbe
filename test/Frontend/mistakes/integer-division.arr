export def f(n: int) -> f32 = 1 / n

#| error[E0230]: '/' does not divide two integers
#|  --> integer-division.arr:1:33
#|   |
#| 1 | export def f(n: int) -> f32 = 1 / n
#|   |                                 ^
#| help: write '1.0 / n' for a float, '1 // n' for an integer, rounded down
