export def f(a: f32[n, m]) -> f32[m, n] = a'

#| error[E0005]: unexpected character '''
#|  --> apostrophe-transpose.arr:1:44
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[m, n] = a'
#|   |                                            ^
#| help: write 'transpose(a)'
