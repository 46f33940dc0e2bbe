export def f(u: f32[n]) -> f32[n] = stencil i in n { u[2 * i] }

#| error[E0307]: this read of 'u' breaks the promise of 'stencil'
#|  --> stencil-promise.arr:1:56
#|   |
#| 1 | export def f(u: f32[n]) -> f32[n] = stencil i in n { u[2 * i] }
#|   |                                                        ^^^^^ not an index of the stencil plus a constant
#| help: write 'for' instead of 'stencil'
