export def f(n: int) -> int {
  var s = 0
  for i in range(n):
    s += i
  s
}

#| error[E0121]: the body of 'for' stands in braces
#|  --> python-for-colon.arr:3:20
#|   |
#| 3 |   for i in range(n):
#|   |                    ^ expected '{', found ':'
#| help: write '{' instead of ':', and '}' behind the body
