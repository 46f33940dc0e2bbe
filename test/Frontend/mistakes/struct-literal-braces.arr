struct P { x: f32, y: f32 }
export def f(a: f32) -> f32 {
  let p = P { x: a, y: a }
  p.x
}

#| error[E0107]: expected the end of the line, found '{'
#|  --> struct-literal-braces.arr:3:13
#|   |
#| 3 |   let p = P { x: a, y: a }
#|   |             ^
#| help: a struct is built by a call: 'P(x = a, y = a)'
