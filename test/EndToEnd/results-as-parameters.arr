# Results that have the names of parameters: a step of a solver, run again on what it gave.
# RUN: arrc run %s --check --entry step 'u=[1, 2, 3, 4]' t=0 --output u=@%t.npy | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry step u=@%t.npy t=1 --output u=@%t.npy --output t=@%t.t.npy | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry step u=@%t.npy t=@%t.t.npy | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry move 'bs.pos=[0, 1]' 'bs.vel=[1, 1]' n=2 --output bs=@%t.npz | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry move bs=@%t.npz n=2 | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry same 'a=[3]' k=4 | FileCheck %s --check-prefix=R6
# RUN: arrc %s -o %t.exe && %t.exe --entry step 'u=[1, 2, 3, 4]' t=0 --output u=@%t.exe.npy | FileCheck %s --check-prefix=R1
# RUN: %t.exe --entry step u=@%t.exe.npy t=1 | FileCheck %s --check-prefix=R2
struct Body { pos: f32, vel: f32 }
export def step(u: f32[n], t: int) -> (u: f32[n], t: int) {
  let e = extend(u, clamp)
  (for i in n { 0.5 * (e[i-1] + e[i+1]) }, t + 1)
}
export def move(bs: Body[n], n: int) -> (bs: Body[n], n: int) =
  (for b in bs { Body(b.pos + b.vel, b.vel) }, n)
# The parameter itself.
export def same(a: int[n], k: int) -> (k: int, a: int[n], n: int) = (k, a, n)

# R1: u: f32[4] [1.5, 2, 3, 3.5]
# R1: t: i64 1
# R2: u: f32[4] [1.75, 2.25, 2.75, 3.25]
# R2: t: i64 2
# R3: u: f32[4] [2, 2.25, 2.75, 3]
# R3: t: i64 3
# R4: bs.pos: f32[2] [1, 2]
# R4: n: i64 2
# R5: bs.pos: f32[2] [2, 3]
# R6: k: i64 4
# R6: a: i64[1] [3]
# R6: n: i64 1
