export def f() -> f32 {
  let a = [1.0, 2.0, 3.0]
  a[3]
}

#| error[E0284]: index 3 is outside of 'a': dimension 0 has size 3
#|  --> one-based.arr:3:5
#|   |
#| 3 |   a[3]
#|   |     ^
#| help: the first index is 0, the last 2
