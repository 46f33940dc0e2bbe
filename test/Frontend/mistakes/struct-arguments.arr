struct P { x: f32, y: f32 }
export def f(a: f32) -> f32 {
  let p = P(a)
  p.x
}

#| error[E0332]: 'P' is called without 'y'
#|  --> struct-arguments.arr:3:11
#|   |
#| 1 | struct P { x: f32, y: f32 }
#|   |                    ------ 'y' has no default
#| 3 |   let p = P(a)
#|   |           ^^^^
