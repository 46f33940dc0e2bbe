# What the operators become.
# RUN: arrc build %s --emit=array --no-locations | FileCheck %s

# A product written as an operand is contracted; of two the left one.
# CHECK-LABEL: func.func @contraction(
# CHECK: math.fma %[[A:.*]], %[[B:.*]], %[[C:.*]] : f32
# CHECK: %[[N:.*]] = arith.negf %[[A]]
# CHECK: math.fma %[[N]], %[[B]], %[[C]]
# CHECK: %[[P:.*]] = arith.mulf %[[C]], %[[C]] : f32
# CHECK: math.fma %[[A]], %[[A]], %[[P]]
# CHECK-NOT: fastmath
export def contraction(a: f32, b: f32, c: f32) -> (f32, f32, f32) = (a * b + c, c - a * b, a**2 + c * c)

# Not in f16: every operation rounds.
# CHECK-LABEL: func.func @half(
# CHECK: arith.mulf %{{.*}} : f32
# CHECK: arith.truncf %{{.*}} : f32 to f16
# CHECK: arith.extf %{{.*}} : f16 to f32
# CHECK: arith.addf %{{.*}} : f32
# CHECK-NOT: math.fma
export def half(a: f16, b: f16, c: f16) -> f16 = a * b + c

# CHECK-LABEL: func.func @powers(
# CHECK: %[[S:.*]] = arith.mulf %[[X:.*]], %[[X]]
# CHECK: arith.mulf %[[S]], %[[X]]
# CHECK: arith.mulf %[[T:.*]], %[[T]]
# CHECK: math.powf
export def powers(x: f32) -> (f32, f32, f32) = (x**3, x**4, x**5)

# Unsigned operations for unsigned types.
# CHECK-LABEL: func.func @unsigned(
# CHECK: arith.divui
# CHECK: arith.remui
# CHECK: arith.cmpi ult
# CHECK: arith.uitofp
export def unsigned(a: u8, b: u8) -> (u8, u8, bool, f32) = (a // b, a % b, a < b, f32(a))

# A divisor that is a constant needs no check.
# CHECK-LABEL: func.func @constant_divisor(
# CHECK-NOT: array.check
# CHECK: arith.floordivsi
export def constant_divisor(a: int) -> (int, int) = (a // 3, a % 3)

# CHECK-LABEL: func.func @divisor(
# CHECK: array.check divide %[[OK:.*]], "division by zero"
# CHECK: arith.select %[[OK]]
export def divisor(a: int, b: int) -> int = a // b

# CHECK-LABEL: func.func @fast_(
# CHECK: arith.mulf %{{.*}} fastmath<reassoc,arcp,contract,afn>
@fast
export def fast_(a: f32, b: f32) -> f32 = a * b

# CHECK-LABEL: func.func @unsafe_(
# CHECK-NOT: array.check
# CHECK: array.at %{{.*}} inbounds
@unsafe
export def unsafe_(a: f32[n], i: int) -> f32 = a[i]
