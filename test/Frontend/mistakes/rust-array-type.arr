export def f(a: [f32; 4]) -> f32 = sum(a)

#| error[E0108]: ';' is not used: a newline ends a statement
#|  --> rust-array-type.arr:1:21
#|   |
#| 1 | export def f(a: [f32; 4]) -> f32 = sum(a)
#|   |                     ^
#| help: sizes stand in the type: 'f32[n, m]'; equal elements are 'full(v, n)', rows '[[a, b], [c, d]]'
#| error[E0100]: expected a type, found '['
#|  --> rust-array-type.arr:1:17
#|   |
#| 1 | export def f(a: [f32; 4]) -> f32 = sum(a)
#|   |                 ^
#| help: the sizes stand behind the type of the elements: 'f32[n, m]'
