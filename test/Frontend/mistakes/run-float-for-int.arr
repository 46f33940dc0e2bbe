export def f(steps: int) -> int = steps

#! run run-float-for-int.arr steps=1.5
#| error: 'steps' is declared 'int', but '1.5' is a float, not i64
