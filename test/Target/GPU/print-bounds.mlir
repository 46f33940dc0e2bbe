// RUN: arr-opt %s -gpu-print-bounds -o /dev/null 2>&1 | FileCheck %s

gpu.module @kernels {
  // One too many.
  // CHECK-LABEL: kernel @outside
  // CHECK-NEXT: store of arg0 {{.*}}, index 0: certainly outside, range (0, 128) of 128 (range)
  gpu.func @outside(%x: memref<128xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c129 = arith.constant 129 : index
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %c129 step %c1 {
      memref.store %one, %x[%i] : memref<128xf32>
    }
    gpu.return
  }

  // A condition keeps threads away; without it nothing does.
  // CHECK-LABEL: kernel @guarded
  // CHECK-NEXT: load of arg0 {{.*}}, index 0: kept as a check
  // CHECK-NEXT: store of arg0 {{.*}}, index 0: inside{{.*}} (presburger)
  gpu.func @guarded(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c256 : index
    %i = arith.addi %first, %t : index
    %v = memref.load %x[%i] : memref<?xf32>
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      memref.store %v, %x[%i] : memref<?xf32>
    }
    gpu.return
  }
}

gpu.module @bytes {
  // Four times a byte, with its sign: -128 at thread 32.
  // CHECK-LABEL: kernel @signed
  // CHECK: store of arg0 at line {{[0-9]+}}, index 0: certainly outside, range (-128, 124) of 512
  gpu.func @signed(%out: memref<512xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : i8
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %byte = arith.index_cast %t : index to i8
    %product = arith.muli %byte, %c4 : i8
    %at = arith.index_cast %product : i8 to index
    memref.store %zero, %out[%at] : memref<512xf32>
    gpu.return
  }

  // Eight times a byte, without: inside of 256.
  // CHECK-LABEL: kernel @unsigned
  // CHECK: store of arg0 at line {{[0-9]+}}, index 0: inside, range (0, 248) of 256
  gpu.func @unsigned(%out: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c8 = arith.constant 8 : i8
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %byte = arith.index_cast %t : index to i8
    %product = arith.muli %byte, %c8 : i8
    %at = arith.index_castui %product : i8 to index
    memref.store %zero, %out[%at] : memref<256xf32>
    gpu.return
  }
}
