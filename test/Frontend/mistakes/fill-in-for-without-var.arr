export def f(n: int) -> f32[n] {
  for i in n { a[i] = 2.0 * i }
}

#| error[E0200]: 'a' is not declared
#|  --> fill-in-for-without-var.arr:2:16
#|   |
#| 2 |   for i in n { a[i] = 2.0 * i }
#|   |                ^
#| help: an array is the value of its 'for': write 'let a = for i in .. { 2.0 * i }'
