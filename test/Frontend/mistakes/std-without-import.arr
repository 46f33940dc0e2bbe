export def f(a: f32[n]) -> (f32, f32) = (median(a), std(a))

#| error[E0200]: 'median' is not declared
#|  --> std-without-import.arr:1:42
#|   |
#| 1 | export def f(a: f32[n]) -> (f32, f32) = (median(a), std(a))
#|   |                                          ^^^^^^
#| help: write 'statistics.median(a)' after 'import "std/statistics.arr"'
#| error[E0200]: 'std' is not declared
#|  --> std-without-import.arr:1:53
#|   |
#| 1 | export def f(a: f32[n]) -> (f32, f32) = (median(a), std(a))
#|   |                                                     ^^^
#| help: write 'statistics.std(a)' after 'import "std/statistics.arr"'; or write 'sqrt(mean for x in a { (x - m) ** 2 })' with 'let m = mean(a)'
