module {
  func.func @f(%arg0: memref<?xf32>) -> memref<?xf32> attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "a", rank = 1 : i64, type = "f32[n]"}], arrc.results = [{dims = ["n"], element = "f32", name = "out", rank = 1 : i64, type = "f32[n]"}]} {
    %c1 = arith.constant 1 : index
    %c8192 = arith.constant 8192 : index
    %cst = arith.constant 2.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    %0 = arith.ceildivsi %dim, %c8192 : index
    scf.parallel (%arg1) = (%c0) to (%0) step (%c1) {
      %1 = arith.muli %arg1, %c8192 : index
      %2 = arith.addi %1, %c8192 : index
      %3 = arith.minsi %2, %dim : index
      scf.for %arg2 = %1 to %3 step %c1 {
        %4 = memref.load %arg0[%arg2] : memref<?xf32>
        %5 = arith.mulf %4, %cst : f32
        memref.store %5, %alloc[%arg2] : memref<?xf32>
      }
      scf.reduce 
    } {arrc.noalias}
    return %alloc : memref<?xf32>
  }
}
