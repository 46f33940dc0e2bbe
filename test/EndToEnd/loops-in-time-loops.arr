# Inside of a time loop: a power, a 'while' and a 'loop' over numbers, and a loop
# whose array grows and shrinks.
# RUN: arrc run %s --check --entry butterflies x=[1.0,2.0,3.0,4.0] k=2 | FileCheck %s --check-prefix=POWER
# RUN: arrc run %s --check --entry numbers x=[1.0,2.0,3.0] k=5 | FileCheck %s --check-prefix=NUMBERS
# RUN: arrc run %s --check --entry numbers x=[1.0,2.0,3.0] k=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry reach 'a=[[true,true,false],[false,true,true],[false,false,false]]' src=[0,1,2] | FileCheck %s --check-prefix=REACH
# POWER: y: f32[4] [10, -2, -4, 0]
# NUMBERS: y: f32[3] [121, 122, 123]
# NUMBERS: c: i64 17
# NONE: y: f32[3] [1, 2, 3]
# NONE: c: i64 0
# REACH: far: i64[3] [2, 1, 0]
# REACH: total: i64 1
export def butterflies(x: f32[n], k: int) -> (y: f32[n]) where n == 2 ** k {
  var y = x
  loop s in k {
    let h = 2 ** s
    y = for i in n { if bitand(i, h) == 0 { y[i] + y[i + h] } else { y[i - h] - y[i] } }
  }
  y
}
export def numbers(x: f32[n], k: int) -> (y: f32[n], c: int) {
  var y = x
  var c = 0
  loop s in k {
    var h = s * 7 + 3
    while h > 4 { h = if h % 2 == 0 { h // 2 } else { h - 1 } }
    var g = 1
    loop q in s { g = (g * 3) % 17 }
    y = for i in n { y[i] + h * g }
    c += h
  }
  (y, c)
}
export def reach(a: bool[n, n], src: int[s]) -> (far: int[s], total: int) {
  var far: int[s] = zeros(s)
  var total = 0
  loop q in s {
    var dist = for i in n { if i == src[q] { 0 } else { -1 } }
    var front: int[?] = [src[q]]
    var d = 0
    while size(front) > 0 {
      d += 1
      let (f, e) = (front, d)
      dist = for v in n { if dist[v] < 0 and (any for u in f { a[u, v] }) { e } else { dist[v] } }
      front = for v in n if dist[v] == e { v }
    }
    far[q] = max(dist)
    total += sum(dist)
  }
  (far, total)
}
