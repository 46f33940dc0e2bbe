// RUN: arr-opt %s -arr-evaluate="function=maps args=3;2" -o /dev/null | FileCheck %s --check-prefix=MAP
// RUN: arr-opt %s -arr-evaluate="function=maps args=0;2" -o /dev/null | FileCheck %s --check-prefix=NOMAP
// RUN: arr-opt %s -arr-evaluate="function=boundaries args=[10,20,30]" -o /dev/null | FileCheck %s --check-prefix=EDGE
// RUN: arr-opt %s -arr-evaluate="function=corner args=[[1,2],[3,4]]" -o /dev/null | FileCheck %s --check-prefix=CORNER
// RUN: arr-opt %s -arr-evaluate="function=views args=[[1,2,3],[4,5,6]]" -o /dev/null | FileCheck %s --check-prefix=VIEW
// RUN: arr-opt %s -arr-evaluate="function=folds args=[1,2,3,4]" -o /dev/null | FileCheck %s --check-prefix=FOLD
// RUN: arr-opt %s -arr-evaluate="function=folds args=[]" -o /dev/null | FileCheck %s --check-prefix=NOFOLD
// RUN: arr-opt %s -arr-evaluate="function=scans args=[1,2,3,4]" -o /dev/null | FileCheck %s --check-prefix=SCAN
// RUN: arr-opt %s -arr-evaluate="function=scatters args=[0,2,2,5,-1]" -o /dev/null | FileCheck %s --check-prefix=SCATTER
// RUN: arr-opt %s -arr-evaluate="function=nested args=[[1,2],[3,4]];[[5,6],[7,8]]" -o /dev/null | FileCheck %s --check-prefix=NEST
// RUN: arr-opt %s -arr-evaluate="function=sorts args=[[3,1,2],[5,5,4]]" -o /dev/null | FileCheck %s --check-prefix=SORT

func.func @maps(%n: index, %m: index) -> (tensor<?x?xi64>, tensor<?xi1>, tensor<?x2xi64>) {
  %one = arith.constant 1 : i64
  %a = array.map (%i "i", %j "j") in (%n, %m) {
    %k = arith.muli %i, %m : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i64
    array.yield %v : i64
  } : tensor<?x?xi64>
  %b, %c = array.map (%i "i") in (%n) {
    %v = arith.index_cast %i : index to i64
    %t = arith.cmpi eq, %v, %one : i64
    %p = tensor.from_elements %v, %one : tensor<2xi64>
    array.yield %t, %p : i1, tensor<2xi64>
  } : tensor<?xi1>, tensor<?x2xi64>
  return %a, %b, %c : tensor<?x?xi64>, tensor<?xi1>, tensor<?x2xi64>
}
// MAP: result 0: i64[3, 2] {{\[}}[0, 1], [2, 3], [4, 5]]
// MAP: result 1: bool[3] [false, true, false]
// MAP: result 2: i64[3, 2] {{\[}}[0, 1], [1, 1], [2, 1]]
// NOMAP: result 0: i64[0, 2] []
// NOMAP: result 1: bool[0] []
// NOMAP: result 2: i64[0, 2] []

// Every mode, read at -4 .. 6 of an array of three.
func.func @boundaries(%a: tensor<?xi64>) -> (tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>) {
  %c = arith.constant -1 : i64
  %u0 = array.extend %a [clamp] : tensor<?xi64>
  %u1 = array.extend %a [wrap] : tensor<?xi64>
  %u2 = array.extend %a [mirror] : tensor<?xi64>
  %u3 = array.extend %a [reflect] : tensor<?xi64>
  %u4 = array.extend %a [fill %c] : tensor<?xi64>
  %r:5 = array.map (%i "i") in (11) {
    %k = affine.apply affine_map<(d0) -> (d0 - 4)>(%i)
    %v0 = array.at %u0[%k] : tensor<?xi64>
    %v1 = array.at %u1[%k] : tensor<?xi64>
    %v2 = array.at %u2[%k] : tensor<?xi64>
    %v3 = array.at %u3[%k] : tensor<?xi64>
    %v4 = array.at %u4[%k] : tensor<?xi64>
    array.yield %v0, %v1, %v2, %v3, %v4 : i64, i64, i64, i64, i64
  } : tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>
}
// EDGE: result 0: i64[11] [10, 10, 10, 10, 10, 20, 30, 30, 30, 30, 30]
// EDGE: result 1: i64[11] [30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10]
// EDGE: result 2: i64[11] [30, 30, 20, 10, 10, 20, 30, 30, 20, 10, 10]
// EDGE: result 3: i64[11] [10, 20, 30, 20, 10, 20, 30, 20, 10, 20, 30]
// EDGE: result 4: i64[11] [-1, -1, -1, -1, 10, 20, 30, -1, -1, -1, -1]

// The value of the first dimension that is outside counts.
func.func @corner(%a: tensor<?x?xi64>) -> (i64, i64, i64, i64) {
  %x = arith.constant -1 : i64
  %y = arith.constant -2 : i64
  %m = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %u = array.extend %a [fill %x, fill %y] : tensor<?x?xi64>
  %p = array.at %u[%m, %m] : tensor<?x?xi64>
  %q = array.at %u[%c0, %m] : tensor<?x?xi64>
  %w = array.extend %a [clamp, fill %y] : tensor<?x?xi64>
  %r = array.at %w[%m, %m] : tensor<?x?xi64>
  %s = array.at %w[%m, %c0] : tensor<?x?xi64>
  return %p, %q, %r, %s : i64, i64, i64, i64
}
// CORNER: result 0: i64 -1
// CORNER: result 1: i64 -2
// CORNER: result 2: i64 -2
// CORNER: result 3: i64 1

func.func @views(%a: tensor<?x?xi64>) -> (tensor<?x?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<2x?xi64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xi64>
  %m = tensor.dim %a, %c1 : tensor<?x?xi64>
  %t = array.view %a (d0, d1) -> (d1, d0) [] in (%m, %n) : tensor<?x?xi64> to tensor<?x?xi64>
  %row = array.view %a (d0)[s0] -> (s0, d0) [%c1] in (%m) : tensor<?x?xi64> to tensor<?xi64>
  %rev = array.view %row (d0)[s0] -> (s0 - d0 - 1) [%m] in (%m) : tensor<?xi64> to tensor<?xi64>
  %b = array.view %row (d0, d1) -> (d1) [] in (2, %m) : tensor<?xi64> to tensor<2x?xi64>
  %u = array.extend %a [none, wrap] : tensor<?x?xi64>
  %urow = array.view %u (d0)[s0] -> (s0, d0 - 1) [%c0] in (%m) : tensor<?x?xi64> to tensor<?xi64>
  %x = array.at %urow[%c0] : tensor<?xi64>
  return %t, %row, %rev, %b, %x : tensor<?x?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<2x?xi64>, i64
}
// VIEW: result 0: i64[3, 2] {{\[}}[1, 4], [2, 5], [3, 6]]
// VIEW: result 1: i64[3] [4, 5, 6]
// VIEW: result 2: i64[3] [6, 5, 4]
// VIEW: result 3: i64[2, 3] {{\[}}[4, 5, 6], [4, 5, 6]]
// VIEW: result 4: i64 3

func.func @folds(%a: tensor<?xi64>) -> (i64, i64, i64, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi64>
  %zero = arith.constant 0 : i64
  %least = arith.constant -9223372036854775808 : i64
  %zz = arith.constant dense<0> : tensor<2xi64>
  %s, %m = array.reduce (%k "k") in (%n) init (%zero, %least : i64, i64) {
    %x = array.at %a[%k] : tensor<?xi64>
    array.yield %x, %x : i64, i64
  } by arith.addi, arith.maxsi
  // Digits, in order: does not commute.
  %d = array.reduce (%k "k") in (%n) init (%zero : i64) {
    %x = array.at %a[%k] : tensor<?xi64>
    array.yield %x : i64
  } by (%p: i64, %q: i64) {
    %ten = arith.constant 10 : i64
    %t = arith.muli %p, %ten : i64
    %r = arith.addi %t, %q : i64
    array.yield %r : i64
  }
  %v = array.reduce (%k "k") in (%n) init (%zz : tensor<2xi64>) {
    %x = array.at %a[%k] : tensor<?xi64>
    %y = arith.muli %x, %x : i64
    %w = tensor.from_elements %x, %y : tensor<2xi64>
    array.yield %w : tensor<2xi64>
  } by arith.addi
  return %s, %m, %d, %v : i64, i64, i64, tensor<2xi64>
}
// FOLD: result 0: i64 10
// FOLD: result 1: i64 4
// FOLD: result 2: i64 1234
// FOLD: result 3: i64[2] [10, 30]
// NOFOLD: result 0: i64 0
// NOFOLD: result 1: i64 -9223372036854775808
// NOFOLD: result 2: i64 0
// NOFOLD: result 3: i64[2] [0, 0]

func.func @scans(%a: tensor<?xi64>) -> (tensor<?xi64>, i64, tensor<?xi64>, i64) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi64>
  %zero = arith.constant 0 : i64
  %p, %t = array.scan (%i "i") in (%n) init (%zero : i64) {
    %x = array.at %a[%i] : tensor<?xi64>
    array.yield %x : i64
  } by arith.addi
  %q, %u = array.scan (%i "i") in (%n) init (%zero : i64) exclusive {
    %x = array.at %a[%i] : tensor<?xi64>
    array.yield %x : i64
  } by arith.addi
  return %p, %t, %q, %u : tensor<?xi64>, i64, tensor<?xi64>, i64
}
// SCAN: result 0: i64[4] [1, 3, 6, 10]
// SCAN: result 1: i64 10
// SCAN: result 2: i64[4] [0, 1, 3, 6]
// SCAN: result 3: i64 10

func.func @scatters(%a: tensor<?xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi64>
  %one = arith.constant 1 : i64
  %z = arith.constant dense<0> : tensor<4xi64>
  %d = array.scatter (%i "i") in (%n) into (%z : tensor<4xi64>) {
    %b = array.at %a[%i] : tensor<?xi64>
    %k = arith.index_cast %b : i64 to index
    array.yield %one : i64 at [%k]
  } by arith.addi oob drop
  %c = array.scatter (%i "i") in (%n) into (%z : tensor<4xi64>) {
    %b = array.at %a[%i] : tensor<?xi64>
    %k = arith.index_cast %b : i64 to index
    array.yield %one : i64 at [%k]
  } by arith.addi oob clamp
  return %d, %c : tensor<4xi64>, tensor<4xi64>
}
// SCATTER: result 0: i64[4] [1, 0, 2, 0]
// SCATTER: result 1: i64[4] [2, 0, 2, 1]

// A matrix product: a reduction inside of a map.
func.func @nested(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %l = tensor.dim %a, %c1 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %c = array.map (%i "i", %j "j") in (%n, %m) {
    %s = array.reduce (%k "k") in (%l) init (%z : f32) {
      %x = array.at %a[%i, %k] : tensor<?x?xf32>
      %y = array.at %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y fastmath<contract> : f32
      array.yield %p : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
// NEST: result 0: f32[2, 2] {{\[}}[19, 22], [43, 50]]

func.func @sorts(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %p = array.map (%i "i", %j "j") in (%n, 3) {
    %v = arith.index_cast %j : index to i64
    array.yield %v : i64
  } : tensor<?x3xi64>
  %f = array.fence %x : tensor<?x3xf32>
  %s:2 = array.sort %f, %p : tensor<?x3xf32>, tensor<?x3xi64>
  return %s#0, %s#1 : tensor<?x3xf32>, tensor<?x3xi64>
}
// SORT: result 0: f32[2, 3] {{\[}}[1, 2, 3], [4, 5, 5]]
// SORT: result 1: i64[2, 3] {{\[}}[1, 2, 0], [2, 0, 1]]
