export def f(n: int) -> f32[n] {
  var a = zeros(n)
  for i in n { a[i] = 2.0 * i }
  a
}

#| error[E0245]: 'a' cannot be assigned in here
#|  --> fill-in-for-with-var.arr:3:16
#|   |
#| 2 |   var a = zeros(n)
#|   |       - 'a' is declared outside
#| 3 |   for i in n { a[i] = 2.0 * i }
#|   |                ^ this body runs for all indices at once
#| help: an array is the value of its 'for': write 'let a = for i in .. { 2.0 * i }'
