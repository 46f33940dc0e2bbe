export def f(a: int) -> int {
  var k = a
  loop while k > 1 {
    k = k // 2
  }
  loop until k == 0 {
    k -= 1
  }
  k
}

#| error[E0111]: expected 'in' before the range
#|  --> loop-while.arr:3:8
#|   |
#| 3 |   loop while k > 1 {
#|   |        ^^^^^
#| help: write 'while k > 1 { }', without 'loop'
#| error[E0111]: expected 'in' before the range
#|  --> loop-while.arr:6:8
#|   |
#| 6 |   loop until k == 0 {
#|   |        ^^^^^
#| help: write 'while not (k == 0) { }'
