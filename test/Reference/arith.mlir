// RUN: arr-opt %s -arr-evaluate="function=integers" -o /dev/null | FileCheck %s --check-prefix=INT
// RUN: arr-opt %s -arr-evaluate="function=divisions" -o /dev/null | FileCheck %s --check-prefix=DIV
// RUN: arr-opt %s -arr-evaluate="function=unsigned_i8" -o /dev/null | FileCheck %s --check-prefix=UNS
// RUN: arr-opt %s -arr-evaluate="function=extended" -o /dev/null | FileCheck %s --check-prefix=EXT
// RUN: arr-opt %s -arr-evaluate="function=minmax" -o /dev/null | FileCheck %s --check-prefix=MINMAX
// RUN: arr-opt %s -arr-evaluate="function=conversions" -o /dev/null | FileCheck %s --check-prefix=CONV
// RUN: arr-opt %s -arr-evaluate="function=halves" -o /dev/null | FileCheck %s --check-prefix=HALF
// RUN: arr-opt %s -arr-evaluate="function=elementwise" -o /dev/null | FileCheck %s --check-prefix=ELEM

// Integers wrap; shifts are those of an infinitely wide number.
func.func @integers() -> (i8, i32, i32, i8, i1) {
  %a = arith.constant 100 : i8
  %b = arith.addi %a, %a : i8
  %c = arith.constant 2147483647 : i32
  %d = arith.muli %c, %c : i32
  %e = arith.constant 40 : i32
  %f = arith.shrsi %c, %e : i32
  %h = arith.constant -128 : i8
  %z = arith.constant 0 : i8
  %i = arith.subi %z, %h : i8
  %t = arith.constant true
  %x = arith.addi %t, %t : i1
  return %b, %d, %f, %i, %x : i8, i32, i32, i8, i1
}
// INT: result 0: i8 -56
// INT: result 1: i32 1
// INT: result 2: i32 0
// INT: result 3: i8 -128
// INT: result 4: bool false

func.func @divisions() -> (i64, i64, i64, i64, i64, i32) {
  %a = arith.constant -7 : i64
  %b = arith.constant 2 : i64
  %least = arith.constant -9223372036854775808 : i64
  %m = arith.constant -1 : i64
  %q = arith.divsi %a, %b : i64
  %f = arith.floordivsi %a, %b : i64
  %c = arith.ceildivsi %a, %b : i64
  %r = arith.remsi %a, %b : i64
  %w = arith.floordivsi %least, %m : i64
  %u = arith.constant -1 : i32
  %v = arith.constant 16 : i32
  %x = arith.divui %u, %v : i32
  return %q, %f, %c, %r, %w, %x : i64, i64, i64, i64, i64, i32
}
// DIV: result 0: i64 -3
// DIV: result 1: i64 -4
// DIV: result 2: i64 -3
// DIV: result 3: i64 -1
// DIV: result 4: i64 -9223372036854775808
// DIV: result 5: i32 268435455

func.func @unsigned_i8() -> (i1, i1, i8, i32, f32, i8) {
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %s = arith.cmpi slt, %a, %b : i8
  %u = arith.cmpi ult, %a, %b : i8
  %m = arith.maxui %a, %b : i8
  %e = arith.extui %a : i8 to i32
  %f = arith.uitofp %a : i8 to f32
  %c4 = arith.constant 4 : i8
  %h = arith.shrui %a, %c4 : i8
  return %s, %u, %m, %e, %f, %h : i1, i1, i8, i32, f32, i8
}
// UNS: result 0: bool true
// UNS: result 1: bool false
// UNS: result 2: i8 -1
// UNS: result 3: i32 255
// UNS: result 4: f32 255
// UNS: result 5: i8 15

func.func @extended() -> (i32, i32, i32, i1) {
  %a = arith.constant -766435501 : i32
  %b = arith.constant -1 : i32
  %lo, %hi = arith.mului_extended %a, %b : i32
  %s, %c = arith.addui_extended %a, %b : i32, i1
  return %lo, %hi, %s, %c : i32, i32, i32, i1
}
// EXT: result 0: i32 766435501
// EXT: result 1: i32 -766435502
// EXT: result 2: i32 -766435502
// EXT: result 3: bool true

// NaN wins in minimum and loses in minnum; -0 is less than 0.
func.func @minmax() -> (f32, f32, f32, f32, f32, i1, i1) {
  %nan = arith.constant 0x7FC00000 : f32
  %x = arith.constant 1.0 : f32
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %a = arith.minimumf %nan, %x : f32
  %b = arith.minnumf %nan, %x : f32
  %c = arith.minimumf %p, %n : f32
  %d = arith.maximumf %n, %p : f32
  %e = arith.maximumf %x, %nan : f32
  %o = arith.cmpf olt, %nan, %x : f32
  %u = arith.cmpf une, %nan, %x : f32
  return %a, %b, %c, %d, %e, %o, %u : f32, f32, f32, f32, f32, i1, i1
}
// MINMAX: result 0: f32 nan
// MINMAX: result 1: f32 1
// MINMAX: result 2: f32 -0
// MINMAX: result 3: f32 0
// MINMAX: result 4: f32 nan
// MINMAX: result 5: bool false
// MINMAX: result 6: bool true

// Out of range saturates and NaN is 0; i64 to f32 rounds once.
func.func @conversions() -> (i32, i32, i8, i64, f32, f32, i32) {
  %big = arith.constant 1.0e20 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %m = arith.constant -1.9 : f32
  %a = arith.fptosi %big : f32 to i32
  %b = arith.fptosi %nan : f32 to i32
  %c = arith.fptosi %m : f32 to i8
  %d = arith.fptoui %m : f32 to i64
  %i = arith.constant 9007199791611905 : i64
  %e = arith.sitofp %i : i64 to f32
  %f = arith.constant 1.0e39 : f64
  %g = arith.truncf %f : f64 to f32
  %h = arith.bitcast %m : f32 to i32
  return %a, %b, %c, %d, %e, %g, %h : i32, i32, i8, i64, f32, f32, i32
}
// CONV: result 0: i32 2147483647
// CONV: result 1: i32 0
// CONV: result 2: i8 -1
// CONV: result 3: i64 0
// CONV: result 4: f32 9007200328482816
// CONV: result 5: f32 inf
// CONV: result 6: i32 -1074580685

// Each operation rounds to its type.
func.func @halves() -> (f16, bf16, f16, f16) {
  %a = arith.constant 2048.0 : f16
  %b = arith.constant 1.0 : f16
  %s = arith.addf %a, %b : f16
  %c = arith.constant 256.0 : bf16
  %d = arith.constant 1.0 : bf16
  %t = arith.addf %c, %d : bf16
  %e = arith.constant 65504.0 : f16
  %o = arith.addf %e, %e : f16
  %f = arith.constant 6.0e-8 : f16
  %two = arith.constant 4.0 : f16
  %g = arith.divf %f, %two : f16
  return %s, %t, %o, %g : f16, bf16, f16, f16
}
// HALF: result 0: f16 2048
// HALF: result 1: bf16 256
// HALF: result 2: f16 inf
// HALF: result 3: f16 0

func.func @elementwise() -> tensor<3xf32> {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = arith.addf %a, %a : tensor<3xf32>
  return %b : tensor<3xf32>
}
// ELEM: result 0: f32[3] [2, 4, 6]
