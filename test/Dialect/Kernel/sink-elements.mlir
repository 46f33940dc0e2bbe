// RUN: arr-opt %s --kernel-sink-elements --canonicalize --cse | FileCheck %s

// The host looks at the element: it branches on it.

// CHECK-LABEL: func.func @no_sink_host
// CHECK: kernel.iterate
// CHECK: %[[V:.*]] = tensor.extract %{{.*}}[%{{.*}}]
// CHECK: scf.if
// CHECK: tensor.insert
// CHECK-NOT: kernel.launch
func.func @no_sink_host(%a: tensor<8xi64>, %n: index) -> tensor<8xi64> {
  %z = arith.constant 0 : i64
  %r = kernel.iterate times (%k in %n) carry (%x[8] = %a : tensor<8xi64>) {
    %v = tensor.extract %x[%k] : tensor<8xi64>
    %c = arith.cmpi sgt, %v, %z : i64
    %y = scf.if %c -> (tensor<8xi64>) {
      %u = tensor.insert %v into %x[%k] : tensor<8xi64>
      scf.yield %u : tensor<8xi64>
    } else {
      scf.yield %x : tensor<8xi64>
    }
    kernel.continue carry %y : tensor<8xi64>
  }
  return %r : tensor<8xi64>
}

// A number of the host is written by the host.

// CHECK-LABEL: func.func @no_sink_number
// CHECK: tensor.insert
// CHECK-NOT: kernel.launch
func.func @no_sink_number(%a: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  %r = kernel.iterate times (%k in %n) carry (%x[8] = %a : tensor<8xf32>) {
    %y = tensor.insert %v into %x[%k] : tensor<8xf32>
    kernel.continue carry %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Outside of loops the host waits once.

// CHECK-LABEL: func.func @no_sink_straight
// CHECK-NOT: kernel.launch
func.func @no_sink_straight(%a: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %a[%c0] : tensor<8xf32>
  %y = tensor.insert %v into %a[%k] : tensor<8xf32>
  return %y : tensor<8xf32>
}

// Elements of the array that is written are read in its place, a cell is loaded,
// and a number of the host is an argument.

// CHECK-LABEL: func.func @update
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<f32>, %[[M:.*]]: f32
// CHECK: kernel.iterate times (%[[K:.*]] in %{{.*}}) carry (%[[X:.*]][%[[N:.*]]] = %[[A]]
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch @update_element_0 (%[[SIZE:.*]] = %[[N]] : index, %[[AT:.*]] = %[[K]] : index, %[[F:.*]] = %[[M]] : f32, %[[CELL:.*]] = %[[S]] : tensor<f32>) outs (%[[O:.*]][%[[SIZE]]] = %[[X]] : tensor<?xf32>) {
// CHECK-DAG: %[[E:.*]] = kernel.load %[[O]][%[[AT]]]
// CHECK-DAG: %[[T:.*]] = kernel.load %[[CELL]][]
// CHECK: %[[P:.*]] = arith.mulf %[[T]], %[[F]]
// CHECK: %[[Q:.*]] = arith.addf %[[E]], %[[P]]
// CHECK: kernel.store %[[Q]], %[[O]][%[[AT]]]
// CHECK-NOT: tensor.insert
func.func @update(%a: tensor<?xf32>, %s: tensor<f32>, %m: f32, %n: index) -> tensor<?xf32> {
  %r = kernel.iterate times (%k in %n) carry (%x[%n] = %a : tensor<?xf32>) {
    %e = tensor.extract %x[%k] : tensor<?xf32>
    %t = tensor.extract %s[] : tensor<f32>
    %p = arith.mulf %t, %m : f32
    %q = arith.addf %e, %p : f32
    %y = tensor.insert %q into %x[%k] : tensor<?xf32>
    kernel.continue carry %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// What is overwritten before it is needed is read before that.

// CHECK-LABEL: func.func @overwritten
// CHECK: kernel.iterate
// CHECK: %[[OLD:.*]] = kernel.launch @overwritten_element_{{.*}} outs (%{{.*}} = %{{.*}} : tensor<f32>)
// CHECK: %[[FIRST:.*]] = kernel.launch
// CHECK: kernel.launch {{.*}} = %[[OLD]] : tensor<f32>) outs (%{{.*}}[8] = %[[FIRST]]
func.func @overwritten(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.iterate times (%k in %n) carry (%x[8] = %a : tensor<8xf32>) {
    %e = tensor.extract %x[%c0] : tensor<8xf32>
    %f = tensor.extract %x[%c1] : tensor<8xf32>
    %y = tensor.insert %f into %x[%c0] : tensor<8xf32>
    %z = tensor.insert %e into %y[%c1] : tensor<8xf32>
    kernel.continue carry %z : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// An element that a launch needs is a cell.

// CHECK-LABEL: func.func @scale
// CHECK: kernel.iterate
// CHECK: %[[C:.*]] = kernel.launch @scale_element_0 {{.*}} outs (%{{.*}} = %{{.*}} : tensor<f32>)
// CHECK: %[[V:.*]] = tensor.extract %[[C]][]
// CHECK: kernel.launch @by ({{.*}} = %[[V]] : f32
func.func @scale(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = kernel.iterate times (%k in %n) carry (%x[8] = %a : tensor<8xf32>) {
    %v = tensor.extract %x[%k] : tensor<8xf32>
    %y = kernel.launch @by (%F = %v : f32) outs (%O[8] = %x : tensor<8xf32>) {
      kernel.for "i" (%i) in 8 {
        %e = kernel.load %O[%i] : memref<8xf32>
        %m = arith.mulf %e, %F : f32
        kernel.store %m, %O[%i] : memref<8xf32>
      }
    }
    kernel.continue carry %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
