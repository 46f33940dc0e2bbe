export def f(n: int) -> int {
  int s = 0
  s + n
}

#| error[E0138]: this is a declaration of C
#|  --> int-declaration.arr:2:3
#|   |
#| 2 |   int s = 0
#|   |   ^^^
#| help: write 'var s = 0', or 'let' if it stays as it is
