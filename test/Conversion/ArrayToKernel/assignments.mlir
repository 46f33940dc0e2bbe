// RUN: arr-opt %s --convert-array-to-kernel | FileCheck %s

#next = affine_map<(d0) -> (d0 + 1)>

// The array from before is read behind the assignment: there are two.

// CHECK-LABEL: func.func @no_place
// CHECK: scf.for
// CHECK: kernel.local
// CHECK: kernel.store %{{.*}}, %[[NEW:.*]][%{{.*}}]
// CHECK: kernel.load %[[OLD:.*]][%{{.*}}]
func.func @no_place(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%b "b") in (%n) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%b] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    %l = scf.for %j = %c0 to %m step %c1 iter_args(%x = %row) -> (tensor<?xf32>) {
      %y = array.bind %x [%m] : tensor<?xf32>
      %v = array.at %y[%c0] inbounds : tensor<?xf32>
      %e = tensor.from_elements %v : tensor<f32>
      %z = tensor.insert_slice %e into %y[%j] [1] [1] : tensor<f32> into tensor<?xf32>
      %w = array.at %y[%j] inbounds : tensor<?xf32>
      %f = tensor.from_elements %w : tensor<f32>
      %u = tensor.insert_slice %f into %z[%c0] [1] [1] : tensor<f32> into tensor<?xf32>
      scf.yield %u : tensor<?xf32>
    }
    %t = array.bind %l [%m] : tensor<?xf32>
    array.yield %t : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// One that nothing looks at any more is written in its place, in branches too:
// a step costs an element and no row.

// CHECK-LABEL: func.func @in_place
// CHECK: %[[ROW:.*]] = kernel.local
// CHECK: scf.for
// CHECK-NOT: kernel.local
// CHECK: scf.if
// CHECK-NOT: kernel.for
// CHECK: kernel.store %{{.*}}, %[[ROW]][%{{.*}}]
// CHECK-NOT: kernel.for
// CHECK: }
func.func @in_place(%a: tensor<?x?xf32>, %n: index, %m: index, %c: i1) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%b "b") in (%n) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%b] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    %l = scf.for %j = %c0 to %m step %c1 iter_args(%x = %row) -> (tensor<?xf32>) {
      %y = array.bind %x [%m] : tensor<?xf32>
      %w = scf.if %c -> (tensor<?xf32>) {
        %v = array.at %y[%c0] inbounds : tensor<?xf32>
        %e = tensor.from_elements %v : tensor<f32>
        %z = tensor.insert_slice %e into %y[%j] [1] [1] : tensor<f32> into tensor<?xf32>
        scf.yield %z : tensor<?xf32>
      } else {
        scf.yield %y : tensor<?xf32>
      }
      scf.yield %w : tensor<?xf32>
    }
    %t = array.bind %l [%m] : tensor<?xf32>
    array.yield %t : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Assignments that begin with one array follow each other.

// CHECK-LABEL: func.func @again
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>
// CHECK: %[[FIRST:.*]] = tensor.insert %{{.*}} into %[[A]]
// CHECK: tensor.extract %[[FIRST]]
// CHECK: tensor.insert %{{.*}} into %[[FIRST]]
func.func @again(%a: tensor<8xf32>, %i: index, %j: index, %v: f32) -> tensor<8xf32> {
  %x = tensor.from_elements %v : tensor<f32>
  %b = tensor.insert_slice %x into %a[%i] [1] [1] : tensor<f32> into tensor<8xf32>
  %w = array.at %b[%j] inbounds : tensor<8xf32>
  %y = tensor.from_elements %w : tensor<f32>
  %c = tensor.insert_slice %y into %a[%i] [1] [1] : tensor<f32> into tensor<8xf32>
  return %c : tensor<8xf32>
}

// What nobody has stored is neither read nor copied.

// CHECK-LABEL: func.func @from_nothing
// CHECK: kernel.launch
// CHECK-SAME: (%{{.*}} = %{{.*}} : index, %{{.*}} = %{{.*}} : index) outs
// CHECK-NOT: kernel.load
// CHECK: scf.for
func.func @from_nothing(%n: index, %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%m) : tensor<?xf32>
  %r = array.map (%b "b") in (%n) {
    %l = scf.for %j = %c0 to %m step %c1 iter_args(%x = %e) -> (tensor<?xf32>) {
      %y = array.bind %x [%m] : tensor<?xf32>
      %f = tensor.from_elements %one : tensor<f32>
      %z = tensor.insert_slice %f into %y[%j] [1] [1] : tensor<f32> into tensor<?xf32>
      scf.yield %z : tensor<?xf32>
    }
    %t = array.bind %l [%m] : tensor<?xf32>
    array.yield %t : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
