export def match(a: f32[n], b: f32[n]) -> f32 = sum(a * b)

#| error[E0101]: 'match' is reserved and has no meaning
#|  --> name-match.arr:1:12
#|   |
#| 1 | export def match(a: f32[n], b: f32[n]) -> f32 = sum(a * b)
#|   |            ^^^^^
#| help: as a name choose another word
