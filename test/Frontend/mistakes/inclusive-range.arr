export def f() -> int {
  let a: int[10] = for i in 10 { i }
  sum for i in 0:11 { a[i] }
}

#| warning[W0205]: 'a' is indexed outside of it: at the last 'i' the index is 10
#|  --> inclusive-range.arr:3:25
#|   |
#| 3 |   sum for i in 0:11 { a[i] }
#|   |                         ^ dimension 0 has size 10
#| help: read it through 'extend(a, clamp)', or leave the edge out of the range, as in 'i in 1:n - 1'
#| inclusive-range.arr: no errors
