# An index that comes from outside.
export def f(a: f32[n], k: int[m]) -> f32[m] {
  for i { a[k[i]] }
}

#! run run-index-outside.arr a=[1,2] k=[0,7]
#| run-index-outside.arr:3:11: error: index 7 is outside of a dimension of size 2
#|   |
#| 3 |   for i { a[k[i]] }
#|   |           ^
