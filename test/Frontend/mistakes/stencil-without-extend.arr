export def f(u: f32[n]) -> f32[n] = stencil i in n { u[i-1] + u[i+1] }

#| warning[W0205]: 'u' is indexed outside of it: at the first 'i' the index is -1
#|  --> stencil-without-extend.arr:1:56
#|   |
#| 1 | export def f(u: f32[n]) -> f32[n] = stencil i in n { u[i-1] + u[i+1] }
#|   |                                                        ^^^ dimension 0 has size n
#| help: read it through 'extend(u, clamp)', or leave the edge out of the range, as in 'i in 1:n - 1'
#| warning[W0205]: 'u' is indexed outside of it: at the last 'i' the index is n
#|  --> stencil-without-extend.arr:1:65
#|   |
#| 1 | export def f(u: f32[n]) -> f32[n] = stencil i in n { u[i-1] + u[i+1] }
#|   |                                                                 ^^^ dimension 0 has size n
#| help: read it through 'extend(u, clamp)', or leave the edge out of the range, as in 'i in 1:n - 1'
#| stencil-without-extend.arr: no errors
