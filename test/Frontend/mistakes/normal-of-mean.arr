export def f(n: int) -> f32[n] = normal(0.0, 1.0, n)

#| error[E0343]: 'normal' takes ints, not a float literal
#|  --> normal-of-mean.arr:1:41
#|   |
#| 1 | export def f(n: int) -> f32[n] = normal(0.0, 1.0, n)
#|   |                                         ^^^
#| help: a key and counters are given: 'normal(seed, i)', with mean and deviation 'm + s * normal(seed, i)'
