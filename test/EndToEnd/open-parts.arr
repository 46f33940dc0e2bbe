# Parts of open values take the type that the whole meets.
# RUN: arrc run %s --check --entry pairs a=1.0 j=7 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry bits s=5 x=0.5 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry counts n=4 x=0.5 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry more_counts n=2 x=0.5 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry rolls p=2.0 | FileCheck %s --check-prefix=R5
export def pairs(a: f64, j: int) -> (x: f64, y: f64, z: f64, k: f64[3], w: f64, t: f64[2], u: int[3]) {
  let t: (f64, f64)[2] = [(j, a), (2.5, 4.0)]
  let h: (f64, int)[3] = hist((+), (0.0, 0), 3) for i in 6 { (i % 3, (1.5, 1)) }
  ([(0.1, 2.0), (3.0, 4.0)][0].0 + a, concat([(0.1, 2)], [(0.3, 4)])[1].0 * a,
   (if a > 0.0 { [(0.1, 2)] } else { [(0.5, 2)] })[0].0 * a, h.0, [((0.1, 2), 3), ((0.2, 4), 5)][1].0.0 * a, t.0,
   h.1)
}
export def bits(s: int, x: f64) -> (a: f64, b: f64, c: f64[3]) =
  (x * shl(1, s) + shr(1024, s), x + bitand(1, 3) + bitor(1, 2) + bitxor(1, 3) + bitnot(0),
   for i in 3 { f64(shl(1, i)) })
export def counts(n: int, x: f64) -> (a: f64[n], b: f64[n], c: f64[3], d: f64, e: f64, f: f64[2]) =
  (x * scan((+)) for i in n { 1 }, x * exscan((+), 0) for i in n { 1 },
   x * hist((+), 0, 3) for i in n { (i % 3, 1) }, (sum for i in 3 { [1, 2] })[0] * x,
   scan((+), [1, 2, 3])[2] * x, scan((+), [1, 2, 3])[1:] * x)
export def more_counts(n: int, x: f64) -> (a: f64[n, 2], b: f64[n, 2], c: f64[3], d: f64[2, 3], e: f64[6], f: f64[n]) =
  (x * for j in n { sum for i in 3 { [1, 2] } }, for j in n { x * sum for i in j { [1, 2] } },
   x * (if x > 0.0 { scan((+), [1, 2, 3]) } else { [4, 5, 6] }), x * [scan((+), [1, 2, 3]), [4, 5, 6]],
   x * concat(scan((+), [1, 2, 3]), [4, 5, 6]), for i in n { x * scan((+), [1, 2, 3])[i] })
export def rolls(p: f64) -> (a: f32[3], b: f64[3], c: f64[3], d: f64[2, 3], e: f32[3]) =
  (roll([1.0, 2.0, 3.0], 1), roll([0.1, 0.2, 0.3], int(p)) * p, roll([1, 2, 3], 1) * p,
   roll([[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]], 1, axis = 1) * p, roll(ones(3), 1))

# R1: x: f64 1.1
# R1: y: f64 0.3
# R1: z: f64 0.1
# R1: k: f64[3] [3, 3, 3]
# R1: w: f64 0.2
# R1: t: f64[2] [7, 2.5]
# R1: u: i64[3] [2, 2, 2]
# R2: a: f64 48
# R2: b: f64 5.5
# R2: c: f64[3] [1, 2, 4]
# R3: a: f64[4] [0.5, 1, 1.5, 2]
# R3: b: f64[4] [0, 0.5, 1, 1.5]
# R3: c: f64[3] [1, 0.5, 0.5]
# R3: d: f64 1.5
# R3: e: f64 3
# R3: f: f64[2] [1.5, 3]
# R4: a: f64[2, 2] {{\[\[}}1.5, 3], [1.5, 3]]
# R4: b: f64[2, 2] {{\[\[}}0, 0], [0.5, 1]]
# R4: c: f64[3] [0.5, 1.5, 3]
# R4: d: f64[2, 3] {{\[\[}}0.5, 1.5, 3], [2, 2.5, 3]]
# R4: e: f64[6] [0.5, 1.5, 3, 2, 2.5, 3]
# R4: f: f64[2] [0.5, 1.5]
# R5: a: f32[3] [3, 1, 2]
# R5: b: f64[3] [0.4, 0.6, 0.2]
# R5: c: f64[3] [6, 2, 4]
# R5: d: f64[2, 3] {{\[\[}}0.6, 0.2, 0.4], [2.6, 2.2, 2.4]]
# R5: e: f32[3] [1, 1, 1]
