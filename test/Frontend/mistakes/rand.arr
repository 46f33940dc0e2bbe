export def f(n: int) -> f32[n] = rand(n)

#| error[E0200]: 'rand' is not declared
#|  --> rand.arr:1:34
#|   |
#| 1 | export def f(n: int) -> f32[n] = rand(n)
#|   |                                  ^^^^
#| help: write 'uniform(seed, i)': random numbers are functions of a key and counters
