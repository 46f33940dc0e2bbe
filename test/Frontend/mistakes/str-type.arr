export def f(name: str, a: f32[n]) -> f32 = sum(a)

#| error[E0210]: there is no type 'str'
#|  --> str-type.arr:1:20
#|   |
#| 1 | export def f(name: str, a: f32[n]) -> f32 = sum(a)
#|   |                    ^^^
#| help: there is no text: number what it stands for, or give a 'u8[n]'
