# The random numbers of the language page, to the last digit.
# RUN: arrc run %s --check --entry block key=7 a=1 b=2 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry block key=0 a=0 b=0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry block key=-1 a=-1 b=-1 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry uniforms k=7 a=5 b=9 c=2 d=4 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry one k=7 a=0 | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry ints k=7 a=0 lo=0 hi=1000 | FileCheck %s --check-prefix=R6
# RUN: arrc run %s --check --entry ints k=7 a=1 lo=-5 hi=5 | FileCheck %s --check-prefix=R7
# RUN: %exit_code 3 arrc run %s --check --entry ints k=7 a=1 lo=5 hi=5 2>&1 | FileCheck %s --check-prefix=R8
# RUN: arrc run %s --check --entry many n=10000 | FileCheck %s --check-prefix=R9
export def block(key: int, a: int, b: int) -> u32[4] = philox(key, a, b)
export def uniforms(k: int, a: int, b: int, c: int, d: int) -> (x: f32, y: f32, z: f32) =
  (uniform(k, a, b), uniform(k, a, b, c), uniform(k, a, b, c, d))
export def one(k: int, a: int) -> (x: f32, y: f64, z: f32, w: f64) = (uniform(k, a), uniform(k, a), normal(k, a), normal(k, a))
export def ints(k: int, a: int, lo: int, hi: int) -> int = randint(k, a, lo = lo, hi = hi)
export def many(n: int) -> (m: f64, v: f64) {
  let x: f64[n] = for i in n { normal(3, i) }
  (abs(mean(x)), abs(mean(x * x) - 1.0))
}

# R1: out: u32[4] [3993829521, 955157873, 3973482437, 2687253789]
# R2: out: u32[4] [1713891541, 3781805453, 3159862348, 2600524760]
# R3: out: u32[4] [1083123565, 1103641358, 2718681030, 1834242557]
# R4: x: f32 0.74165
# R4: y: f32 0.84525
# R4: z: f32 0.0451
# R5: x: f32 0.95459
# R5: y: f64 0.7501522221031
# R5: z: f32 
# R5: w: f64 0.6510652288674
# R6: out: i64 750
# R7: out: i64 -5
# R8: random.arr:
# R9: m: f64 0.0
# R9: v: f64 0.0
