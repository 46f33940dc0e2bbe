export def f(a: f32[n]) -> f32[n] = for i in n - 1 { a[i] }

#| error[E0266]: the result has the size n, but this has n - 1
#|  --> wrong-result-size.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i in n - 1 { a[i] }
#|   |                                     ^^^^^^^^^^^^^^^^^^^^^^^ this is f32[n - 1], not f32[n]
