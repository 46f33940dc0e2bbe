# Every operation has the place of its expression; a check that of its cause.
# RUN: arrc build %s --emit=array | FileCheck %s
# RUN: arrc build %s --emit=array -D K=3 | FileCheck %s --check-prefix=CONSTANT
const K = 2

# CHECK: array.check divide %{{.*}} loc(#[[DIV:.*]])
# CHECK: math.sqrt %{{.*}} loc(#[[SQRT:.*]])
# CHECK-DAG: #[[DIV]] = loc("{{.*}}locations.arr":[[@LINE+4]]:16)
# CHECK-DAG: #[[SQRT]] = loc("{{.*}}locations.arr":[[@LINE+4]]:3)
# CONSTANT: arith.constant 3 : i64
export def f(x: f32, a: int, b: int) -> f32 {
  let c = K * (a // b)
  sqrt(x) + f32(c)
}
