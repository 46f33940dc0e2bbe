# Shortest ways between all pairs of n towns (Floyd and Warshall); `inf` where there is no road
export def paths(road: f32[n, n]) -> (length: f32[n, n]) {
  var d = road
  loop k in n { d = for i in n, j in n { min(d[i, j], d[i, k] + d[k, j]) } }
  d
}

# The same, and the town to go to first; -1 where there is no way
export def routes(road: f32[n, n]) -> (length: f32[n, n], next: i32[n, n]) {
  var d = road
  var next: i32[n, n] = for i in n, j in n { if road[i, j] < inf { i32(j) } else { -1 } }
  loop k in n {
    let shorter = for i in n, j in n { d[i, k] + d[k, j] < d[i, j] }
    next = for i in n, j in n { if shorter[i, j] { next[i, k] } else { next[i, j] } }
    d = for i in n, j in n { if shorter[i, j] { d[i, k] + d[k, j] } else { d[i, j] } }
  }
  (d, next)
}
