export def f(n: int) -> int {
  var s = 0
  for i in range(n) {
    s += i
  }
  s
}

#| error[E0200]: 'range' is not declared
#|  --> for-range-loop.arr:3:12
#|   |
#| 3 |   for i in range(n) {
#|   |            ^^^^^
#| help: write 'iota(n)', or give an index its range: 'for i in lo:hi'
#| error[E0245]: 's' cannot be assigned in here
#|  --> for-range-loop.arr:4:5
#|   |
#| 2 |   var s = 0
#|   |       - 's' is declared outside
#| 4 |     s += i
#|   |     ^ this body runs for all indices at once
#| help: to add up write 's += sum for .. { i }'; steps in order are a 'loop'
