export def f(a: f32[n], tol: f32) -> bool = all(abs(a) < tol)

#! run run-word-as-value.arr a=[1,2] tol=small
#| error: 'tol' is declared 'f32', but 'small' is no value: 'small' is no constant
