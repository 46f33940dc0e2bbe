// RUN: arr-opt %s -arr-evaluate="function=fixed deviations seed=1" -o /dev/null | FileCheck %s --check-prefix=FIXED
// RUN: arr-opt %s -arr-evaluate="function=sum deviations args=[1,2,3,4]" -o /dev/null | FileCheck %s --check-prefix=WHOLE
// RUN: arr-opt %s -arr-evaluate="function=sum deviations args=[0.1,0.2,0.3]" -o /dev/null | FileCheck %s --check-prefix=SUM
// RUN: arr-opt %s -arr-evaluate="function=narrow deviations args=[1.0,2.0,3.0]" -o /dev/null | FileCheck %s --check-prefix=NARROW-WHOLE
// RUN: arr-opt %s -arr-evaluate="function=narrow deviations args=[0.125,-0.006374,0.515]" -o /dev/null | FileCheck %s --check-prefix=NARROW
// RUN: arr-opt %s -arr-evaluate="function=decision deviations args=[0.1,0.2,0.3];0.6" -o /dev/null | FileCheck %s --check-prefix=NEAR
// RUN: arr-opt %s -arr-evaluate="function=decision deviations args=[0.1,0.2,0.3];0.7" -o /dev/null | FileCheck %s --check-prefix=FAR
// RUN: arr-opt %s -arr-evaluate="function=decision deviations args=[0.1,0.2,0.3];0.6 exact" -o /dev/null | FileCheck %s --check-prefix=EXACT

// The language fixes every rounding here.
func.func @fixed(%a: f32, %b: f32) -> f32 {
  %p = arith.mulf %a, %b : f32
  %q = arith.divf %p, %b : f32
  %r = math.sqrt %q : f32
  return %r : f32
}
// FIXED: deviation 0: 0{{$}}

func.func @sum(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%k "k") in (%n) init (%z : f32) {
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  return %s : f32
}
// Every order of small whole numbers gives the same sum.
// WHOLE: result 0: f32 10
// WHOLE: deviation 0: 0{{$}}
// 2 * 3 * 2^-24 * 0.6, and a unit in the last place.
// SUM: result 0: f32 0.6
// SUM: deviation 0: 2.74e-07

// A sum that rounds each addition to f16 is free in its order, too.
func.func @narrow(%a: tensor<?xf16>) -> f16 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf16>
  %z = arith.constant 0.0 : f16
  %s = array.reduce (%k "k") in (%n) init (%z : f16) {
    %x = array.at %a[%k] : tensor<?xf16>
    array.yield %x : f16
  } by (%l: f16, %r: f16) {
    %wl = arith.extf %l : f16 to f32
    %wr = arith.extf %r : f16 to f32
    %w = arith.addf %wl, %wr : f32
    %t = arith.truncf %w : f32 to f16
    array.yield %t : f16
  }
  return %s : f16
}
// NARROW-WHOLE: result 0: f16 6
// NARROW-WHOLE: deviation 0: 0{{$}}
// 2 * 3 * 2^-11 * 0.646, and a unit in the last place.
// NARROW: result 0: f16 0.63
// NARROW: deviation 0: 0.0023

// A comparison inside of the bound may go either way, and then the difference
// of both sides is allowed.
func.func @decision(%a: tensor<?xf32>, %t: f32) -> (f32, i1) {
  %s = func.call @sum(%a) : (tensor<?xf32>) -> f32
  %c = arith.cmpf ogt, %s, %t : f32
  %x = arith.constant 1.0 : f32
  %y = arith.constant 3.0 : f32
  %r = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %r, %c : f32, i1
}
// NEAR: deviation 0: 2{{$}}
// NEAR: deviation 1: inf
// NEAR: rounding decides at {{.*}}deviations.mlir:{{[0-9]+}}:8
// FAR: deviation 0: 0{{$}}
// FAR: deviation 1: 0{{$}}
// FAR-NOT: rounding
// EXACT: result 0: f64
// EXACT: deviation 0: 0{{$}}
