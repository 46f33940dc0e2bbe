export def f(a: f32[n]) -> f32[n] = for i in n { a[i] - a[i - 1] }

#| warning[W0205]: 'a' is indexed outside of it: at the first 'i' the index is -1
#|  --> off-by-one-backward.arr:1:59
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i in n { a[i] - a[i - 1] }
#|   |                                                           ^^^^^ dimension 0 has size n
#| help: read it through 'extend(a, clamp)', or leave the edge out of the range, as in 'i in 1:n - 1'
#| off-by-one-backward.arr: no errors
