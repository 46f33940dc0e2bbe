// Sums of columns, with as many rows as need chunks, tails and single rows,
// agree with the evaluator; numbers are small integers, so that they are exact.
// RUN: arrc run %s n=259 m=259 --check 2>&1 | FileCheck %s
// RUN: arrc run %s n=1024 m=256 --check 2>&1 | FileCheck %s
// RUN: arrc run %s n=300 m=7 --check 2>&1 | FileCheck %s
// RUN: arrc run %s n=0 m=300 --check 2>&1 | FileCheck %s
// CHECK: check: ok

func.func @f(%n0: i64, %m0: i64) -> tensor<?xf64> attributes {arrc.export,
    arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []},
                   {name = "m", element = "i64", rank = 0 : i64, type = "int", dims = []}],
    arrc.results = [{name = "r", element = "f64", rank = 1 : i64, type = "f64[m]", dims = ["m"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %m = arith.index_cast %m0 : i64 to index
  %z = arith.constant 0.0 : f64
  %c7 = arith.constant 7 : i64
  %c3 = arith.constant 3 : i64
  %a = array.map (%i "i", %j "j") in (%n, %m) {
    %p = arith.index_cast %i : index to i64
    %q = arith.index_cast %j : index to i64
    %s = arith.muli %p, %c3 : i64
    %t = arith.addi %s, %q : i64
    %r = arith.remsi %t, %c7 : i64
    %f = arith.sitofp %r : i64 to f64
    array.yield %f : f64
  } : tensor<?x?xf64>
  // Used twice, so that it is an array.
  %s = array.reduce (%i "i", %j "j") in (%n, %m) init (%z : f64) {
    %u = array.at %a[%i, %j] inbounds : tensor<?x?xf64>
    array.yield %u : f64
  } by arith.addf
  %r = array.map (%j "j") in (%m) {
    %c = array.reduce (%i "i") in (%n) init (%z : f64) {
      %u = array.at %a[%i, %j] inbounds : tensor<?x?xf64>
      array.yield %u : f64
    } by arith.addf
    %d = arith.subf %c, %s : f64
    array.yield %d : f64
  } : tensor<?xf64>
  return %r : tensor<?xf64>
}
