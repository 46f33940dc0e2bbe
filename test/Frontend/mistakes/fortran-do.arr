export def f(n: int) -> int {
  var s = 0
  do i = 1, n
    s = s + i
  end do
  s
}

#| error[E0139]: 'do' means nothing here
#|  --> fortran-do.arr:3:3
#|   |
#| 3 |   do i = 1, n
#|   |   ^^
#| help: steps in order are written 'loop i in lo:hi { }', or 'while c { }'
#| error[E0139]: 'end' means nothing here
#|  --> fortran-do.arr:5:3
#|   |
#| 5 |   end do
#|   |   ^^^
#| help: blocks stand in braces: '{ .. }'
