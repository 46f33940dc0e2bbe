export def f(k: int[n], m: int) -> int[m] = hist(k, m)

#| error[E0318]: 'hist' needs a 'for'
#|  --> hist-call.arr:1:45
#|   |
#| 1 | export def f(k: int[n], m: int) -> int[m] = hist(k, m)
#|   |                                             ^^^^^^^^^^
#| help: write 'hist((+), 0, bins) for x in k { (x, 1) }'
