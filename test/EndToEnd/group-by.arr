# Statistics of groups by histograms, and the values sorted by group with exclusive sums.
# RUN: arrc run %s --check 'k=[2, 0, 2, 1, 0]' 'v=[1.0, 2.0, 4.0, 8.0, -1.0]' g=4 | FileCheck %s
# RUN: arrc run %s --check 'k=[]' 'v=[]' g=2 | FileCheck %s --check-prefix=NONE
# RUN: %exit_code 3 arrc run %s --check 'k=[2]' 'v=[1.0]' g=2 2>&1 | FileCheck %s --check-prefix=OUTSIDE
export def group(k: i32[n], v: f64[n], g: int) -> (count: int[g], total: f64[g], most: f64[g], ordered: f64[n], first: int[g]) {
  let members = hist((+), 0, g) for i in n { (k[i], 1) }
  let total = hist((+), 0.0, g) for i in n { (k[i], v[i]) }
  let most = hist(max, -inf, g) for i in n { (k[i], v[i]) }
  (members, total, most, v[argsort(k)], exscan((+), 0, members))
}

# CHECK: count: i64[4] [2, 1, 2, 0]
# CHECK: total: f64[4] [1, 8, 5, 0]
# CHECK: most: f64[4] [2, 8, 4, -inf]
# CHECK: ordered: f64[5] [2, -1, 8, 1, 4]
# CHECK: first: i64[4] [0, 2, 3, 5]
# NONE: first: i64[2] [0, 0]
# OUTSIDE: index 2 is outside of a dimension of size 2
