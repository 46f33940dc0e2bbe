export def f(n: int) -> int[n] {
  let a = [i * i for i in range(n)]
  a
}

#| error[E0138]: this is a comprehension of Python
#|  --> list-comprehension-range.arr:2:18
#|   |
#| 2 |   let a = [i * i for i in range(n)]
#|   |                  ^^^
#| help: write 'for i in n { i * i }'
