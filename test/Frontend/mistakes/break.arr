export def f(n: int) -> int {
  var i = 0
  while true {
    i += 1
    if i > n { break }
  }
  i
}

#| error[E0101]: 'break' is reserved and has no meaning
#|  --> break.arr:5:16
#|   |
#| 5 |     if i > n { break }
#|   |                ^^^^^
#| help: put the condition into a 'while'
