export def f(a: f32[n, m], b: f32[m]) -> f32[n, m] = a + b

#| error[E0217]: the sizes of 'a' and 'b' differ
#|  --> broadcast-row.arr:1:56
#|   |
#| 1 | export def f(a: f32[n, m], b: f32[m]) -> f32[n, m] = a + b
#|   |              - 'a' is n x m
#|   |                            - 'b' is m
#|   |                                                        ^ elementwise '+' needs equal sizes, or a scalar
#| help: ranks never broadcast: write the 'for' with its indices
