// Blocks share the fold. See dealt-folds.arr.
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_75", f16 = 1 : i64, f64 = 1 : i64, float_atomics = 1 : i64, int64_atomics = 1 : i64, max_threads = 1024 : i64, ordered_blocks = 1 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64, unit_threads = 1024 : i64, units = 132 : i64, vector_bytes = 16 : i64}>} {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) -> memref<?xf32> attributes {arrc.export, arrc.params = [{dims = ["n", "m"], element = "f32", name = "a", rank = 2 : i64, type = "f32[n, m]"}, {dims = ["m", "n"], element = "f32", name = "b", rank = 2 : i64, type = "f32[m, n]"}], arrc.results = [{dims = ["n"], element = "f32", name = "out", rank = 1 : i64, type = "f32[n]"}]} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %1 = arith.index_cast %dim_0 : index to i64
    %dim_1 = memref.dim %arg1, %c0 : memref<?x?xf32>
    %2 = arith.index_cast %dim_1 : index to i64
    %dim_2 = memref.dim %arg1, %c1 : memref<?x?xf32>
    %3 = arith.index_cast %dim_2 : index to i64
    %4 = arith.cmpi eq, %2, %1 : i64
    array.check  input %4, "dimension 0 of 'b' is {0}, but m is {1}"[%2, %1 : i64, i64]
    %5 = arith.cmpi eq, %3, %0 : i64
    array.check  input %5, "dimension 1 of 'b' is {0}, but n is {1}"[%3, %0 : i64, i64]
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    kernel.launch @f_9 (%arg2 = %dim : index, %arg3 = %dim_0 : index, %A[%arg2, %arg3] = %arg0 : memref<?x?xf32>, %B[%arg3, %arg2] = %arg1 : memref<?x?xf32>) outs (%arg6[%arg2] = %alloc : memref<?xf32>) {
      %cst = arith.constant 0x7F800000 : f32
      kernel.for "i" (%i) in %arg2 {
        %6 = kernel.for "j" (%j) in %arg3 reduce (%cst : f32) by arith.minimumf {
          %7 = kernel.load %A[%i, %j] : memref<?x?xf32>
          %8 = kernel.load %B[%j, %i] : memref<?x?xf32>
          %9 = arith.mulf %7, %8 : f32
          kernel.yield %9 : f32
        }
        kernel.store %6, %arg6[%i] : memref<?xf32>
      }
    }
    return %alloc : memref<?xf32>
  }
}
