export def f(a: f32[n], steps: int) -> f32 = sum(a) * steps

#! run run-missing-argument.arr a=[1,2]
#| error: the argument 'steps' of type 'int' is missing
#| help: write steps=VALUE
