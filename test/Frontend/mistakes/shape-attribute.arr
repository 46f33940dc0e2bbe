export def f(a: f32[n, m]) -> int = a.shape[0]

#| error[E0227]: f32[n, m] has no field 'shape'
#|  --> shape-attribute.arr:1:39
#|   |
#| 1 | export def f(a: f32[n, m]) -> int = a.shape[0]
#|   |                                       ^^^^^ only structs and arrays of structs have fields
#| help: write 'size(a)', or 'size(a, k)' for dimension k
