// RUN: arr-opt %s --kernel-plan-schedules="device=cuda prices-at=0,0,5,1048576" 2>&1 >/dev/null | FileCheck %s --check-prefix=FEW
// RUN: arr-opt %s --kernel-plan-schedules="device=cuda prices-at=0,0,1048576,5" 2>&1 >/dev/null | FileCheck %s --check-prefix=MANY

// Each way to run a nest with its price: what binds it, what it asks of the card,
// and the schedule. Operands that are sizes have the values of the option.
// FEW-DAG: {{[0-9]+}} ns, {{[a-zA-Z0-9 ]+}} memory {{[^ ]+}} cache {{.*}} blocks {{[0-9]+}} threads 256 {{.*}} : #kernel.schedule<j = [block.0], i = [seq, seq 16, block.1 64, {{.*}}thread.x 256]
// MANY-DAG: {{[0-9]+}} ns, {{.*}} folding 0 : #kernel.schedule<j = [block.0, thread.x 256], i = [seq, seq 16
func.func @products(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %s: memref<?xf32>, %m: index, %n: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %Y[%N, %M] = %y : memref<?x?xf32>, %M = %m : index, %N = %n : index) outs (%S[%M] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = kernel.load %Y[%i, %j] : memref<?x?xf32>
        %t = arith.mulf %v, %w : f32
        kernel.yield %t : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}
