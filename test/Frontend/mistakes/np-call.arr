export def f(a: f32[n]) -> f32 = np.sum(a)

#| error[E0200]: 'np' is not declared
#|  --> np-call.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = np.sum(a)
#|   |                                  ^^
#| help: the functions are built in: write 'sqrt(x)'
