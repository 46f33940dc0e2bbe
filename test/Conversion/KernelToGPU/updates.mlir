// RUN: arr-opt %s --convert-kernel-to-gpu --split-input-file | FileCheck %s

// Two neighbouring updates of memory: one by a lane if all lanes have one
// element, else one a thread if its two are one element.
// CHECK-LABEL: gpu.func @memory
// CHECK: %[[A:.*]] = arith.select %[[P:.*]], %{{.*}}, %c-1
// CHECK: %[[ALL:.*]] = gpu.subgroup_reduce and %{{.*}} uniform : (i1) -> i1
// CHECK: scf.if %[[ALL]] {
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: scf.if
// CHECK-NEXT: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%[[A]]]
// CHECK: } else {
// CHECK: arith.cmpi ne
// CHECK: memref.atomic_rmw addi
// CHECK: arith.select
// CHECK: memref.atomic_rmw addi
// CHECK: }
// CHECK: gpu.return
// Copies of an element are one element.
// CHECK-LABEL: gpu.func @copies
// CHECK: %[[K:.*]] = arith.shrsi %[[AT:.*]], %c2
// CHECK: gpu.subgroup_reduce
// CHECK: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%[[AT]]]
// CHECK: gpu.return
// What hardly runs, and integers of 32 bits on chip, are left alone.
// CHECK-LABEL: gpu.func @rare
// CHECK-NOT: subgroup_reduce
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @chip
// CHECK-NOT: subgroup_reduce
// CHECK: gpu.return
// Lanes that are not all there are not asked.
// CHECK-LABEL: gpu.func @apart
// CHECK-NOT: subgroup_reduce
// CHECK: gpu.return
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90", max_threads = 1024 : i64, ordered_blocks = 1 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64, int64_atomics = 1}>} {
func.func @f(%x: memref<?xi32>, %h: memref<?xi32>, %g: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @memory (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%t) in 64 at thread.x {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1 * 2)>(%b, %t)
        %i1 = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1 * 2 + 1)>(%b, %t)
        %a = kernel.load %X[%i] : memref<?xi32>
        %c = kernel.load %X[%i1] : memref<?xi32>
        %k = arith.index_cast %a : i32 to index
        %k1 = arith.index_cast %c : i32 to index
        %p = arith.cmpi ult, %k, %M : index
        kernel.update %a, %H[%k] if %p : memref<?xi32> by arith.addi
        kernel.update %c, %H[%k1] : memref<?xi32> by arith.addi
      }
    }
  }
  kernel.launch @copies (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%t) in 64 at thread.x {
        %a = kernel.load %X[%t] : memref<?xi32>
        %k = arith.index_cast %a : i32 to index
        kernel.update %a, %H[%k] : memref<?xi32> by arith.addi {kernel.copies = 4 : i64}
      }
    }
  }
  kernel.launch @rare (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%t) in 64 at thread.x {
        %a = kernel.load %X[%t] : memref<?xi32>
        kernel.update %a, %H[%b] : memref<?xi32> by arith.addi {kernel.rare}
      }
    }
  }
  kernel.launch @chip (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    kernel.for "i" (%b) in %N at block.0 {
      %c = kernel.local : memref<64xi32, #kernel.space<shared>>
      kernel.for "j" (%t) in 64 at thread.x {
        %a = kernel.load %X[%t] : memref<?xi32>
        %k = arith.index_cast %a : i32 to index
        kernel.update %a, %c[%k] : memref<64xi32, #kernel.space<shared>> by arith.addi
      }
      kernel.for "k" (%t) in 64 at thread.x {
        %a = kernel.load %c[%t] : memref<64xi32, #kernel.space<shared>>
        kernel.store %a, %H[%t] : memref<?xi32>
      }
    }
  }
  kernel.launch @apart (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%t) in 64 at thread.x {
        %q = arith.cmpi ult, %t, %N : index
        scf.if %q {
          %a = kernel.load %X[%t] : memref<?xi32>
          kernel.update %a, %H[%b] : memref<?xi32> by arith.addi
        }
      }
    }
  }
  return
}
}
