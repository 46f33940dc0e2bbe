// RUN: arr-opt %s --kernel-form-iterations --canonicalize --cse | FileCheck %s

// What launches make of scalars stays on the device.

module attributes {kernel.device = #kernel.device<"cuda", {}>} {

// CHECK-LABEL: @no_launches
// CHECK: scf.for
// CHECK-NOT: kernel.iterate
func.func @no_launches(%n: index, %a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = tensor.extract %a[%k] : tensor<?xf32>
    %next = arith.addf %s, %v : f32
    scf.yield %next : f32
  }
  return %r : f32
}

// CHECK-LABEL: @scalars
// CHECK: kernel.iterate times (%{{.*}} in %{{.*}}) carry (%{{.*}} = %{{.*}} : tensor<f32>)
// CHECK: kernel.launch @sum
func.func @scalars(%t: index, %n: index, %a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %t step %c1 iter_args(%s = %zero) -> (f32) {
    %e = tensor.empty() : tensor<f32>
    %f = kernel.launch @sum (%N = %n : index, %A[%N] = %a : tensor<?xf32>) outs (%O = %e : tensor<f32>) {
      %z = arith.constant 0.0 : f32
      %f0 = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %f0, %O[] : memref<f32>
    }
    %v = tensor.extract %f[] : tensor<f32>
    %next = arith.addf %s, %v : f32
    scf.yield %next : f32
  }
  return %r : f32
}

}
