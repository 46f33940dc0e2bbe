struct P { x: f32, y: f32[?] }
export def f(p: P) -> f32 = p.x

#| error[E0263]: '?' cannot stand here
#|  --> struct-of-unknown-size.arr:1:27
#|   |
#| 1 | struct P { x: f32, y: f32[?] }
#|   |                           ^
#| help: sizes in fields and aliases are constants; arrays of other sizes are parameters of their own
