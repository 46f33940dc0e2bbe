export def f(x: f64) -> f64 = 1.0d0 * x

#| error[E0026]: a number has no suffix
#|  --> fortran-power.arr:1:31
#|   |
#| 1 | export def f(x: f64) -> f64 = 1.0d0 * x
#|   |                               ^^^^^
#| help: a literal takes the type that it meets; 'f64(0.1)' converts
