# All pairs whose outputs are made of their old values, in place: few outputs share their folds among threads.
# RUN: arrc run %s --check n=300 m=131 steps=2
# RUN: arrc run %s --check n=33 m=257 steps=1
# RUN: arrc run %s --check n=1 m=128 steps=3
# RUN: arrc run %s --check n=0 m=128 steps=1
export def push(n: int, m: int, steps: int) -> (v: f64[n]) {
  let x: f64[n] = for i in n { sin(f64(i)) }
  let y: f64[m] = scan((+)) for j in m { uniform(7, j) }
  var v = x
  loop _ in steps {
    let force: f64[n] = for i in n { sum for j in m { (x[i] - y[j]) / (1.0 + abs(x[i] - y[j])) } }
    v = for i in n { v[i] + 0.001 * force[i] }
  }
  v
}
