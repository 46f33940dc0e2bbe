#map = affine_map<(d0) -> (d0 ceildiv 16384)>
#map1 = affine_map<(d0) -> (d0 * 16384)>
#map2 = affine_map<(d0) -> (d0 ceildiv 16)>
#map3 = affine_map<(d0, d1) -> ((d0 * -16384 + d1 - 15) ceildiv 16)>
#map4 = affine_map<(d0, d1, d2) -> (d0 + d1 * 16 + d2 * 16384)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0 + d1 * 16384 + d2 * 16 + d3 * 16)>
module {
  func.func @f(%arg0: memref<?xf32>) -> memref<?xf32> attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "a", rank = 1 : i64, type = "f32[n]"}], arrc.results = [{dims = ["n"], element = "f32", name = "out", rank = 1 : i64, type = "f32[n]"}]} {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    kernel.launch @f_1 (%arg1 = %dim : index, %arg2[%arg1] = %arg0 : memref<?xf32>) outs (%arg3[%arg1] = %alloc : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 1024, vector 16], order = [i.0, i.2, i.1], split boundary> {
      %c1024 = arith.constant 1024 : index
      %c0_0 = arith.constant 0 : index
      %cst = arith.constant 2.000000e+00 : f32
      %0 = affine.apply #map(%arg1)
      kernel.for "i.0" (%i) in %0 at block.0 {
        kernel.for "i.2" (%i_1) in 16 at vector {
          %1 = affine.apply #map1(%i)
          %2 = arith.subi %arg1, %1 : index
          %3 = affine.apply #map2(%2)
          %4 = arith.maxsi %3, %c0_0 : index
          %5 = arith.minsi %4, %c1024 : index
          %6 = affine.apply #map3(%i, %arg1)
          %7 = arith.minsi %5, %6 : index
          %8 = arith.maxsi %7, %c0_0 : index
          kernel.for "i.1" (%i_2) in %8 at seq {
            %10 = affine.apply #map4(%i_1, %i_2, %i)
            %11 = kernel.load %arg2[%10] : memref<?xf32>
            %12 = arith.mulf %11, %cst : f32
            kernel.store %12, %arg3[%10] : memref<?xf32>
          }
          %9 = arith.subi %5, %8 : index
          kernel.for "i.1" (%i_2) in %9 at seq {
            %10 = affine.apply #map5(%i_1, %i, %i_2, %8)
            %11 = arith.cmpi slt, %10, %arg1 : index
            %12 = kernel.load %arg2[%10] if %11 : memref<?xf32>
            %13 = arith.mulf %12, %cst : f32
            kernel.store %13, %arg3[%10] if %11 : memref<?xf32>
          }
        }
      }
    }
    return %alloc : memref<?xf32>
  }
}
