# Edit distances: loops in loops in a row, with arrays of their own.
# RUN: arrc run %s --check 'a=[[1, 2, 3, 4], [3, 4, 1, 2]]' 'b=[1, 3, 4]' | FileCheck %s
# RUN: arrc run %s --check 'a=[[], []]' 'b=[]' | FileCheck %s --check-prefix=R2
export def ed(a: u8[k, n], b: u8[m]) -> int[k] = for r in k {
  var row = iota(m+1)
  loop i in n {
    var diag = row[0]
    row[0] = i + 1
    loop j in m {
      let old = row[j+1]
      row[j+1] = min(diag + int(a[r, i] != b[j]), 1 + min(row[j], row[j+1]))
      diag = old
    }
  }
  row[m]
}

# CHECK: out: i64[2] [1, 3]
# R2: out: i64[2] [0, 0]
