# Histograms of floats, products, least values, complex numbers, tuples and bits at once.
# RUN: arrc run %s --check 'b=[0, 7, 14, 3, 255]' 'v=[1.0, 2.0, -4.0, 8.0, 0.5]' 'c=[complex(1.0, 2.0), complex(0.5, 0.0), complex(0.0, 0.0), complex(3.0, 1.0), complex(1.0, 1.0)]' | FileCheck %s
export def f(b: u8[n], v: f64[n], c: c64[n]) -> (s: f64[7], p: i32[7], m: f64[7], z: c64[7], t: (int[7], f64[7]), bo: int[7]) {
  let s = hist((+), 0.0, 7) for i in n { (b[i] % 7, v[i]) }
  let p = hist((*), 1, 7) for i in n { (b[i] % 7, i32(i % 3 + 1)) }
  let m = hist(min, inf, 7) for i in n { (b[i] % 7, v[i]) }
  let z = hist((+), 0.0, 7) for i in n { (b[i] % 7, c[i]) }
  let t = hist(fn(x, y) => (x.0 + y.0, max(x.1, y.1)), (0, -inf), 7) for i in n { (b[i] % 7, (1, v[i])) }
  let bo = hist(bitor, 0, 7) for i in n { (b[i] % 7, i) }
  (s, p, m, z, (t.0, t.1), bo)
}

# CHECK: s: f64[7] [-1, 0, 0, 8.5, 0, 0, 0]
# CHECK: p: i32[7] [6, 1, 1, 2, 1, 1, 1]
# CHECK: m: f64[7] [-4, inf, inf, 0.5, inf, inf, inf]
# CHECK: z: c64[7] [(1.5, 2), (0, 0), (0, 0), (4, 2), (0, 0), (0, 0), (0, 0)]
# CHECK: bo: i64[7] [3, 0, 0, 7, 0, 0, 0]
