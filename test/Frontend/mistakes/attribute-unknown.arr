export def f(a: f32[n]) -> f32[n] = @parallel for i { a[i] * 2.0 }

#| error[E0370]: there is no attribute '@parallel'
#|  --> attribute-unknown.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = @parallel for i { a[i] * 2.0 }
#|   |                                     ^^^^^^^^^
