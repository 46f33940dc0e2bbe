export def f(n: int) -> f32[n] = np.zeros((n,))

#| error[E0112]: there are no tuples of one component
#|  --> tuple-of-one.arr:1:43
#|   |
#| 1 | export def f(n: int) -> f32[n] = np.zeros((n,))
#|   |                                           ^^^^
#| help: leave the comma out; sizes are arguments of their own: 'zeros(n, m)'
