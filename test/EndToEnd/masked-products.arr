# Products that a condition of the indices chooses are computed by tiles, for all
# points; what a mask, a band or a diagonal chooses by itself. Numbers are small, so
# that every order gives the same.
# REQUIRES: cuda-emulator
# RUN: arrc run %s --check --entry small 'q=[[1, 2], [3, 4]]' 'p=[[1, 0], [0, 1], [1, 1]]' 'mask=[[true, false, true], [false, false, true]]' | FileCheck %s --check-prefix=SMALL
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry small 'q=[[1, 2], [3, 4]]' 'p=[[1, 0], [0, 1], [1, 1]]' 'mask=[[true, false, true], [false, false, true]]' | FileCheck %s --check-prefix=SMALL
# SMALL: causal: i64[2, 3] {{\[}}[1, -1, -1], [3, 4, -1]]
# SMALL: chosen: i64[2, 3] {{\[}}[1, 0, 3], [0, 0, 7]]
# RUN: arrc run %s --check --entry large n=67 m=70 d=37 k=50 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry large n=67 m=70 d=37 k=50 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --check --target=cuda --entry large n=1 m=0 d=0 k=-1 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --check --target=cuda --entry large n=3 m=1 d=0 k=2 2>&1 | FileCheck %s
# CHECK: check: ok
# RUN: arrc build %s --target=cuda --arch sm_90 --emit=scheduled -o - 2>/dev/null | FileCheck %s --check-prefix=TILES
# TILES-LABEL: func.func @small
# TILES: kernel.local {{.*}}#kernel.space<shared>
# TILES-LABEL: func.func @large
export def small(q: int[n, d], p: int[m, d], mask: bool[n, m]) -> (causal: int[n, m], chosen: int[n, m]) =
  (for i in n, j in m { if j <= i { sum for l in d { q[i, l] * p[j, l] } } else { -1 } },
   for i in n, j in m { if mask[i, j] { sum for l in d { q[i, l] * p[j, l] } } else { 0 } })

export def large(n: int, m: int, d: int, k: int) -> (upper: f32[n, m], padded: f32[2, n, m], apart: f64[n, m], band: f32[n, m], near: f32[n, m])
    where n >= 0, m >= 0, d >= 0 {
  let q = for b in 2, i in n, l in d { f32((b + 3 * i + 5 * l) % 7 - 3) }
  let p = for b in 2, j in m, l in d { f32((2 * b + 5 * j + 3 * l) % 7 - 3) }
  let upper = for i in n, j in m { if j < i { -inf } else { (sum for l in d { q[0, i, l] * p[1, j, l] }) * 0.5 } }
  let padded = for b in 2, i in n, j in m { if j <= i + 3 and j < k { sum for l in d { q[b, i, l] * p[b, j, l] } } else { 0.0 } }
  let apart = for i in n, j in m { if i != j { sum for l in d { f64(q[0, i, l]) * f64(p[0, j, l]) } } else { 1.0 } }
  let band = for i in n, j in m { if i - k < j and j <= i { sum for l in d { q[1, i, l] * p[0, j, l] } } else { 0.0 } }
  let near = for i in n, j in m { if not (i < j) { min for l in d { abs(q[0, i, l] - p[0, j, l]) } } else { 0.0 } }
  (upper, padded, apart, band, near)
}
