# A user operator on pairs; the smaller index wins.
# RUN: arrc run %s --check 'p=[[0.0, 0.0, 9.0], [3.0, 4.0, 0.0], [5.0, 0.0, 0.0]]' 'q=[0.0, 0.0, 0.0]' | FileCheck %s
def argmin2(x: (f32, int), y: (f32, int)) -> (f32, int) = if y.0 < x.0 { y } else { x }
export def closest(p: f32[n, 3], q: f32[3]) -> (distance: f32, at: int) {
  let (d, i) = reduce(argmin2, (inf, n)) for k in n { (sqrt(sum((p[k] - q) ** 2)), k) }
  (d, i)
}

# CHECK: distance: f32 5
# CHECK: at: i64 1
