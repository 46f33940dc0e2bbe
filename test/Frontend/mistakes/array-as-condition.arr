export def f(a: f32[n]) -> int = if a > 0.0 { 1 } else { 0 }

#| error[E0239]: a condition is a bool, not bool[n]
#|  --> array-as-condition.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> int = if a > 0.0 { 1 } else { 0 }
#|   |                                     ^^^^^^^
#| help: say 'any(..)' or 'all(..)'
