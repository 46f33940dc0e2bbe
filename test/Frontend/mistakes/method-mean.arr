export def f(a: f32[n]) -> f32 = a.mean()

#| error[E0227]: f32[n] has no field 'mean'
#|  --> method-mean.arr:1:36
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a.mean()
#|   |                                    ^^^^ only structs and arrays of structs have fields
#| help: there are no methods: write 'mean(..)'
