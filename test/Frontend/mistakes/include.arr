#include <math.h>
export def f(x: f32) -> f32 = fabsf(x)

#| error[E0200]: 'fabsf' is not declared
#|  --> include.arr:2:31
#|   |
#| 2 | export def f(x: f32) -> f32 = fabsf(x)
#|   |                               ^^^^^
#| help: write 'abs(x)'
