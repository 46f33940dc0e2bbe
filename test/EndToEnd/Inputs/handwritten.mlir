// A sum over blocks: a tile in workgroup memory, a tree with barriers, an atomic
// a block; then a kernel over rows and columns.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%in: memref<?xi32>, %out: memref<1xi32>)
        workgroup(%tile: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %n = memref.dim %in, %c0 : memref<?xi32>
      %b = gpu.block_id x
      %d = gpu.block_dim x
      %t = gpu.thread_id x
      %start = arith.muli %b, %d : index
      %i = arith.addi %start, %t : index
      %inside = arith.cmpi ult, %i, %n : index
      %mine = scf.if %inside -> i32 {
        %x = memref.load %in[%i] : memref<?xi32>
        scf.yield %x : i32
      } else {
        scf.yield %zero : i32
      }
      memref.store %mine, %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %last = scf.while (%half = %c32) : (index) -> index {
        %goes = arith.cmpi uge, %half, %c1 : index
        scf.condition(%goes) %half : index
      } do {
      ^bb0(%half: index):
        %adds = arith.cmpi ult, %t, %half : index
        scf.if %adds {
          %other = arith.addi %t, %half : index
          %a = memref.load %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
          %o = memref.load %tile[%other] : memref<64xi32, #gpu.address_space<workgroup>>
          %s = arith.addi %a, %o : i32
          memref.store %s, %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %next = arith.divui %half, %c2 : index
        scf.yield %next : index
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %s = memref.load %tile[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
        %was = memref.atomic_rmw addi %s, %out[%c0] : (i32, memref<1xi32>) -> i32
      }
      gpu.return
    }
    gpu.func @scale(%in: memref<?x?xf32>, %out: memref<?x?xf32>, %by: f32) kernel {
      %i = gpu.block_id x
      %j = gpu.thread_id x
      %x = memref.load %in[%i, %j] : memref<?x?xf32>
      %y = arith.mulf %x, %by : f32
      memref.store %y, %out[%i, %j] : memref<?x?xf32>
      gpu.return
    }
  }
  func.func @total(%in: memref<?xi32>) -> memref<1xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %n = memref.dim %in, %c0 : memref<?xi32>
    %blocks = arith.ceildivui %n, %c64 : index
    %out = memref.alloc() : memref<1xi32>
    memref.store %zero, %out[%c0] : memref<1xi32>
    gpu.launch_func @kernels::@sum blocks in (%blocks, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%in : memref<?xi32>, %out : memref<1xi32>)
    return %out : memref<1xi32>
  }
  func.func @scaled(%in: memref<?x?xf32>, %by: f32) -> memref<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %in, %c0 : memref<?x?xf32>
    %m = memref.dim %in, %c1 : memref<?x?xf32>
    %out = memref.alloc(%n, %m) : memref<?x?xf32>
    gpu.launch_func @kernels::@scale blocks in (%n, %c1, %c1) threads in (%m, %c1, %c1)
      args(%in : memref<?x?xf32>, %out : memref<?x?xf32>, %by : f32)
    return %out : memref<?x?xf32>
  }
}
