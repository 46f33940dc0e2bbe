export def f(a: f32[]) -> f32 = sum(a)

#| error[E0100]: expected a size, found ']'
#|  --> empty-brackets.arr:1:21
#|   |
#| 1 | export def f(a: f32[]) -> f32 = sum(a)
#|   |                     ^
#| help: an array is declared with its sizes: 'f32[n]', of sizes that nobody names 'f32[?]'
