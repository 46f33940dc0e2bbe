export def f(x: f32) -> f32 {
  let y = x * 2.0;
  y
}

#| error[E0108]: ';' is not used: a newline ends a statement
#|  --> semicolons.arr:2:18
#|   |
#| 2 |   let y = x * 2.0;
#|   |                  ^
#| help: delete it
