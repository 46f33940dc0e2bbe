def dense(x: f32[n], w: f32[m, n], b: f32[m]) -> f32[m] = w @ x + b
export def f(x: f32[n], w: f32[m, n], b: f32[m]) -> f32[m] = x |> dense(w, b)

#| error[E0216]: the parameter 'x' is f32[?], but this is f32[m, n]
#|  --> pipe-dense.arr:2:73
#|   |
#| 1 | def dense(x: f32[n], w: f32[m, n], b: f32[m]) -> f32[m] = w @ x + b
#|   |           --------- declared here
#| 2 | export def f(x: f32[n], w: f32[m, n], b: f32[m]) -> f32[m] = x |> dense(w, b)
#|   |                                                                         ^
#| help: '|>' gives its value as the last argument: write 'dense(x, w, b)'
