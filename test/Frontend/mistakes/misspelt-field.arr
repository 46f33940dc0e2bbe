struct Body { pos: f32[3], mass: f32 }
export def f(bs: Body[n]) -> f32[n] = bs.mas

#| error[E0228]: 'Body' has no field 'mas'
#|  --> misspelt-field.arr:2:42
#|   |
#| 1 | struct Body { pos: f32[3], mass: f32 }
#|   |        ---- declared here
#| 2 | export def f(bs: Body[n]) -> f32[n] = bs.mas
#|   |                                          ^^^
#| help: did you mean 'mass'?
