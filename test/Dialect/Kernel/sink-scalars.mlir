// RUN: arr-opt %s --kernel-sink-scalars --canonicalize --cse | FileCheck %s

// The host looks at the value: it stays.

// CHECK-LABEL: @no_sink_branch
// CHECK: %[[R:.*]] = kernel.launch @norm
// CHECK: %[[V:.*]] = tensor.extract %[[R]][]
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[V]]
// CHECK: return %[[C]]
func.func @no_sink_branch(%n: index, %tol: f32) -> i1 {
  %e = tensor.empty() : tensor<f32>
  %r = kernel.launch @norm (%N = %n : index) outs (%E = %e : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    kernel.store %z, %E[] : memref<f32>
  }
  %v = tensor.extract %r[] : tensor<f32>
  %c = arith.cmpf ogt, %v, %tol : f32
  return %c : i1
}

// The condition, the error and the counter of a time loop.

// CHECK-LABEL: @time_loop
// CHECK-SAME: %[[N:.*]]: index, %[[TOL:.*]]: f32, %{{.*}}: tensor<i1>
// CHECK: kernel.iterate while (%{{.*}} = %{{.*}} : tensor<i1>) carry (%[[E:.*]] = %{{.*}} : tensor<f32>, %[[K:.*]] = %{{.*}} : tensor<i64>) {
// CHECK-NOT: tensor.extract
// CHECK: %[[L:.*]]:4 = kernel.launch @norm ({{.*}}%[[KA:.*]] = %[[K]] : tensor<i64>{{.*}}) outs ({{.*}}, %[[EO:.*]] = %[[E]] : tensor<f32>, %[[KO:.*]] = %[[K]] : tensor<i64>, %[[GO:.*]] = %{{.*}} : tensor<i1>) {
// CHECK:   %[[KV:.*]] = kernel.load %{{.*}}[] : memref<i64>
// CHECK:   %[[S:.*]] = kernel.for
// CHECK:   %[[K1:.*]] = arith.addi %[[KV]]
// CHECK:   %[[C:.*]] = arith.cmpf ogt, %[[S]]
// CHECK-DAG: kernel.store %[[S]], %[[EO]][]
// CHECK-DAG: kernel.store %[[K1]], %[[KO]][]
// CHECK-DAG: kernel.store %[[C]], %[[GO]][]
// CHECK: kernel.continue while %[[L]]#3 : tensor<i1> carry %[[L]]#1, %[[L]]#2
func.func @time_loop(%n: index, %tol: f32, %go0: tensor<i1>, %e0: tensor<f32>, %k0: tensor<i64>) -> tensor<f32> {
  %one = arith.constant 1 : i64
  %r:2 = kernel.iterate while (%go = %go0 : tensor<i1>) carry (%e = %e0 : tensor<f32>, %k = %k0 : tensor<i64>) {
    %kv = tensor.extract %k[] : tensor<i64>
    %x = tensor.empty() : tensor<f32>
    %s = kernel.launch @norm (%N = %n : index) outs (%E = %x : tensor<f32>) {
      %z = arith.constant 0.0 : f32
      %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %o = arith.constant 1.0 : f32
        kernel.yield %o : f32
      }
      kernel.store %t, %E[] : memref<f32>
    }
    %v = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf ogt, %v, %tol : f32
    %e1 = tensor.insert %v into %e[] : tensor<f32>
    %kv1 = arith.addi %kv, %one : i64
    %k1 = tensor.insert %kv1 into %k[] : tensor<i64>
    %g = tensor.empty() : tensor<i1>
    %go1 = tensor.insert %c into %g[] : tensor<i1>
    kernel.continue while %go1 : tensor<i1> carry %e1, %k1 : tensor<f32>, tensor<i64>
  }
  return %r#0 : tensor<f32>
}

// A factor that the next launch uses is computed by the first and loaded by the
// second.

// CHECK-LABEL: @next_launch
// CHECK: %[[L:.*]]:2 = kernel.launch @dot
// CHECK:   %[[T:.*]] = kernel.for
// CHECK:   %[[Q:.*]] = arith.divf %{{.*}}, %[[T]]
// CHECK:   kernel.store %[[Q]]
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch @scale ({{.*}} = %[[L]]#1 : tensor<f32>)
// CHECK:   %[[F:.*]] = kernel.load %{{.*}}[] : memref<f32>
// CHECK:   kernel.for
// CHECK:     kernel.store %[[F]]
func.func @next_launch(%n: index, %rr: f32) -> tensor<?xf32> {
  %x = tensor.empty() : tensor<f32>
  %s = kernel.launch @dot (%N = %n : index) outs (%E = %x : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %o = arith.constant 1.0 : f32
      kernel.yield %o : f32
    }
    kernel.store %t, %E[] : memref<f32>
  }
  %v = tensor.extract %s[] : tensor<f32>
  %alpha = arith.divf %rr, %v : f32
  %y = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @scale (%N = %n : index, %A = %alpha : f32) outs (%Y[%N] = %y : tensor<?xf32>) {
    kernel.for "i" (%i) in %N { kernel.store %A, %Y[%i] : memref<?xf32> }
  }
  return %r : tensor<?xf32>
}

// A counter that is ready before the launch is an operand that it stores.

// CHECK-LABEL: @counter_before
// CHECK: kernel.launch @norm ({{.*}}%[[K:.*]] = %{{.*}} : i64{{.*}}) outs ({{.*}}%[[KO:.*]] = %{{.*}} : tensor<i64>) {
// CHECK:   kernel.store %[[K]], %[[KO]][] : memref<i64>
func.func @counter_before(%n: index, %s: index, %k0: tensor<i64>) -> tensor<i64> {
  %one = arith.constant 1 : i64
  %r = kernel.iterate times (%i in %s) carry (%k = %k0 : tensor<i64>) {
    %kv = tensor.extract %k[] : tensor<i64>
    %kv1 = arith.addi %kv, %one : i64
    %x = tensor.empty() : tensor<f32>
    %e = kernel.launch @norm (%N = %n : index) outs (%E = %x : tensor<f32>) {
      %z = arith.constant 0.0 : f32
      kernel.store %z, %E[] : memref<f32>
    }
    %k1 = tensor.insert %kv1 into %k[] : tensor<i64>
    kernel.continue carry %k1 : tensor<i64>
  }
  return %r : tensor<i64>
}
