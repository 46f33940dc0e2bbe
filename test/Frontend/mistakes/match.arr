export def f(n: int) -> int {
  match n {
    0 => 1,
    _ => n,
  }
}

#| error[E0101]: 'match' is reserved and has no meaning
#|  --> match.arr:2:3
#|   |
#| 2 |   match n {
#|   |   ^^^^^
#| help: write 'if' and 'else if'
