// RUN: arr-opt %s --convert-array-to-kernel --canonicalize --cse | FileCheck %s

// A yielded row is written where it ends; only what is used twice is a local.

// CHECK-LABEL: @rows
// CHECK: kernel.launch {{.*}} outs (%[[R:.*]][%{{.*}}, %{{.*}}] = %{{.*}})
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK:   %[[E:.*]] = kernel.local (%[[M:.*]]) : memref<?xf32>
// CHECK-NOT: kernel.local
// CHECK:   kernel.for "j" (%[[J:.*]]) in %[[M]] {
// CHECK:     kernel.store %{{.*}}, %[[E]][%[[J]]]
// CHECK:   %[[S:.*]] = kernel.for "j"
// CHECK:   kernel.for "j" (%[[K:.*]]) in %[[M]] {
// CHECK:     kernel.store %{{.*}}, %[[R]][%[[I]], %[[K]]]
func.func @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = array.map (%i "i") in (%n) {
    %e = array.map (%j "j") in (%m) {
      %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
      %q = math.exp %v : f32
      array.yield %q : f32
    } : tensor<?xf32>
    %s = array.reduce (%j "j") in (%m) init (%z : f32) {
      %v = array.at %e[%j] inbounds : tensor<?xf32>
      array.yield %v : f32
    } by arith.addf
    %o = array.map (%j "j") in (%m) {
      %v = array.at %e[%j] inbounds : tensor<?xf32>
      %d = arith.divf %v, %s : f32
      array.yield %d : f32
    } : tensor<?xf32>
    array.yield %o : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A loop that updates an array in order: one local, stores masked by the size
// since a failed check does not end the kernel.

// CHECK-LABEL: @ordered
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK:   kernel.for "e0" (%[[J:.*]]) in
// CHECK:     %[[V:.*]] = kernel.load %[[X:.*]][%[[I]], %[[J]]]
// CHECK:     kernel.store %[[V]], %[[R:.*]][%[[I]], %[[J]]]
// CHECK-NOT: kernel.local
// CHECK:   scf.for %[[K:.*]] = %c1{{.*}} to
// CHECK:     %[[OK:.*]] = arith.cmpi ult, %[[K]]
// CHECK:     kernel.store %{{.*}}, %[[R]][%[[I]], %[[K]]] if %[[OK]]
func.func @ordered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = array.map (%i "i") in (%n) {
    %row = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    %f = scf.for %k = %c1 to %m step %c1 iter_args(%d = %row) -> (tensor<?xf32>) {
      %km = arith.subi %k, %c1 : index
      %a = array.at %d[%km] inbounds : tensor<?xf32>
      %b = array.at %d[%k] inbounds : tensor<?xf32>
      %s = arith.addf %a, %b : f32
      %e = tensor.from_elements %s : tensor<f32>
      %v = tensor.insert_slice %e into %d[%k] [1] [1] : tensor<f32> into tensor<?xf32>
      scf.yield %v : tensor<?xf32>
    }
    array.yield %f : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Branches write where the result lies.

// CHECK-LABEL: @branches
// CHECK: kernel.launch {{.*}} outs (%[[R:.*]][%{{.*}}, %{{.*}}] = %{{.*}})
// CHECK: scf.if
// CHECK:   kernel.for {{.*}} scan
// CHECK:     kernel.store %{{.*}}, %[[R]]
// CHECK: else
// CHECK:   kernel.for
// CHECK:     kernel.store %{{.*}}, %[[R]]
// CHECK-NOT: kernel.local
func.func @branches(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = array.map (%i "i") in (%n) {
    %first = arith.cmpi eq, %i, %c0 : index
    %row = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    %y = scf.if %first -> tensor<?xf32> {
      %p, %t = array.scan (%j "j") in (%m) init (%z : f32) {
        %v = array.at %row[%j] inbounds : tensor<?xf32>
        array.yield %v : f32
      } by arith.addf
      scf.yield %p : tensor<?xf32>
    } else {
      %rev = array.view %row (d0)[s0] -> (s0 - d0 - 1) [%m] in (%m) : tensor<?xf32> to tensor<?xf32>
      scf.yield %rev : tensor<?xf32>
    }
    array.yield %y : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
