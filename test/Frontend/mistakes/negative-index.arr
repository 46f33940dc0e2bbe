export def f(a: f32[n]) -> f32 = a[-1]

#| error[E0283]: the index -1 is negative
#|  --> negative-index.arr:1:36
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a[-1]
#|   |                                    ^^
#| help: counted from the end it is 'a[end-1]'
