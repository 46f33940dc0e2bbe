// RUN: arr-opt %s -arr-evaluate="function=floats" -o /dev/null | FileCheck %s --check-prefix=FLOAT
// RUN: arr-opt %s -arr-evaluate="function=bits" -o /dev/null | FileCheck %s --check-prefix=BITS
// RUN: arr-opt %s -arr-evaluate="function=rounding" -o /dev/null | FileCheck %s --check-prefix=ROUND
// RUN: arr-opt %s -arr-evaluate="function=complex" -o /dev/null | FileCheck %s --check-prefix=COMPLEX

// fma rounds once: the product of 1 + u and 1 - u loses nothing.
func.func @floats() -> (f32, f32, f32, f32, f64, f32) {
  %a = arith.constant 1.00000012 : f32
  %b = arith.constant 0.999999881 : f32
  %m = arith.constant -1.0 : f32
  %f = math.fma %a, %b, %m : f32
  %p = arith.mulf %a, %b : f32
  %q = arith.addf %p, %m : f32
  %two = arith.constant 2.0 : f32
  %r = math.sqrt %two : f32
  %e = math.exp %two : f32
  %d = arith.constant 2.0 : f64
  %l = math.log %d : f64
  %at = math.atan2 %m, %two : f32
  return %f, %q, %r, %e, %l, %at : f32, f32, f32, f32, f64, f32
}
// FLOAT: result 0: f32 -1.4210855e-14
// FLOAT: result 1: f32 0
// FLOAT: result 2: f32 1.4142135
// FLOAT: result 3: f32 7.389056
// FLOAT: result 4: f64 0.6931471805599453
// FLOAT: result 5: f32 -0.4636476

func.func @bits() -> (i8, i8, i32, i32, i32) {
  %a = arith.constant -1 : i8
  %p = math.ctpop %a : i8
  %b = arith.constant 1 : i8
  %l = math.ctlz %b : i8
  %z = arith.constant 0 : i32
  %t = math.cttz %z : i32
  %x = arith.constant 3 : i32
  %n = arith.constant 5 : i32
  %w = math.ipowi %x, %n : i32
  %least = arith.constant -2147483648 : i32
  %abs = math.absi %least : i32
  return %p, %l, %t, %w, %abs : i8, i8, i32, i32, i32
}
// BITS: result 0: i8 8
// BITS: result 1: i8 7
// BITS: result 2: i32 32
// BITS: result 3: i32 243
// BITS: result 4: i32 -2147483648

func.func @rounding() -> (f32, f32, f32, f32, f32, f32) {
  %a = arith.constant 2.5 : f32
  %b = arith.constant -2.5 : f32
  %e = math.roundeven %a : f32
  %r = math.round %a : f32
  %f = math.floor %b : f32
  %c = math.ceil %b : f32
  %t = math.trunc %b : f32
  %s = math.copysign %a, %b : f32
  return %e, %r, %f, %c, %t, %s : f32, f32, f32, f32, f32, f32
}
// ROUND: result 0: f32 2
// ROUND: result 1: f32 3
// ROUND: result 2: f32 -3
// ROUND: result 3: f32 -2
// ROUND: result 4: f32 -2
// ROUND: result 5: f32 -2.5

func.func @complex() -> (complex<f32>, complex<f32>, f32, complex<f64>, i1) {
  %a = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %b = complex.constant [2.0 : f32, 2.0 : f32] : complex<f32>
  %m = complex.mul %a, %b : complex<f32>
  %d = complex.div %m, %b : complex<f32>
  %x = arith.constant 3.0 : f32
  %y = arith.constant 4.0 : f32
  %c = complex.create %x, %y : complex<f32>
  %n = complex.abs %c : complex<f32>
  %e = complex.constant [-1.0, 0.0] : complex<f64>
  %s = complex.sqrt %e : complex<f64>
  %q = complex.eq %a, %d : complex<f32>
  return %m, %d, %n, %s, %q : complex<f32>, complex<f32>, f32, complex<f64>, i1
}
// COMPLEX: result 0: c64 (-2, 6)
// COMPLEX: result 1: c64 (1, 2)
// COMPLEX: result 2: f32 5
// COMPLEX: result 3: c128 (0, 1)
// COMPLEX: result 4: bool true
