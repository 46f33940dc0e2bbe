export def f(a: f32[n]) f32 {
  sum(a)
}

#| error[E0100]: expected '=' or '{' and the body of the function, found 'f32'
#|  --> result-without-arrow.arr:1:25
#|   |
#| 1 | export def f(a: f32[n]) f32 {
#|   |                         ^^^
#| help: the type of the result stands behind '->': '-> f32'
