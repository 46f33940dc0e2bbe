// RUN: arr-opt %s --kernel-split-loops | FileCheck %s
// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --convert-kernel-to-gpu | FileCheck %s --check-prefix=GPU

// Neighbours of a loop's own index lie one element outside at most, sums and
// differences of two no more than there are: they are turned without a division;
// others may lie any number of periods away.
// CHECK-LABEL: func.func @near(
// CHECK: kernel.load {{.*}} edge [wrap] {{.*}}kernel.near
// CHECK-LABEL: func.func @far(
// CHECK: kernel.load
// CHECK-NOT: kernel.near
// CHECK-LABEL: func.func @other_size(
// CHECK: kernel.load
// CHECK-NOT: kernel.near
// CHECK-LABEL: func.func @circular(
// CHECK: kernel.load {{.*}} edge [wrap] {{.*}}kernel.near
// CHECK: kernel.load {{.*}} edge [wrap] {{.*}}kernel.near
// CHECK: kernel.load {{.*}} edge [mirror] {{.*}}kernel.near
// CHECK: kernel.load
// CHECK-NOT: kernel.near
// GPU-LABEL: gpu.func @near
// GPU-NOT: arith.rem
// GPU: gpu.return
// GPU-LABEL: gpu.func @far
// GPU: arith.remsi
// GPU-LABEL: gpu.func @other_size
// GPU: arith.remsi
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @near(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @near (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256]> {
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %v = kernel.load %X[%k] edge [wrap] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @far(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @far (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256]> {
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
      %v = kernel.load %X[%k] edge [wrap] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @other_size(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @other_size (%X[%M] = %x : memref<?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256]> {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] edge [wrap] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @circular(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @circular (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256]> {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "k" (%k) in %N reduce (%zero : f32) by arith.addf {
        %a = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %k)
        %u = kernel.load %X[%a] edge [wrap] : memref<?xf32>
        %b = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %k)
        %v = kernel.load %X[%b] edge [wrap] : memref<?xf32>
        // From the last one back and beyond the first.
        %c = affine.apply affine_map<(d0, d1, d2) -> (d2 - d0 - d1 - 2)>(%i, %k, %N)
        %w = kernel.load %X[%c] edge [mirror] : memref<?xf32>
        %d = affine.apply affine_map<(d0, d1) -> (d0 - d1 - 2)>(%i, %k)
        %z = kernel.load %X[%d] edge [wrap] : memref<?xf32>
        %e = arith.addf %u, %v : f32
        %f = arith.addf %w, %z : f32
        %g = arith.addf %e, %f : f32
        kernel.yield %g : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}
