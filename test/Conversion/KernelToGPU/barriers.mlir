// Barriers: between phases that touch the same array in different threads, and
// nowhere else.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize | FileCheck %s

// CHECK-LABEL: gpu.func @no_barrier_between_reads
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @no_barrier_between_reads(%x: memref<64xf32>, %n: index) {
  %y = memref.alloc() : memref<64xf32>
  %z = memref.alloc() : memref<64xf32>
  kernel.launch @no_barrier_between_reads (%X[64] = %x : memref<64xf32>) outs (%Y[64] = %y : memref<64xf32>, %Z[64] = %z : memref<64xf32>) {
    kernel.for "i" (%i) in 64 at thread.x {
      %v = kernel.load %X[%i] : memref<64xf32>
      kernel.store %v, %Y[%i] : memref<64xf32>
    }
    kernel.for "i" (%i) in 64 at thread.x {
      %v = kernel.load %X[%i] : memref<64xf32>
      kernel.store %v, %Z[%i] : memref<64xf32>
    }
  }
  return
}

// A private local is nobody else's; the dimension of the thread is dropped.
// CHECK-LABEL: gpu.func @no_barrier_for_registers
// CHECK:         memref.alloca() : memref<4xf32, #gpu.address_space<private>>
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @no_barrier_for_registers(%x: memref<64xf32>) {
  kernel.launch @no_barrier_for_registers () outs (%X[64] = %x : memref<64xf32>) {
    %c = arith.constant 2 : index
    %z = arith.constant 0.0 : f32
    %e = kernel.local {kernel.thread_dims = array<i64: 0, -1>} : memref<64x4xf32, #kernel.space<register>>
    kernel.for "i" (%i) in 64 at thread.x {
      kernel.store %z, %e[%i, %c] : memref<64x4xf32, #kernel.space<register>>
    }
    kernel.for "i" (%i) in 64 at thread.x {
      %v = kernel.load %e[%i, %c] : memref<64x4xf32, #kernel.space<register>>
      kernel.store %v, %X[%i] : memref<64xf32>
    }
  }
  return
}

// One between writing and reading.
// CHECK-LABEL: gpu.func @phases
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @phases(%x: memref<64xf32>) {
  kernel.launch @phases () outs (%X[64] = %x : memref<64xf32>) {
    %z = arith.constant 0.0 : f32
    %c63 = arith.constant 63 : index
    %e = kernel.local : memref<64xf32, #kernel.space<shared>>
    kernel.for "i" (%i) in 64 at thread.x {
      kernel.store %z, %e[%i] : memref<64xf32, #kernel.space<shared>>
    }
    kernel.for "i" (%i) in 64 at thread.x {
      %j = arith.subi %c63, %i : index
      %v = kernel.load %e[%j] : memref<64xf32, #kernel.space<shared>>
      kernel.store %v, %X[%i] : memref<64xf32>
    }
  }
  return
}

// In a loop also between one iteration's reading and the next one's writing.
// CHECK-LABEL: gpu.func @around
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NEXT:      gpu.barrier
// CHECK:           memref.load
// CHECK:           gpu.barrier
// CHECK-NEXT:    }
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @around(%x: memref<64xf32>, %n: index) {
  kernel.launch @around (%N = %n : index) outs (%X[64] = %x : memref<64xf32>) {
    %z = arith.constant 0.0 : f32
    %c63 = arith.constant 63 : index
    %e = kernel.local : memref<64xf32, #kernel.space<shared>>
    kernel.for "k" (%k) in %N at seq {
      kernel.for "i" (%i) in 64 at thread.x {
        kernel.store %z, %e[%i] : memref<64xf32, #kernel.space<shared>>
      }
      kernel.for "i" (%i) in 64 at thread.x {
        %j = arith.subi %c63, %i : index
        %v = kernel.load %e[%j] : memref<64xf32, #kernel.space<shared>>
        kernel.store %v, %X[%i] : memref<64xf32>
      }
    }
  }
  return
}

// Between phases the first thread writes, and all wait before they read it.
// CHECK-LABEL: gpu.func @between
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:         %[[OLD:.*]] = memref.load
// CHECK:         gpu.barrier
// CHECK-NEXT:    scf.if %[[FIRST]] {
// CHECK:           memref.store
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK:         memref.load
// CHECK:         gpu.return
func.func @between(%x: memref<64xf32>, %s: memref<f32>) {
  kernel.launch @between () outs (%S[] = %s : memref<f32>, %X[64] = %x : memref<64xf32>) {
    %o = kernel.load %S[] : memref<f32>
    %v = arith.addf %o, %o : f32
    kernel.store %v, %S[] : memref<f32>
    kernel.for "i" (%i) in 64 at thread.x {
      %w = kernel.load %S[] : memref<f32>
      kernel.store %w, %X[%i] : memref<64xf32>
    }
  }
  return
}

// What needs no thread loop and writes is done by one thread, without waiting.
// CHECK-LABEL: gpu.func @once
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:           memref.store
// CHECK:         gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.return
func.func @once(%x: memref<64xf32>, %n: index) {
  kernel.launch @once (%N = %n : index) outs (%X[64] = %x : memref<64xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "k" (%k) in %N at seq {
      %v = kernel.load %X[%k] : memref<64xf32>
      kernel.store %v, %X[%k] : memref<64xf32>
    }
    kernel.for "i" (%i) in 32 at thread.x {
      kernel.store %z, %X[%i] : memref<64xf32>
    }
  }
  return
}

// Neighbouring stores of what rows give: one thread has them all, in one
// branch, and no other row writes there.
// CHECK-LABEL: gpu.func @no_barrier_between_rows
// CHECK:         scf.if
// CHECK:           memref.store {{.*}}#gpu.address_space<global>
// CHECK-NOT:     scf.if
// CHECK-NOT:     gpu.barrier
// CHECK:           memref.store {{.*}}#gpu.address_space<global>
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @no_barrier_between_rows(%x: memref<32x32xf32>, %y: memref<32xf32>) {
  kernel.launch @no_barrier_between_rows (%X[32, 32] = %x : memref<32x32xf32>) outs (%Y[32] = %y : memref<32xf32>) {
    %z = arith.constant 0.0 : f32
    %c16 = arith.constant 16 : index
    kernel.for "i" (%i) in 16 at thread.y {
      %k = arith.addi %i, %c16 : index
      %s = kernel.for "j" (%j) in 32 at thread.x reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<32x32xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<32xf32>
      kernel.store %s, %Y[%k] : memref<32xf32>
    }
  }
  return
}

// A scan waits inside, and stores behind that: who reads what others have
// stored waits again.
// CHECK-LABEL: gpu.func @behind_scan
// CHECK:         memref.store {{.*}}#gpu.address_space<global>
// CHECK:         gpu.barrier
// CHECK-NOT:     memref.store
// CHECK:         memref.load {{.*}}#gpu.address_space<global>
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @behind_scan(%x: memref<64xi32>, %y: memref<64xi32>) {
  kernel.launch @behind_scan () outs (%X[64] = %x : memref<64xi32>, %Y[64] = %y : memref<64xi32>) {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c63 = arith.constant 63 : index
    %s = kernel.for "i" (%i) in 64 at thread.x scan (%z : i32) by arith.addi {
      %p = kernel.prefix %one : i32
      kernel.store %p, %X[%i] : memref<64xi32>
    }
    kernel.for "j" (%j) in 64 at thread.x {
      %k = arith.subi %c63, %j : index
      %v = kernel.load %X[%k] : memref<64xi32>
      kernel.store %v, %Y[%j] : memref<64xi32>
    }
  }
  return
}

// Where threads meet, LLVM may not take what they write for theirs alone: it
// would move loads and stores across the barrier. What is read stays 'noalias'.
// CHECK-LABEL: gpu.func @noalias_without_barrier
// CHECK-SAME:    llvm.noalias, llvm.readonly}, {{.*}}{llvm.align = 16 : i64, llvm.noalias})
func.func @noalias_without_barrier(%x: memref<64xf32>) {
  %y = memref.alloc() : memref<64xf32>
  kernel.launch @noalias_without_barrier (%X[64] = %x : memref<64xf32>) outs (%Y[64] = %y : memref<64xf32>) {
    kernel.for "i" (%i) in 64 at thread.x {
      %v = kernel.load %X[%i] : memref<64xf32>
      kernel.store %v, %Y[%i] : memref<64xf32>
    }
  }
  return
}
// CHECK-LABEL: gpu.func @noalias_with_barrier
// CHECK-SAME:    llvm.noalias, llvm.readonly}, {{.*}}{llvm.align = 16 : i64}, {{.*}}{llvm.align = 16 : i64})
// CHECK:         gpu.barrier
func.func @noalias_with_barrier(%x: memref<64xf32>) {
  %y = memref.alloc() : memref<64xf32>
  %z = memref.alloc() : memref<64xf32>
  kernel.launch @noalias_with_barrier (%X[64] = %x : memref<64xf32>) outs (%Y[64] = %y : memref<64xf32>, %Z[64] = %z : memref<64xf32>) {
    %c63 = arith.constant 63 : index
    kernel.for "i" (%i) in 64 at thread.x {
      %v = kernel.load %X[%i] : memref<64xf32>
      kernel.store %v, %Y[%i] : memref<64xf32>
    }
    kernel.for "i" (%i) in 64 at thread.x {
      %j = arith.subi %c63, %i : index
      %v = kernel.load %Y[%j] : memref<64xf32>
      kernel.store %v, %Z[%i] : memref<64xf32>
    }
  }
  return
}
