# Numbers that steps keep of their state and no step reads: sums, extrema and their
# places, in order and backwards, two of a step beside each other, of two kernels of a
# step, in loops of loops; and some that a step does read, keeps at times, or over
# others.
# RUN: arrc run %s --check --entry kept n=1 k=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry kept n=300 k=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry kept n=2049 k=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry grid n=33 m=70 k=5 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry loops n=65 k=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry read n=65 k=9 2>&1 | FileCheck %s
# CHECK: check: ok
def start(n: int) -> f32[n] = for i in n { f32((i * 7919) % 1001) / 1001.0 }

def smooth(s: f32[n]) -> f32[n] where n > 0 = for i in n { 0.5 * s[max(i-1, 0)] + 0.5 * s[i] }

export def kept(n: int, k: int) -> (s: f32[n], total: f32[k], most: f32[k], place: int[k], back: f32[k], two: f32[2*k], other: f64[k])
    where n > 0 {
      var s = start(n)
      var r = for i in n { f64(start(n)[i]) }
      var (total, most, back): (f32[k], f32[k], f32[k]) = (zeros(k), zeros(k), zeros(k))
      var place: int[k] = zeros(k)
      var two: f32[2*k] = zeros(2*k)
      var other: f64[k] = zeros(k)
      loop t in k {
        s = smooth(s)
        total[t] = sum(s) * f32(t + 1)
        most[t] = max(s)
        place[t] = argmax(s)
        back[k-1-t] = min(s)
        two[2*t] = sum(for i in n { s[i] * s[i] })
        two[2*t+1] = f32(count for i in n { s[i] > 0.5 })
        r = for i in n { 0.5 * r[min(i+1, n-1)] + 0.25 * f64(s[n-1-i]) }
        other[t] = sum(r)
      }
      (s, total, most, place, back, two, other)
    }

export def grid(n: int, m: int, k: int) -> (u: f32[n, m], change: f32[k+1], rows: f32[k, n]) where n > 0, m > 0 {
  var u = for i in n, j in m { f32((i * 31 + j * 17) % 64) / 64.0 }
  var change: f32[k+1] = zeros(k+1)
  var rows: f32[k, n] = zeros(k, n)
  loop t in k {
    let v = for i in n, j in m { 0.25 * (u[max(i-1, 0), j] + u[min(i+1, n-1), j] + u[i, max(j-1, 0)] + u[i, min(j+1, m-1)]) }
    change[t+1] = max for i in n, j in m { abs(v[i, j] - u[i, j]) }
    rows[t] = for i in n { sum(v[i]) }
    u = v
  }
  (u, change, rows)
}

export def loops(n: int, k: int) -> (s: f32[n], each: f32[3, k], last: f32[k]) where n > 0 {
  var s = start(n)
  var each: f32[3, k] = zeros(3, k)
  var last: f32[k] = zeros(k)
  loop u in 3 {
    loop t in 1:k {
      s = smooth(s)
      each[u, t] = sum(s)
      last[t] = max(s) + f32(u)
    }
    s = 0.5 * s
  }
  (s, each, last)
}

export def read(n: int, k: int) -> (s: f32[n], before: f32[k], used: f32[k], at_times: f32[k], over: f32[4], twice: f32[k+1]) where n > 0 {
  var s = start(n)
  var (before, used, at_times): (f32[k], f32[k], f32[k]) = (zeros(k), zeros(k), zeros(k))
  var over: f32[4] = zeros(4)
  var twice: f32[k+1] = zeros(k+1)
  loop t in k {
    s = smooth(s)
    before[t] = sum(s) + (if t > 0 { 0.5 * before[t-1] } else { 0.0 })
    let mean = sum(s) / f32(n)
    used[t] = mean
    s = s - 0.125 * mean
    if t % 3 == 1 { at_times[t] = max(s) }
    over[t % 4] = min(s)
    twice[t] = sum(s)
    twice[t+1] = max(s)
  }
  (s, before, used, at_times, over, twice)
}
