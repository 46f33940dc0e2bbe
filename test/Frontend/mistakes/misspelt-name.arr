export def f(plate: f32[n]) -> f32 = sum(plat)

#| error[E0200]: 'plat' is not declared
#|  --> misspelt-name.arr:1:42
#|   |
#| 1 | export def f(plate: f32[n]) -> f32 = sum(plat)
#|   |                                          ^^^^
#| help: did you mean 'plate'?
