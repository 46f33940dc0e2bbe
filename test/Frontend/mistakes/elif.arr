export def f(x: f32) -> f32 {
  if x > 0.0 { 1.0 } elif x < 0.0 { -1.0 } else { 0.0 }
}

#| error[E0100]: expected 'else if', found 'elif'
#|  --> elif.arr:2:22
#|   |
#| 2 |   if x > 0.0 { 1.0 } elif x < 0.0 { -1.0 } else { 0.0 }
#|   |                      ^^^^
#| help: write 'else if'
