export def f(n: int) -> int {
  var i = 0
  do {
    i += 1
  } while (i < n)
  i
}

#| error[E0139]: 'do' means nothing here
#|  --> while-parentheses-do.arr:3:3
#|   |
#| 3 |   do {
#|   |   ^^
#| help: steps in order are written 'loop i in lo:hi { }', or 'while c { }'
