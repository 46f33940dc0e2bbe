export def f(n: int) -> int {
  var i = 0
  while i < n {
    i++
  }
  i
}

#| error[E0100]: expected an expression, found '+'
#|  --> increment.arr:4:7
#|   |
#| 4 |     i++
#|   |       ^
#| help: write 'i += 1'
