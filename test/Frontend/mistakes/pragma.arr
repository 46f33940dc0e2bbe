#pragma omp parallel for
export def f(a: f32[n]) -> f32[n] = for i in n a[i] * 2.0

#| error[E0121]: the body of 'for' stands in braces
#|  --> pragma.arr:2:48
#|   |
#| 2 | export def f(a: f32[n]) -> f32[n] = for i in n a[i] * 2.0
#|   |                                                ^ expected '{', found 'a'
#| help: write '{ a[i] * 2.0 }'
