export def f(a: f32[n]) -> f32[n] = for i in n { a[i + 1] - a[i] }

#| warning[W0205]: 'a' is indexed outside of it: at the last 'i' the index is n
#|  --> off-by-one-range.arr:1:52
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i in n { a[i + 1] - a[i] }
#|   |                                                    ^^^^^ dimension 0 has size n
#| help: read it through 'extend(a, clamp)', or leave the edge out of the range, as in 'i in 1:n - 1'
#| off-by-one-range.arr: no errors
