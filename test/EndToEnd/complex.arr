# Complex arithmetic, parts, conjugates, absolute values.
# RUN: arrc run %s --check --entry f 'a=[complex(1.0, 2.0)]' 'b=[complex(3.0, 4.0)]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry make x=1.0 y=2.0 | FileCheck %s --check-prefix=R2
export def f(a: c64[n], b: c64[n]) -> (s: c64[n], p: c64[n], q: c64[n], c: c64[n], r: f32[n], m: f32[n]) =
  (a + b, a * b, a / b, conj(a), re(a), abs(b))
export def make(x: f64, y: f64) -> (z: c128, w: c128, t: c128) = (complex(x, y), complex(x, y) * 2.0, complex(x, y)**2)

# R1: s: c64[1] [(4, 6)]
# R1: p: c64[1] [(-5, 10)]
# R1: q: c64[1] [(0.44, 0.08)]
# R1: c: c64[1] [(1, -2)]
# R1: r: f32[1] [1]
# R1: m: f32[1] [5]
# R2: z: c128 (1, 2)
# R2: w: c128 (2, 4)
# R2: t: c128 (-3, 4)
