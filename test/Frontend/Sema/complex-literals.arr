# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Imaginary numbers where they do not fit, and products that look like them.
def index(a: f32[n], j: int) -> f32 = a[2j]
def fine(x: c64[n]) -> c64[n] = for k in n { sum for j { x[j] * exp(2.0j * pi * j * k / n) } }
def real(x: f32) -> f32 = x * 1j
def order(x: c64) -> bool = x < 1j
def whole(k: int) -> int = k + 1.5j
def beside(x: c64, j: int) -> c64 = x * 2j + j
const turn: c64 = exp(1j)
export def named(n: int) -> (a: c64, b: int) = (turn, n)

# CHECK: error[E0282]: an index is an integer, not a complex literal
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:3:41
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def index(a: f32[n], j: int) -> f32 = a[2j]
# CHECK-NEXT:   |                                         ^^
# CHECK-NEXT: help: '2j' is an imaginary number; a product is written '2*j'

# CHECK: error[E0216]: the result is f32, but this is c64
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:5:27
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def real(x: f32) -> f32 = x * 1j
# CHECK-NEXT:   |                           ^^^^^^
# CHECK-NEXT: help: take 're', 'im' or 'abs'

# CHECK: error[E0234]: '<' is not defined on complex numbers
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:6:31
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def order(x: c64) -> bool = x < 1j
# CHECK-NEXT:   |                               ^

# CHECK: error[E0216]: the result is int, but this is a complex literal
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:7:28
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def whole(k: int) -> int = k + 1.5j
# CHECK-NEXT:   |                            ^^^^^^^^
# CHECK-NEXT: help: take 're', 'im' or 'abs'

# CHECK: warning[W0204]: '2j' is an imaginary number, not a product with 'j'
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:8:41
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def beside(x: c64, j: int) -> c64 = x * 2j + j
# CHECK-NEXT:   |                                         ^^
# CHECK-NEXT: help: the product is '2*j', the number is also '2.0j'

# What uses a constant that is none is not told again.
# CHECK: error[E0250]: 'turn' is not a constant
# CHECK-NEXT:  --> {{.*}}complex-literals.arr:9:19
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | const turn: c64 = exp(1j)
# CHECK-NOT: error
