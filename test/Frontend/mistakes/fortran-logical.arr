export def f(x: f32) -> bool = x > 0.0 .and. x < 1.0

#| error[E0138]: this is an operator of Fortran
#|  --> fortran-logical.arr:1:41
#|   |
#| 1 | export def f(x: f32) -> bool = x > 0.0 .and. x < 1.0
#|   |                                         ^^^
#| help: write 'and'
