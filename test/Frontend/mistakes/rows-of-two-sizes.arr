export def f(x: f32[n]) -> f32 {
  let r = for i in n { for j in i { x[j] } }
  sum(r)
}

#| error[E0269]: the rows of this array have different sizes
#|  --> rows-of-two-sizes.arr:2:24
#|   |
#| 2 |   let r = for i in n { for j in i { x[j] } }
#|   |                        ^^^^^^^^^^^^^^^^^^^ the size is known only inside the body
#| help: declare the type with '?', as in 'let r: f32[n, ?] = ..'
