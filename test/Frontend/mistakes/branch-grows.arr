export def f(n: int) -> int[?] {
  var x: int[?] = [1]
  loop i in n { x = if i % 2 == 0 { concat(x, [i]) } else { x } }
  x
}

#| error[E0243]: the branches have different sizes, ?1 + 1 and ?1
#|  --> branch-grows.arr:3:21
#|   |
#| 3 |   loop i in n { x = if i % 2 == 0 { concat(x, [i]) } else { x } }
#|   |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#| help: a 'var' whose size may change gets it in the branches: 'if .. { v = .. } else { v = .. }'
