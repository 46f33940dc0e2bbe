export def f(a: f32[n]) = sum(a)

#| error[E0360]: the export 'f' does not declare its result
#|  --> export-without-result.arr:1:12
#|   |
#| 1 | export def f(a: f32[n]) = sum(a)
#|   |            ^
#| help: declare it after '->'
