export def f(n: int) -> int {
  var a = b = n
  a
}

#| error[E0128]: only one assignment a statement
#|  --> chained-assignment.arr:2:13
#|   |
#| 2 |   var a = b = n
#|   |             ^
#| help: write each in a line of its own
