// RUN: arr-opt %s --kernel-encode-updates --canonicalize --cse --split-input-file | FileCheck %s

// Integers of 32 bits stay, products have no code, two operators on one array
// have none together.
// CHECK-LABEL: @no_integers
// CHECK-NOT: kernel.local
// CHECK-LABEL: @no_product
// CHECK-NOT: kernel.local
// CHECK-LABEL: @no_two_operators
// CHECK-NOT: kernel.local
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1, f64 = 1}>} {
func.func @no_integers(%h: memref<8xi32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      kernel.update %one, %H[%i] : memref<8xi32> by arith.addi
    }
  }
  return
}
func.func @no_product(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.mulf
    }
  }
  return
}
func.func @no_two_operators(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.addf
      kernel.update %v, %H[%i] : memref<8xf32> by arith.maximumf
    }
  }
  return
}
}

// -----

// Without atomics of 64 bits sums of floats have no code.
// CHECK-LABEL: @no_atomics
// CHECK-NOT: kernel.local
module attributes {kernel.device = #kernel.device<"opencl", {int64_atomics = 0, f64 = 1}>} {
func.func @no_atomics(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.addf
    }
  }
  return
}
}

// -----

// Sums: an integer a bin for most values, 34 for the others; a window about the
// scales of some values, read at indices of the loop; then rounded.
// CHECK-LABEL: @sums
// CHECK: %[[NEAR:.*]] = kernel.local (%M) : memref<?xi64>
// CHECK: %[[FAR:.*]] = kernel.local (%M) : memref<34x?xi64>
// CHECK: kernel.for "i_e0_i0" (%[[Z:.*]]) in %M {
// CHECK:   kernel.store %c0_i64, %[[NEAR]][%[[Z]]]
// CHECK:   kernel.for "i_e0_k0" (%[[K:.*]]) in 34 {
// CHECK:     kernel.store %c0_i64, %[[FAR]][%[[K]], %[[Z]]]
// CHECK: math.ctlz
// CHECK: %[[LOW:.*]] = kernel.local : memref<1xi32>
// CHECK: %[[S:.*]] = kernel.for "i_e0_w" (%[[W:.*]]) in %{{.*}} reduce (%c0_i64 : i64) by arith.addi
// CHECK:   %[[AT:.*]] = arith.muli %[[W]], %
// CHECK:   kernel.load %X[%[[AT]]]
// CHECK: arith.trunci %[[S]]
// CHECK: kernel.store %{{.*}}, %[[LOW]][%c0]
// CHECK: kernel.for "i" (%[[I:.*]]) in %N {
// CHECK:   %[[V:.*]] = kernel.load %X[%[[I]]]
// CHECK:   kernel.load %[[LOW]][%c0]
// CHECK:   arith.bitcast %[[V]] : f32 to i32
// CHECK:   kernel.update %{{.*}}, %[[NEAR]][%{{.*}}] if %{{.*}} : memref<?xi64> by arith.addi
// CHECK:   kernel.update %{{.*}}, %[[FAR]][%{{.*}}, %{{.*}}] if %{{.*}} : memref<34x?xi64> by arith.addi {kernel.rare}
// CHECK: kernel.for "i_e0_d0" (%[[Z:.*]]) in %M {
// CHECK:   kernel.load %[[NEAR]][%[[Z]]]
// CHECK-COUNT-34: kernel.load %[[FAR]]
// CHECK-NOT: f64
// CHECK:   arith.bitcast %{{.*}} : i32 to f32
// CHECK:   %[[O:.*]] = kernel.load %H[%[[Z]]]
// CHECK:   arith.addf %[[O]]
// CHECK:   kernel.store %{{.*}}, %H[%[[Z]]]
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1, f64 = 1}>} {
func.func @sums(%x: memref<?xf32>, %b: memref<?xindex>, %h: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %X[%i] : memref<?xf32>
      %in = arith.cmpi ult, %bin, %M : index
      kernel.update %v, %H[%bin] if %in : memref<?xf32> by arith.addf
    }
  }
  return
}
}

// -----

// Where bits are to be the same everywhere, a CPU and devices without such
// atomics have the integers too; a CPU makes those of a window by products, of
// scalars of the launch, and those of a bin are neighbours. What the window does
// not take is in the one below, and what neither takes is added by a loop of its
// own, which has no iterations where there is nothing.
// CHECK-LABEL: @same_bits_cpu
// CHECK: %[[NEAR:.*]] = kernel.local (%M) : memref<?xi64>
// CHECK: %[[FAR:.*]] = kernel.local (%M) : memref<?x34xi64>
// CHECK: %[[BELOW:.*]] = kernel.local (%M) : memref<?xi64>
// CHECK: %[[MISSED:.*]] = kernel.local (%M) : memref<?xi64>
// CHECK: kernel.for "i_e0_i0" (
// CHECK-NOT: memref<?x34xi64>
// CHECK: %[[SCALE:.*]] = arith.bitcast %{{.*}} : i64 to f64
// CHECK: %[[BOUND:.*]] = arith.bitcast %{{.*}} : i64 to f64
// CHECK: kernel.for "i" (%[[I:.*]]) in %N {
// CHECK:   arith.mulf %{{.*}}, %[[SCALE]] : f64
// CHECK:   arith.cmpf olt, %{{.*}}, %[[BOUND]] : f64
// CHECK:   arith.fptosi
// CHECK:   scf.if %
// CHECK:     kernel.update %{{.*}}, %[[NEAR]][%{{.*}}] : memref<?xi64> by arith.addi
// CHECK:   } else {
// CHECK:     scf.if %
// CHECK:       kernel.update %{{.*}}, %[[BELOW]][%{{.*}}] : memref<?xi64> by arith.addi {kernel.rare}
// CHECK:     } else {
// CHECK:       kernel.update %c1_i64, %[[MISSED]][%{{.*}}] : memref<?xi64> by arith.addi {kernel.rare}
// CHECK: kernel.for "i_e0_z0" (%[[Z:.*]]) in %M {
// CHECK:   kernel.load %[[MISSED]][%[[Z]]]
// CHECK:   scf.if
// CHECK-COUNT-34: kernel.store %c0_i64, %[[FAR]][%[[Z]], %
// CHECK: %[[ANY:.*]] = kernel.for "i_e0_a0" {{.*}} by arith.ori
// CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[ANY]], %c0_i64
// CHECK: %[[AGAIN:.*]] = arith.select %[[MORE]], %N, %c0
// CHECK: kernel.for "i_e0_f" (%{{.*}}) in %[[AGAIN]] {
// CHECK:   scf.if %
// CHECK:     kernel.update %{{.*}}, %[[FAR]][%{{.*}}, %{{.*}}] : memref<?x34xi64> by arith.addi {kernel.rare}
// CHECK: kernel.for "i_e0_d0" (
// CHECK:   kernel.for "i_e0_m" {{.*}} by arith.ori
// CHECK:   kernel.for "i_e0_n" (
// CHECK:   kernel.for "i_e0_o" (
// CHECK:     scf.if %{{.*}} -> (f32)
// CHECK-LABEL: @same_bits_opencl
// CHECK: kernel.local (%M) : memref<34x?xi64>
module {
func.func @same_bits_cpu(%x: memref<?xf32>, %b: memref<?xindex>, %h: memref<?xf32>, %n: index, %m: index) attributes {arrc.same_bits} {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.update %v, %H[%bin] : memref<?xf32> by arith.addf
    }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"opencl", {int64_atomics = 0, f64 = 0}>} {
func.func @same_bits_opencl(%x: memref<?xf32>, %b: memref<?xindex>, %h: memref<?xf32>, %n: index, %m: index) attributes {arrc.same_bits} {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.update %v, %H[%bin] : memref<?xf32> by arith.addf
    }
  }
  return
}
}

// -----

// What is computed under a condition is not read before: the window is about 1.
// CHECK-LABEL: @no_samples
// CHECK-NOT: reduce
// CHECK: kernel.store %{{.*}}, %{{.*}} : memref<1xi32>
// CHECK: kernel.for "i" (
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1, f64 = 1}>} {
func.func @no_samples(%x: memref<?xf32>, %h: memref<8xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %c5 = arith.constant 5 : index
    kernel.for "i" (%i) in %N {
      %in = arith.cmpi ult, %i, %c5 : index
      scf.if %in {
        %v = kernel.load %X[%i] : memref<?xf32>
        kernel.update %v, %H[%i] : memref<8xf32> by arith.addf
      }
    }
  }
  return
}
}

// -----

// Least and largest floats by integers in their order, narrow ones by 32 bits.
// CHECK-LABEL: @extrema
// CHECK: %[[C:.*]] = kernel.local : memref<8xi32>
// CHECK: kernel.for "i"
// CHECK:   arith.xori %{{.*}}, %c2147483647_i32
// CHECK:   %[[N:.*]] = arith.cmpf uno
// CHECK:   %[[V:.*]] = arith.select %[[N]], %c-2147483648_i32
// CHECK:   kernel.update %[[V]], %[[C]][%{{.*}}] : memref<8xi32> by arith.minsi
// CHECK: %[[OLD:.*]] = kernel.load %H
// CHECK: arith.minimumf %[[OLD]]
// CHECK-LABEL: @narrow
// CHECK: %[[C:.*]] = kernel.local : memref<8xi32>
// CHECK:   %[[V:.*]] = arith.extsi
// CHECK:   kernel.update %[[V]], %[[C]][%{{.*}}] : memref<8xi32> by arith.maxsi
// CHECK: arith.trunci %{{.*}} : i32 to i8
module attributes {kernel.device = #kernel.device<"opencl", {}>} {
func.func @extrema(%x: memref<?xf32>, %h: memref<8xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.update %v, %H[%i] : memref<8xf32> by arith.minimumf
    }
  }
  return
}
func.func @narrow(%x: memref<?xi8>, %h: memref<8xi8>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi8>, %N = %n : index) outs (%H[8] = %h : memref<8xi8>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xi8>
      kernel.update %v, %H[%i] : memref<8xi8> by arith.maxsi
    }
  }
  return
}
}
