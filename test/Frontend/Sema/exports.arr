# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Exports and attributes.
export def no_result(a: f32) = a
export def generic[T: num](a: T) -> T = a
export def takes_function(f: fn(f32) -> f32) -> f32 = f(1.0)
export def ragged(n: int) -> int[n, 2, ?] = for i in n, k in 2 { for j in i { j } }
export def same_name(t: f32) -> (u: f32, u: f32) = (t, t)
export def unknown(a: f32[n]) -> f32[n] = @tiel(32) for i { a[i] }
@tile(2)
export def on_def(a: f32[n]) -> f32[n] = a
export def count_of(a: f32[n]) -> f32[n] = @tile(32, 8) for i { a[i] }
export def not_constant(a: f32[n]) -> f32[n] = @tile(n) for i { a[i] }
export def zero_unroll(n: int) -> int {
  var s = 0
  @unroll(0) loop k in n { s += k }
  s
}
export def on_assignment(n: int) -> int {
  var s = 0
  @seq s = n
  s
}
export def no_such_index(a: f32[n, m]) -> f32[n, m] = @split(2) for i, j { a[i, j] }
export def one_index(a: f32[n]) -> f32[n] = @split(-1) for i { a[i] }
export def no_number(a: f32[n]) -> f32[n] = @split(n) for i { a[i] }


# CHECK: error[E0360]: the export 'no_result' does not declare its result
# CHECK-NEXT:  --> {{.*}}exports.arr:3:12
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | export def no_result(a: f32) = a
# CHECK-NEXT:   |            ^^^^^^^^^
# CHECK-NEXT: help: declare it after '->'

# CHECK: error[E0361]: the export 'generic' cannot be generic
# CHECK-NEXT:  --> {{.*}}exports.arr:4:12
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | export def generic[T: num](a: T) -> T = a
# CHECK-NEXT:   |            ^^^^^^^

# CHECK: error[E0362]: an export takes no functions
# CHECK-NEXT:  --> {{.*}}exports.arr:5:30
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | export def takes_function(f: fn(f32) -> f32) -> f32 = f(1.0)
# CHECK-NEXT:   |                              ^^^^^^^^^^^^^^

# CHECK: error[E0363]: a result of an export cannot be int[n, 2, ?]
# CHECK-NEXT:  --> {{.*}}exports.arr:6:30
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | export def ragged(n: int) -> int[n, 2, ?] = for i in n, k in 2 { for j in i { j } }
# CHECK-NEXT:   |                              ^^^^^^^^^^^^

# CHECK: error[E0364]: 'u' is the name of another result
# CHECK-NEXT:  --> {{.*}}exports.arr:7:42
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | export def same_name(t: f32) -> (u: f32, u: f32) = (t, t)
# CHECK-NEXT:   |                                  - the other result
# CHECK-NEXT:   |                                          ^

# CHECK: error[E0370]: there is no attribute '@tiel'
# CHECK-NEXT:  --> {{.*}}exports.arr:8:43
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | export def unknown(a: f32[n]) -> f32[n] = @tiel(32) for i { a[i] }
# CHECK-NEXT:   |                                           ^^^^^^^^^
# CHECK-NEXT: help: did you mean '@tile'?

# CHECK: error[E0371]: '@tile' cannot stand before a 'def'
# CHECK-NEXT:  --> {{.*}}exports.arr:9:1
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | @tile(2)
# CHECK-NEXT:   | ^^^^^^^^
# CHECK-NEXT: help: it stands before a 'for'

# CHECK: error[E0372]: '@tile' here takes 1 argument(s), not 2
# CHECK-NEXT:   --> {{.*}}exports.arr:11:44
# CHECK-NEXT:    |
# CHECK-NEXT: 11 | export def count_of(a: f32[n]) -> f32[n] = @tile(32, 8) for i { a[i] }
# CHECK-NEXT:    |                                            ^^^^^^^^^^^^

# CHECK: error[E0373]: the arguments of '@tile' are positive constants
# CHECK-NEXT:   --> {{.*}}exports.arr:12:54
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | export def not_constant(a: f32[n]) -> f32[n] = @tile(n) for i { a[i] }
# CHECK-NEXT:    |                                                      ^

# CHECK: error[E0373]: the arguments of '@unroll' are positive constants
# CHECK-NEXT:   --> {{.*}}exports.arr:15:11
# CHECK-NEXT:    |
# CHECK-NEXT: 15 |   @unroll(0) loop k in n { s += k }
# CHECK-NEXT:    |           ^

# CHECK: error[E0371]: '@seq' cannot stand before an assignment
# CHECK-NEXT:   --> {{.*}}exports.arr:20:3
# CHECK-NEXT:    |
# CHECK-NEXT: 20 |   @seq s = n
# CHECK-NEXT:    |   ^^^^
# CHECK-NEXT: help: it stands before a 'for' or a 'loop'

# CHECK: error[E0374]: '@split' has no index 2 to cut along: this 'for' has indices 0 to 1
# CHECK-NEXT:   --> {{.*}}exports.arr:23:62
# CHECK-NEXT:    |
# CHECK-NEXT: 23 | export def no_such_index(a: f32[n, m]) -> f32[n, m] = @split(2) for i, j { a[i, j] }
# CHECK-NEXT:    |                                                              ^

# CHECK: error[E0374]: '@split' has no index -1 to cut along: this 'for' has index 0 alone
# CHECK-NEXT:   --> {{.*}}exports.arr:24:52
# CHECK-NEXT:    |
# CHECK-NEXT: 24 | export def one_index(a: f32[n]) -> f32[n] = @split(-1) for i { a[i] }
# CHECK-NEXT:    |                                                    ^^

# CHECK: error[E0373]: the arguments of '@split' are positive constants
# CHECK-NEXT:   --> {{.*}}exports.arr:25:52
# CHECK-NEXT:    |
# CHECK-NEXT: 25 | export def no_number(a: f32[n]) -> f32[n] = @split(n) for i { a[i] }
# CHECK-NEXT:    |                                                    ^
