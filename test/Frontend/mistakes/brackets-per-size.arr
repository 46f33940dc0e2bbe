export def f(a: f32[n][m]) -> f32[n][m] = a

#| error[E0100]: expected ',' or ')', found '['
#|  --> brackets-per-size.arr:1:23
#|   |
#| 1 | export def f(a: f32[n][m]) -> f32[n][m] = a
#|   |             - '(' opened here
#|   |                       ^
#| help: all sizes stand in one pair of brackets: 'f32[n, m]'
