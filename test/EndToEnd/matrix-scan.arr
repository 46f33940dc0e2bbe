# Products of 2 x 2 matrices in a scan, in integers that wrap.
# RUN: arrc run %s --check 'a=[1, 2, 3, 4000000000]' | FileCheck %s
type M = u32[2, 2]
export def rec(a: u32[n]) -> (f: u32[n], all: u32[n, 2, 2]) {
  let ms = for i in n { [[a[i], 1], [1, 0]] }
  let s = scan(fn(p, q) => for i in 2, j in 2 { p[i, 0] * q[0, j] + p[i, 1] * q[1, j] }) for i in n { ms[i] }
  (s[:, 0, 0], s)
}

# CHECK: f: u32[4] [1, 3, 10, 1345294339]
# CHECK: all: u32[4, 2, 2] {{\[\[}}[1, 1], [1, 0{{\]\]}}, {{\[\[}}3, 1], [2, 1{{\]\]}}, {{\[\[}}10, 3], [7, 2{{\]\]}}, {{\[\[}}1345294339, 10], [2230196226, 7{{\]\]}}]
