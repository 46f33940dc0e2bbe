let g = 9.81
export def f(x: f32) -> f32 = g * x

#| error[E0126]: statements stand inside a 'def'
#|  --> statement-at-top.arr:1:1
#|   |
#| 1 | let g = 9.81
#|   | ^^^
#| help: at the top of a file write 'const'
