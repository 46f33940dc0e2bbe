// The host's part of programs for a CUDA card, whose kernels a stub driver has:
// `axpy` adds a multiple of an array, `fails` fails at every third index.
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>,
    gpu.container_module,
    arrc.sites = [{file = "some.arr", line = 2 : i32, column = 3 : i32, kind = "size", message = "{0} of {1}", values = "ii"},
                  {file = "some.arr", line = 3 : i32, column = 5 : i32, kind = "index", message = "index {0} of {1}", values = "ii"},
                  {file = "some.arr", line = 4 : i32, column = 7 : i32, kind = "assert", message = "not so", values = ""}]} {
  memref.global "private" constant @table : memref<3xf32> = dense<[1.0, 10.0, 100.0]>
  gpu.binary @kernels {arrc.index_bits = 64 : i32, arrc.kernels = {axpy = "pp48", fails = "e48"}}
    [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".version 8.0\0A.target sm_90\0A.entry axpy()\0A.entry fails()">]

  // Constants are uploaded, elements filled and read, buffers copied.
  func.func @sums(%steps: i64) -> (memref<3xf32>, f32, i1, complex<f64>) attributes {arrc.export,
      arrc.params = [{name = "steps", element = "i64", rank = 0 : i64, type = "int", dims = []}],
      arrc.results = [{name = "out", element = "f32", rank = 1 : i64, type = "f32[3]", dims = ["3"]},
                      {name = "last", element = "f32", rank = 0 : i64, type = "f32", dims = []},
                      {name = "large", element = "bool", rank = 0 : i64, type = "bool", dims = []},
                      {name = "z", element = "c128", rank = 0 : i64, type = "c128", dims = []}]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c3_i32 = arith.constant 3 : i32
    %n = arith.constant 3 : i64
    %a = arith.constant 2.0 : f32
    %b = arith.constant 5.0 : f32
    %z = complex.constant [1.5, -2.5] : complex<f64>
    %table = memref.get_global @table : memref<3xf32>
    %sum = memref.alloc() : memref<3xf32>
    memref.copy %table, %sum : memref<3xf32> to memref<3xf32>
    memref.store %b, %sum[%c1] : memref<3xf32>
    %times = arith.index_cast %steps : i64 to index
    %flag = memref.alloc() : memref<i1>
    %i = memref.alloc() : memref<index>
    memref.store %c0, %i[] : memref<index>
    %some = arith.cmpi sgt, %times, %c0 : index
    memref.store %some, %flag[] : memref<i1>
    %out = memref.cast %sum : memref<3xf32> to memref<?xf32>
    kernel.iterate while (%go = %flag : memref<i1>) carry (%u[%c3] = %out : memref<?xf32>) {
      %pu = builtin.unrealized_conversion_cast %u : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
      %pt = builtin.unrealized_conversion_cast %table : memref<3xf32> to memref<1xf32, #gpu.address_space<global>>
      gpu.launch_func @kernels::@axpy blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1) dynamic_shared_memory_size %c3_i32
        args(%pu : memref<1xf32, #gpu.address_space<global>>, %pt : memref<1xf32, #gpu.address_space<global>>, %a : f32, %n : i64)
      %k = memref.load %i[] : memref<index>
      %next = arith.addi %k, %c1 : index
      memref.store %next, %i[] : memref<index>
      %more = arith.cmpi slt, %next, %times : index
      memref.store %more, %flag[] : memref<i1>
      kernel.continue while %go : memref<i1> carry %u : memref<?xf32>
    }
    %cell = memref.alloc() : memref<complex<f64>>
    memref.store %z, %cell[] : memref<complex<f64>>
    %w = memref.load %cell[] : memref<complex<f64>>
    %last = memref.load %sum[%c2] : memref<3xf32>
    %large = arith.cmpf ogt, %last, %b : f32
    memref.store %large, %flag[] : memref<i1>
    %read = memref.load %flag[] : memref<i1>
    memref.dealloc %cell : memref<complex<f64>>
    memref.dealloc %flag : memref<i1>
    memref.dealloc %i : memref<index>
    return %sum, %last, %read, %w : memref<3xf32>, f32, i1, complex<f64>
  }

  // The first error is that of the launch, though the host's check fails too.
  func.func @fails(%n: i64, %check: i1, %read: i1) -> f32 attributes {arrc.export,
      arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []},
                     {name = "check", element = "bool", rank = 0 : i64, type = "bool", dims = []},
                     {name = "read", element = "bool", rank = 0 : i64, type = "bool", dims = []}],
      arrc.results = [{name = "out", element = "f32", rank = 0 : i64, type = "f32", dims = []}]} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %site = arith.constant 1 : i32
    %seven = arith.constant 7.0 : f32
    %record = ub.poison : memref<1xi64, #gpu.address_space<global>>
    %cell = memref.alloc() : memref<f32>
    memref.store %seven, %cell[] : memref<f32>
    gpu.launch_func @kernels::@fails blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%record : memref<1xi64, #gpu.address_space<global>>, %site : i32, %n : i64)
    kernel.check assert %check, "not so" {arrc.site = 2 : i32}
    %out = scf.if %read -> f32 {
      %x = memref.load %cell[] : memref<f32>
      scf.yield %x : f32
    } else {
      scf.yield %seven : f32
    }
    memref.dealloc %cell : memref<f32>
    return %out : f32
  }
}
