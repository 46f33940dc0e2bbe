export def f(n: usize) -> usize = n

#| error[E0210]: there is no type 'usize'
#|  --> usize.arr:1:17
#|   |
#| 1 | export def f(n: usize) -> usize = n
#|   |                 ^^^^^
#| help: write 'int': sizes and indices are ints
#| error[E0210]: there is no type 'usize'
#|  --> usize.arr:1:27
#|   |
#| 1 | export def f(n: usize) -> usize = n
#|   |                           ^^^^^
#| help: write 'int': sizes and indices are ints
