// RUN: arr-opt %s --arr-transpose-reductions --remarks-filter=transpose-reductions --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK: the intermediate reductions are needed by themselves, and this one takes them in another order than they are made in: a kernel of its own reads them; fold both axes at once to save the array
func.func @split(%n: index, %m: index, %k: index, %a: tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %z = arith.constant 0.0 : f32
  %s = array.map (%i, %j) in (%n, %m) {
    %t = array.reduce (%l) in (%k) init (%z : f32) {
      %x = array.at %a[%i, %j, %l] inbounds : tensor<?x?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %t : f32
  } : tensor<?x?xf32>
  %r = array.map (%j) in (%m) {
    %t = array.reduce (%i) in (%n) init (%z : f32) {
      %x = array.at %s[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %t : f32
  } : tensor<?xf32>
  return %s, %r : tensor<?x?xf32>, tensor<?xf32>
}
