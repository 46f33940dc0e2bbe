export def f(n: int) -> int {
  switch (n) { case 0: 1 }
}

#| error[E0139]: 'switch' means nothing here
#|  --> switch.arr:2:3
#|   |
#| 2 |   switch (n) { case 0: 1 }
#|   |   ^^^^^^
#| help: write 'if' and 'else if'
