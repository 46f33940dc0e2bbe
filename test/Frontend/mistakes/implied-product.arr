def pad(a: f32[n], k: int) -> f32[n + 2k] = for i in n + 2 * k { 0.0 }
export def f(a: f32[n]) -> f32 = sum(pad(a, 1))

#| error[E0026]: a number has no suffix
#|  --> implied-product.arr:1:39
#|   |
#| 1 | def pad(a: f32[n], k: int) -> f32[n + 2k] = for i in n + 2 * k { 0.0 }
#|   |                                       ^^
#| help: a product is written '2*k'
