export def f(a: f32[n]) -> f32 {
  let r = for i in n { for x in a if x > a[i] { x } }
  sum(r)
}

#| error[E0269]: the rows of this array have different sizes
#|  --> rows-filtered.arr:2:24
#|   |
#| 2 |   let r = for i in n { for x in a if x > a[i] { x } }
#|   |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the size is known only inside the body
#| help: declare the type with '?', as in 'let r: f32[n, ?] = ..'
