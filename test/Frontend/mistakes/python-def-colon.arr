def f(x):
  return x * 2.0

#| error[E0100]: expected ':' and the type of 'x', found ')'
#|  --> python-def-colon.arr:1:8
#|   |
#| 1 | def f(x):
#|   |        ^
#| help: write 'x: f32', or 'x: f32[n]' for an array
