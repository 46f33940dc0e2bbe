# Branches that read neighbours only where they exist.
# RUN: arrc run %s --check 'u0=[[0.0, 4.0, 0.0], [8.0, 0.0, 0.0], [0.0, 0.0, 0.0]]' rounds=1 | FileCheck %s
export def red_black(u0: f32[n, m], rounds: int) -> f32[n, m] where n >= 3, m >= 3 {
  var u = u0
  loop s in 2 * rounds {
    u = for i in n, j in m {
      let edge = i == 0 or j == 0 or i == n - 1 or j == m - 1
      if edge or (i + j + s) % 2 == 0 { u[i, j] } else { 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) }
    }
  }
  u
}

# CHECK: out: f32[3, 3] {{\[\[}}0, 4, 0], [8, 3, 0], [0, 0, 0]]
