export def f(a: f32[n]) -> f32[n + 1] {
  var b = a
  b.append(1.0)
  b
}

#| error[E0227]: f32[n] has no field 'append'
#|  --> append.arr:3:5
#|   |
#| 3 |   b.append(1.0)
#|   |     ^^^^^^ only structs and arrays of structs have fields
#| help: write 'concat(a, [x])': a 'var' of the type 'f32[?]' may grow
#| error[E0266]: the result has the size n + 1, but this has n
#|  --> append.arr:4:3
#|   |
#| 4 |   b
#|   |   ^ this is f32[n], not f32[n + 1]
