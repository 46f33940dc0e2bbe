export def f(x: f32) -> f32 {
  let y = if x > 0.0 { x
  y
}

#| error[E0103]: '{' is never closed
#|  --> unclosed-brace.arr:1:29
#|   |
#| 1 | export def f(x: f32) -> f32 {
#|   |                             ^
