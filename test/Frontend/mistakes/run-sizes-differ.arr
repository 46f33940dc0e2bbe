export def f(a: f32[n], b: f32[n]) -> f32[n] = a + b

#! run run-sizes-differ.arr a=[1,2] b=[1,2,3]
#| error: 'b' is declared 'f32[n]', but its dimension 0 is 3, not n with n = 2 (dimension 0 of 'a')
