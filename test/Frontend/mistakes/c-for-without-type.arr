export def f(n: int) -> int {
  var s = 0
  for (i = 0; i < n; i++) {
    s += i
  }
  s
}

#| error[E0138]: this is the 'for' of C
#|  --> c-for-without-type.arr:3:7
#|   |
#| 3 |   for (i = 0; i < n; i++) {
#|   |       ^
#| help: write 'loop i in lo:hi { .. }' for steps in order, 'for i in lo:hi { .. }' for the values of an array
