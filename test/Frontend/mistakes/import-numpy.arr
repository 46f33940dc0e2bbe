import numpy as np
export def f(a: f32[n]) -> f32 = sum(a)

#| error[E0131]: expected a path in quotes, found 'numpy'
#|  --> import-numpy.arr:1:8
#|   |
#| 1 | import numpy as np
#|   |        ^^^^^
#| help: write 'import "vec.arr"'
