# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Names of other languages have a message that names ours.
def shape(a: f32[n]) -> int = a.shape
def method(a: f32[n]) -> f32 = a.sum()
def transposed(a: f32[n, n]) -> f32[n, n] = a.T
def length(a: f32[n]) -> int = len(a)
def power(a: f32) -> f32 = pow(a, 2.0)
def truth() -> bool = True
def sums(n: int) -> f32[n] = cumsum(linspace(0, 1, n))


# CHECK: error[E0227]: f32[n] has no field 'shape'
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:3:33
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def shape(a: f32[n]) -> int = a.shape
# CHECK-NEXT:   |                                 ^^^^^ only structs and arrays of structs have fields
# CHECK-NEXT: help: write 'size(a)', or 'size(a, k)' for dimension k

# CHECK: error[E0227]: f32[n] has no field 'sum'
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:4:34
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def method(a: f32[n]) -> f32 = a.sum()
# CHECK-NEXT:   |                                  ^^^ only structs and arrays of structs have fields
# CHECK-NEXT: help: there are no methods: write 'sum(..)'

# CHECK: error[E0227]: f32[n, n] has no field 'T'
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:5:47
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def transposed(a: f32[n, n]) -> f32[n, n] = a.T
# CHECK-NEXT:   |                                               ^ only structs and arrays of structs have fields
# CHECK-NEXT: help: write 'transpose(a)'

# CHECK: error[E0200]: 'len' is not declared
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:6:32
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def length(a: f32[n]) -> int = len(a)
# CHECK-NEXT:   |                                ^^^
# CHECK-NEXT: help: write 'size(a)', or 'size(a, k)' for dimension k

# CHECK: error[E0200]: 'pow' is not declared
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:7:28
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def power(a: f32) -> f32 = pow(a, 2.0)
# CHECK-NEXT:   |                            ^^^
# CHECK-NEXT: help: write 'x ** y'

# CHECK: error[E0200]: 'True' is not declared
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:8:23
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def truth() -> bool = True
# CHECK-NEXT:   |                       ^^^^
# CHECK-NEXT: help: write 'true'

# CHECK: error[E0200]: 'cumsum' is not declared
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:9:30
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def sums(n: int) -> f32[n] = cumsum(linspace(0, 1, n))
# CHECK-NEXT:   |                              ^^^^^^
# CHECK-NEXT: help: write 'scan((+), a)'

# CHECK: error[E0200]: 'linspace' is not declared
# CHECK-NEXT:  --> {{.*}}foreign-names.arr:9:37
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def sums(n: int) -> f32[n] = cumsum(linspace(0, 1, n))
# CHECK-NEXT:   |                                     ^^^^^^^^
# CHECK-NEXT: help: write 'arrays.linspace(0, 1, n)' after 'import "std/arrays.arr"'; or write 'for i in n { lo + (hi - lo) * i / (n - 1) }'
# CHECK-NOT: {{error.*}}
