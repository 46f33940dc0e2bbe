// RUN: arr-opt %s -arr-evaluate="function=branches args=true;3" -o /dev/null | FileCheck %s --check-prefix=IF
// RUN: arr-opt %s -arr-evaluate="function=loops args=5" -o /dev/null | FileCheck %s --check-prefix=LOOP
// RUN: arr-opt %s -arr-evaluate="function=affine args=7" -o /dev/null | FileCheck %s --check-prefix=AFFINE

func.func private @twice(%x: i64) -> i64 {
  %y = arith.addi %x, %x : i64
  return %y : i64
}

func.func @branches(%c: i1, %x: i64) -> (i64, i64) {
  %a = scf.if %c -> i64 {
    %y = func.call @twice(%x) : (i64) -> i64
    scf.yield %y : i64
  } else {
    scf.yield %x : i64
  }
  %k = arith.index_cast %x : i64 to index
  %s = scf.index_switch %k -> i64
  case 3 { scf.yield %a : i64 }
  default { scf.yield %x : i64 }
  return %a, %s : i64, i64
}
// IF: result 0: i64 6
// IF: result 1: i64 6

func.func @loops(%n: index) -> (i64, i64, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = scf.for %i = %c0 to %n step %c2 iter_args(%a = %zero) -> i64 {
    %k = arith.index_cast %i : index to i64
    %b = arith.addi %a, %k : i64
    scf.yield %b : i64
  }
  %t = arith.constant dense<[1, 0]> : tensor<2xi64>
  %ten = arith.constant 10 : i64
  %w:2 = scf.while (%x = %one, %u = %t) : (i64, tensor<2xi64>) -> (i64, tensor<2xi64>) {
    %go = arith.cmpi slt, %x, %ten : i64
    scf.condition(%go) %x, %u : i64, tensor<2xi64>
  } do {
  ^bb0(%x: i64, %u: tensor<2xi64>):
    %y = arith.addi %x, %x : i64
    %v = tensor.insert %y into %u[%c1] : tensor<2xi64>
    scf.yield %y, %v : i64, tensor<2xi64>
  }
  return %s, %w#0, %w#1 : i64, i64, tensor<2xi64>
}
// LOOP: result 0: i64 6
// LOOP: result 1: i64 16
// LOOP: result 2: i64[2] [1, 16]

func.func @affine(%i: index) -> (index, index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 * 2 - 20)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%a)
  %c = affine.min affine_map<(d0)[s0] -> (d0 mod 4, s0 ceildiv 2)>(%a)[%i]
  return %a, %b, %c : index, index, index
}
// AFFINE: result 0: index -6
// AFFINE: result 1: index -2
// AFFINE: result 2: index 2
