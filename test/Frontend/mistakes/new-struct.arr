struct P { x: f32, y: f32 }
export def f(a: f32) -> f32 {
  let p = new P(a, a)
  p.x
}

#| error[E0138]: this is a 'new' of C++
#|  --> new-struct.arr:3:11
#|   |
#| 3 |   let p = new P(a, a)
#|   |           ^^^
#| help: a struct is built by a call: leave out 'new'
