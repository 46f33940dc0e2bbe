export def f(n: int) -> int {
  let mut s = 0
  s += n
  s
}

#| error[E0138]: this is a 'let mut' of Rust
#|  --> let-mut.arr:2:7
#|   |
#| 2 |   let mut s = 0
#|   |       ^^^
#| help: write 'var s = ..'
