export def f(n: int) -> int {
  def g(x: int) -> int = x + 1
  g(n)
}

#| error[E0127]: 'def' stands at the top of the file
#|  --> nested-def.arr:2:3
#|   |
#| 2 |   def g(x: int) -> int = x + 1
#|   |   ^^^
#| help: inside a block write 'let f = fn(x) => ...'
