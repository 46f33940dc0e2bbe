export def f(a: f32[n]) -> f32[?] = a[::-1]

#| error[E0288]: the step of a slice is positive
#|  --> step-python.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32[?] = a[::-1]
#|   |                                         ^^
#| help: 'reverse(a)' is the array backwards
