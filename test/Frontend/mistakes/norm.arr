export def f(a: f32[n]) -> f32 = norm(a)

#| error[E0200]: 'norm' is not declared
#|  --> norm.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = norm(a)
#|   |                                  ^^^^
#| help: write 'arrays.norm(a)' after 'import "std/arrays.arr"'; or write 'sqrt(sum for x in a { x * x })'
