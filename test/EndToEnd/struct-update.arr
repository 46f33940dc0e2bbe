# Places inside of arrays of structs.
# RUN: arrc run %s --check 'bs0.pos=[[1, 2], [3, 4]]' 'bs0.mass=[1, 1]' | FileCheck %s
struct Body { pos: int[2], mass: int }
export def f(bs0: Body[n]) -> Body[n] where n >= 2 {
  var bs = bs0
  bs[1].pos[0] += 5
  bs[0].mass = 9
  bs
}

# CHECK: out.pos: i64[2, 2] {{\[\[}}1, 2], [8, 4]]
# CHECK: out.mass: i64[2] [9, 1]
