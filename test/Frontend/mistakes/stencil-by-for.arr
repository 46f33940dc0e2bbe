# A stencil of three points that forgets the edges.
export def f(a: f32[n]) -> f32[n] = for i { a[i-1] + a[i+1] }

#| error[E0300]: 'i' has no range
#|  --> stencil-by-for.arr:2:41
#|   |
#| 2 | export def f(a: f32[n]) -> f32[n] = for i { a[i-1] + a[i+1] }
#|   |                                         ^ nothing is indexed by 'i' alone
#| help: write 'i in n', or 'i in 1:n - 1' if it reads its neighbours
