# An array of structs is one array a field, in and out.
# RUN: arrc run %s --check 'bs.pos=[[1.0, 2.0], [3.0, 4.0]]' 'bs.mass=[1.0, 2.0]' 'd=[10.0, 20.0]' | FileCheck %s
struct Body { pos: f32[2], mass: f32 }
export def move(bs: Body[n], d: f32[2]) -> (res: Body[n], total: f32) {
  let r = for i { Body(pos = bs[i].pos + d, mass = 2.0 * bs[i].mass) }
  (r, sum(r.mass))
}

# CHECK: res.pos: f32[2, 2] {{\[\[}}11, 22], [13, 24]]
# CHECK: res.mass: f32[2] [2, 4]
# CHECK: total: f32 6
