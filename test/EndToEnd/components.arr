# Connected components by spreading the largest label until nothing changes.
# RUN: arrc run %s --check 'g=[[true, false, true], [true, false, true], [false, true, true]]' | FileCheck %s
export def cc(g: bool[n, m]) -> (l: int[n, m], k: int) {
  var l = for i in n, j in m { select(g[i, j], i * m + j, -1) }
  var ch = true
  while ch {
    let e = extend(l, -1)
    let q = for i in n, j in m { if l[i, j] < 0 { -1 } else { max(max(max(l[i,j], e[i-1,j]), max(e[i+1,j], e[i,j-1])), e[i,j+1]) } }
    ch = any(q != l)
    l = q
  }
  let roots = count for i in n, j in m { l[i, j] == i * m + j and l[i, j] >= 0 }
  (l, roots)
}

# CHECK: l: i64[3, 3] {{\[\[}}3, -1, 8], [3, -1, 8], [-1, 8, 8{{\]\]}}
# CHECK: k: i64 2
