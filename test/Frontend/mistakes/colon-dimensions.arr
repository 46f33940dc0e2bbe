export def f(a: f32[:, :]) -> f32 = sum(a)

#| error[E0100]: expected a size, found ':'
#|  --> colon-dimensions.arr:1:21
#|   |
#| 1 | export def f(a: f32[:, :]) -> f32 = sum(a)
#|   |                     ^
#| help: name the sizes: 'f32[n, m]'; a size without a name is '?'
