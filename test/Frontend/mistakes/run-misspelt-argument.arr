export def f(a: f32[n], steps: int) -> f32 = sum(a) * steps

#! run run-misspelt-argument.arr a=[1,2] step=3
#| error: 'f' has no parameter 'step'
#| help: did you mean 'steps'?
