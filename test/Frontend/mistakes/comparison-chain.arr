export def f(x: f32) -> bool = 0.0 < x < 1.0

#| error[E0104]: comparisons cannot be chained
#|  --> comparison-chain.arr:1:40
#|   |
#| 1 | export def f(x: f32) -> bool = 0.0 < x < 1.0
#|   |                                    - the first comparison
#|   |                                        ^
#| help: write 'a < b and b < c'
