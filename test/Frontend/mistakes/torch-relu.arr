export def f(a: f32[n]) -> f32[n] = relu(a)

#| error[E0200]: 'relu' is not declared
#|  --> torch-relu.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = relu(a)
#|   |                                     ^^^^
#| help: write 'max(x, 0.0)'
