export def f(x: f32) -> f32 = if x == NaN { 0.0 } else { x }

#| error[E0200]: 'NaN' is not declared
#|  --> nan-compare.arr:1:39
#|   |
#| 1 | export def f(x: f32) -> f32 = if x == NaN { 0.0 } else { x }
#|   |                                       ^^^
#| help: write 'nan'; 'isnan(x)' asks for it
