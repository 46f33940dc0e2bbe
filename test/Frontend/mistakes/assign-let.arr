export def f(a: f32[n]) -> f32 {
  let s = 0.0
  loop i in n { s += a[i] }
  s
}

#| error[E0244]: 's' cannot be assigned
#|  --> assign-let.arr:3:17
#|   |
#| 2 |   let s = 0.0
#|   |       - 's' is fixed here
#| 3 |   loop i in n { s += a[i] }
#|   |                 ^
#| help: declare it with 'var'
