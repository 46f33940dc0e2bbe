# An array that grows and shrinks while the program runs.
# RUN: arrc run %s --check n=30 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check n=2 | FileCheck %s --check-prefix=R2
export def sieve(n: int) -> (primes: int[?], rounds: int) {
  var rest: int[?] = for i in 2:n { i }
  var found: int[?] = zeros(0)
  var rounds = 0
  while size(rest) > 0 {
    let p = rest[0]
    found = concat(found, [p])
    rest = for x in rest if x % p != 0 { x }
    rounds += 1
  }
  (found, rounds)
}

# R1: primes: i64[10] [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
# R1: rounds: i64 10
# R2: primes: i64[0] []
# R2: rounds: i64 0
