struct P { x: f32, y: f32
  def norm() -> f32 = sqrt(x * x + y * y)
}
export def f(a: f32) -> f32 = a

#| error[E0118]: 'def' is a keyword and cannot be a name
#|  --> struct-method.arr:2:3
#|   |
#| 2 |   def norm() -> f32 = sqrt(x * x + y * y)
#|   |   ^^^
#| help: functions stand outside of structs and take them as parameters: 'def f(p: P) -> f32 = ..'
