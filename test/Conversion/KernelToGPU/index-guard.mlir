// RUN: arr-opt %s -convert-kernel-to-gpu | FileCheck %s
// Versions in a branch on whether indices fit in 32 bits have one kernel each.

// The host asks for each version in the cases in which it is chosen.
// CHECK-LABEL: func.func @versions
// CHECK-SAME:    (%{{.*}}, %[[N:.*]]: index, %[[SHORT:.*]]: i1)
// CHECK-NOT:     scf.if
// CHECK:         %[[FITS:.*]] = arith.cmpi sle, %[[N]], %c2130706432
// CHECK:         %[[PASSED:.*]] = arith.xori %[[SHORT]]
// CHECK:         %[[FIRST:.*]] = arith.ori %[[PASSED]], %{{.*}}
// CHECK:         %[[SECOND:.*]] = arith.ori %[[SHORT]], %{{.*}}
// CHECK:         %[[FIT:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK:         scf.if %[[FIT]] {
// CHECK:           scf.if %[[SHORT]] {
// CHECK:             gpu.launch_func @a_kernel32::@a
// CHECK:           } else {
// CHECK:             gpu.launch_func @b_kernel32::@b
// CHECK:         } else {
// CHECK:           gpu.launch_func @c_kernel64::@c
// CHECK-NOT:     gpu.launch_func
// CHECK:       gpu.module @a_kernel32
// CHECK:       gpu.module @b_kernel32
// CHECK:       gpu.module @c_kernel64
// CHECK-NOT:   gpu.module @a_kernel64
// CHECK-NOT:   gpu.module @b_kernel64
func.func @versions(%x: memref<?xf32>, %n: index, %short: i1) {
  %fit = kernel.indices_fit "k"
  scf.if %fit {
    scf.if %short {
      kernel.launch @a (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
        %z = arith.constant 0.0 : f32
        kernel.for "i" (%i) in %N at block.0 {
          kernel.store %z, %X[%i] : memref<?xf32>
        }
      }
    } else {
      kernel.launch @b (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
        %z = arith.constant 1.0 : f32
        kernel.for "i" (%i) in %N at block.0 {
          kernel.store %z, %X[%i] : memref<?xf32>
        }
      }
    }
  } else {
    kernel.launch @c (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
      %z = arith.constant 2.0 : f32
      kernel.for "i" (%i) in %N at block.0 {
        kernel.store %z, %X[%i] : memref<?xf32>
      }
    }
  }
  return
}

// Small constant sizes: nothing to ask, and nothing for others.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @narrow_kernel32::@narrow
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
// CHECK-NOT:   gpu.module @wide
func.func @small(%x: memref<8xf32>) {
  %fit = kernel.indices_fit "k"
  scf.if %fit {
    kernel.launch @narrow () outs (%X[8] = %x : memref<8xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in 8 at block.0 {
        kernel.store %z, %X[%i] : memref<8xf32>
      }
    }
  } else {
    kernel.launch @wide () outs (%X[8] = %x : memref<8xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in 8 at block.0 {
        kernel.store %z, %X[%i] : memref<8xf32>
      }
    }
  }
  return
}

// Large constant sizes: no kernel in 32 bits.
// CHECK-LABEL: func.func @large
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @all_kernel64::@all
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
// CHECK-NOT:   gpu.module @few
func.func @large(%x: memref<4294967296xi8>) {
  %fit = kernel.indices_fit "k"
  scf.if %fit {
    kernel.launch @few () outs (%X[4294967296] = %x : memref<4294967296xi8>) {
      %z = arith.constant 0 : i8
      kernel.for "i" (%i) in 8 at block.0 {
        kernel.store %z, %X[%i] : memref<4294967296xi8>
      }
    }
  } else {
    kernel.launch @all () outs (%X[4294967296] = %x : memref<4294967296xi8>) {
      %z = arith.constant 1 : i8
      kernel.for "i" (%i) in 8 at block.0 {
        kernel.store %z, %X[%i] : memref<4294967296xi8>
      }
    }
  }
  return
}

// What was read from an array may be anything: no version has 32 bits, and each
// takes all sizes.
// CHECK-LABEL: func.func @loaded
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @any_kernel64::@any
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
func.func @loaded(%p: memref<?xi64>, %x: memref<?xf32>, %n: index) {
  %fit = kernel.indices_fit "k"
  scf.if %fit {
    kernel.launch @any (%P[%N] = %p : memref<?xi64>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N at block.0 {
        %q = kernel.load %P[%i] : memref<?xi64>
        %j = arith.index_cast %q : i64 to index
        %c1 = arith.constant 1 : index
        %k = arith.addi %j, %c1 : index
        kernel.store %z, %X[%k] : memref<?xf32>
      }
    }
  } else {
    kernel.launch @other (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N at block.0 {
        kernel.store %z, %X[%i] : memref<?xf32>
      }
    }
  }
  return
}

// A size that only the branch knows: that version has both kernels.
// CHECK-LABEL: func.func @inside
// CHECK-NOT:     scf.if
// CHECK:         memref.load
// CHECK:         arith.cmpi sle
// CHECK:         scf.if
// CHECK:           gpu.launch_func @sized_kernel32::@sized
// CHECK:           gpu.launch_func @sized_kernel64::@sized
// CHECK:         return
func.func @inside(%s: memref<index>, %x: memref<?xf32>) {
  %fit = kernel.indices_fit "k"
  scf.if %fit {
    %n = memref.load %s[] : memref<index>
    kernel.launch @sized (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
      %z = arith.constant 5.0 : f32
      kernel.for "i" (%i) in %N at block.0 {
        kernel.store %z, %X[%i] : memref<?xf32>
      }
    }
  } else {
  }
  return
}

// What all steps answer alike: the row of a step is bounded by how many there are, and
// a branch of steps is not asked about.
// CHECK-LABEL: func.func @steps
// CHECK:         scf.while (%[[T:.*]] =
// CHECK:         ^bb0(%[[STEP:.*]]: index):
// CHECK:           %[[ROW:.*]] = arith.remui %[[STEP]], %[[ROWS:.*]] :
// CHECK-NOT:       arith.cmpi {{.*}}%[[ROW]]
// CHECK:           %[[SOME:.*]] = arith.cmpi eq, %[[ROW]], %c0
// CHECK-NOT:       arith.xori %[[SOME]]
// CHECK:           scf.if %{{.*}} {
// CHECK:             gpu.launch_func @fill_kernel32::@fill
// CHECK:             scf.if %[[SOME]] {
// CHECK:               gpu.launch_func @count_kernel32::@count
// CHECK-NOT:       scf.if
// CHECK:             gpu.launch_func @wide_kernel64::@wide
func.func @steps(%n: index, %k: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.alloc(%rows, %n) : memref<?x?xf32>
  %e = memref.alloc(%n) : memref<?xf32>
  %r = kernel.iterate times (%t in %k) carry (%e1[%n] = %e : memref<?xf32>) {
    %row = arith.remui %t, %rows : index
    %some = arith.cmpi eq, %row, %c0 : index
    %fit = kernel.indices_fit "k"
    scf.if %fit {
      kernel.launch @fill (%N = %n : index, %R = %rows : index, %T = %row : index) outs (%W[%R, %N] = %w : memref<?x?xf32>) {
        %z = arith.constant 0.0 : f32
        kernel.for "i" (%i) in %N at block.0 {
          kernel.store %z, %W[%T, %i] : memref<?x?xf32>
        }
      }
      scf.if %some {
        kernel.launch @count (%N = %n : index) outs (%E[%N] = %e1 : memref<?xf32>) {
          %z = arith.constant 3.0 : f32
          kernel.for "i" (%i) in %N at block.0 {
            kernel.store %z, %E[%i] : memref<?xf32>
          }
        }
      }
    } else {
      kernel.launch @wide (%N = %n : index) outs (%E[%N] = %e1 : memref<?xf32>) {
        %z = arith.constant 4.0 : f32
        kernel.for "i" (%i) in %N at block.0 {
          kernel.store %z, %E[%i] : memref<?xf32>
        }
      }
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  return
}
