export def f(a: f32[n]) -> f32[n] = for i { a[i + 1] }

#| error[E0300]: 'i' has no range
#|  --> index-without-range.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i { a[i + 1] }
#|   |                                         ^ nothing is indexed by 'i' alone
#| help: write 'i in n', or 'i in 1:n - 1' if it reads its neighbours
