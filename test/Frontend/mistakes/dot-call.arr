export def f(a: f32[n]) -> f32[n] = sin.(a)

#| error[E0138]: this is a call of Julia, 'f.(x)'
#|  --> dot-call.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = sin.(a)
#|   |                                         ^
#| help: a function of scalars maps over arrays by itself: write 'f(x)'
