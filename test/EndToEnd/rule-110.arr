# Rows of a table written in a time loop; a shift by a count that is data.
# RUN: arrc run %s --check 'c0=[0, 0, 0, 1, 0, 0, 1]' steps=4 | FileCheck %s
export def ca(c0: u8[n], steps: int) -> u8[steps, n] {
  var c = c0
  var out: u8[steps, n] = zeros(steps, n)
  loop s in steps {
    out[s] = c
    let e = extend(c, wrap)
    c = for i in n { bitand(shr(u8(110), 4 * e[i-1] + 2 * e[i] + e[i+1]), 1) }
  }
  out
}

# CHECK: out: u8[4, 7] {{\[\[}}0, 0, 0, 1, 0, 0, 1], [0, 0, 1, 1, 0, 1, 1], [0, 1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0, 1{{\]\]}}
