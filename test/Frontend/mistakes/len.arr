export def f(a: f32[n]) -> int = len(a)

#| error[E0200]: 'len' is not declared
#|  --> len.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> int = len(a)
#|   |                                  ^^^
#| help: write 'size(a)', or 'size(a, k)' for dimension k
