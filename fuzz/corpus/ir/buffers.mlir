module {
  func.func @f(%arg0: memref<?xf32>) -> memref<?xf32> attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "a", rank = 1 : i64, type = "f32[n]"}], arrc.results = [{dims = ["n"], element = "f32", name = "out", rank = 1 : i64, type = "f32[n]"}]} {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    kernel.launch @f_1 (%arg1 = %dim : index, %arg2[%arg1] = %arg0 : memref<?xf32>) outs (%arg3[%arg1] = %alloc : memref<?xf32>) {
      %cst = arith.constant 2.000000e+00 : f32
      kernel.for "i" (%i) in %arg1 {
        %0 = kernel.load %arg2[%i] : memref<?xf32>
        %1 = arith.mulf %0, %cst : f32
        kernel.store %1, %arg3[%i] : memref<?xf32>
      }
    }
    return %alloc : memref<?xf32>
  }
}
