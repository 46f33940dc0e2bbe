struct Mesh { points: f32[n, 3], faces: int[m, 3] }
export def f(n: int) -> int = n

#| error[E0200]: 'n' is not declared
#|  --> struct-with-arrays.arr:1:27
#|   |
#| 1 | struct Mesh { points: f32[n, 3], faces: int[m, 3] }
#|   |                           ^
#| help: sizes in here are constants, 'const n = 8'; arrays of other sizes are parameters of their own
#| error[E0200]: 'm' is not declared
#|  --> struct-with-arrays.arr:1:45
#|   |
#| 1 | struct Mesh { points: f32[n, 3], faces: int[m, 3] }
#|   |                                             ^
#| help: sizes in here are constants, 'const m = 8'; arrays of other sizes are parameters of their own
