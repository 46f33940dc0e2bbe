export def f(n: int) -> f64[n] = zeros(n, dtype = f64)

#| error[E0334]: 'zeros' has no parameter 'dtype'
#|  --> zeros-dtype.arr:1:43
#|   |
#| 1 | export def f(n: int) -> f64[n] = zeros(n, dtype = f64)
#|   |                                           ^^^^^
#| help: write the conversion, 'f64(a)', or declare the type: 'let a: f64[n] = zeros(n)'
