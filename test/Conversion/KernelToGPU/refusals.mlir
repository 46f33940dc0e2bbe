// What a device cannot do: refused with the reason, or done by one thread.
// RUN: arr-opt %s -split-input-file -convert-kernel-to-gpu -verify-diagnostics

func.func @no_tensors(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{is on tensors; bufferize it first}}
  %r = kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : tensor<?xf32>) {
  }
  return %r : tensor<?xf32>
}

// -----

func.func @no_dynamic_local(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at block.0 {
      // expected-error @below {{a local without a constant size has no memory; run kernel-assign-storage}}
      %e = kernel.local (%N) : memref<?xf32>
      %v = kernel.load %e[%i] : memref<?xf32>
      kernel.store %v, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 64}>} {
func.func @no_room(%x: memref<?xf32>, %n: index) {
  // expected-error @below {{a block would need more shared memory than the device has}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at block.0 {
      %e = kernel.local : memref<32xf32, #kernel.space<shared>>
      %v = kernel.load %e[%i] : memref<32xf32, #kernel.space<shared>>
      kernel.store %v, %X[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// More threads than the device has: one thread does the loop.
module attributes {kernel.device = #kernel.device<"opencl", {max_threads = 256}>} {
func.func @no_threads(%x: memref<?xf32>, %n: index, %a: f32) {
  // expected-warning @below {{the kernel runs in one thread of each block: a block would have more threads than the device allows}}
  kernel.launch @k (%N = %n : index, %A = %a : f32) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 512 at thread.x {
        kernel.store %A, %X[%t] : memref<?xf32>
      }
    }
  }
  return
}
}

// -----

// A local of the block without a space could be anything.
func.func @no_space(%x: memref<?xf32>, %n: index, %a: f32) {
  kernel.launch @k (%N = %n : index, %A = %a : f32) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      // expected-warning @below {{the kernel runs in one thread of each block: a local has no memory; run kernel-assign-storage}}
      %e = kernel.local : memref<64xf32>
      kernel.for "i.1" (%t) in 64 at thread.x {
        kernel.store %A, %e[%t] : memref<64xf32>
      }
      kernel.for "i.1" (%t) in 64 at thread.x {
        %v = kernel.load %e[%t] : memref<64xf32>
        kernel.store %v, %X[%t] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Phases that have to wait for each other, under a branch that not all take.
func.func @no_common_branch(%x: memref<?xf32>, %n: index, %z: f32) {
  kernel.launch @k (%N = %n : index, %Z = %z : f32) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.y {
        %p = arith.cmpi slt, %t, %N : index
        scf.if %p {
          kernel.for "j" (%j) in 8 at thread.x {
            kernel.store %Z, %X[%j] : memref<?xf32>
          }
          // expected-warning @below {{the kernel runs in one thread of each block: threads would have to wait for each other where not all of them get to}}
          kernel.for "j" (%j) in 8 at thread.x {
            %v = kernel.load %X[%t] : memref<?xf32>
            kernel.store %v, %X[%j] : memref<?xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// Floats are not added by atomic operations.
func.func @no_atomic(%x: memref<?xf32>, %n: index, %a: f32) {
  kernel.launch @k (%N = %n : index, %A = %a : f32) outs (%X[%N] = %x : memref<?xf32>) {
    %zero = arith.constant 0 : index
    kernel.for "i" (%i) in %N at block.0 {
      // expected-warning @below {{the kernel runs in one thread: the device has no atomic operation for this update}}
      kernel.update %A, %X[%zero] : memref<?xf32> by arith.addf
    }
  }
  return
}
