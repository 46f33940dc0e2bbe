export def f(a: f32[n]) -> f32 = a[end]

#| error[E0284]: index n is outside of 'a': dimension 0 has size n
#|  --> end-keyword.arr:1:36
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a[end]
#|   |                                    ^^^
#| help: the last element is at 'end-1'
