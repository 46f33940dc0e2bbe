export def f(a: f32[n]) -> f32 = a[n]

#| last-element.arr:1:34: error: this read is always out of bounds, whatever the size of dimension 0
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a[n]
#|   |                                  ^
