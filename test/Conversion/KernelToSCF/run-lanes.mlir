// Vector loops compute what the same launch without levels computes. Numbers are
// small integers, so that every order of a sum is exact.
// RUN: arrc run %s --entry plain n=1003 > %t.plain
// RUN: arrc run %s --entry lanes n=1003 > %t.lanes
// RUN: diff %t.plain %t.lanes
// RUN: arrc run %s --entry plain n=15 > %t.plain
// RUN: arrc run %s --entry lanes n=15 > %t.lanes
// RUN: diff %t.plain %t.lanes
// RUN: FileCheck %s < %t.lanes

// CHECK: sum: f32 40
// CHECK: flags: i64 6

#tile = affine_map<(d0, d1) -> (d0 * 16 + d1)>
#next = affine_map<(d0) -> (d0 + 1)>
#back = affine_map<(d0)[s0] -> (s0 - 1 - d0)>
#twice = affine_map<(d0) -> ((d0 * 7) mod 11)>

func.func @plain(%n0: i64) -> (f32, i64, memref<?xf32>) attributes {arrc.export,
    arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
    arrc.results = [{name = "sum", element = "f32", rank = 0 : i64, type = "f32", dims = []},
                    {name = "flags", element = "i64", rank = 0 : i64, type = "int", dims = []},
                    {name = "r", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %bs = memref.alloc(%n) : memref<?xi1>
  %s = memref.alloc() : memref<f32>
  %fl = memref.alloc() : memref<i64>
  kernel.launch @fill (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %B[%N] = %bs : memref<?xi1>) {
    %c3 = arith.constant 3 : i64
    %c7 = arith.constant 7 : i64
    %z = arith.constant 0 : i64
    kernel.for "i" (%i) in %N {
        %k = arith.index_cast %i : index to i64
        %r = arith.remsi %k, %c7 : i64
        %q = arith.subi %r, %c3 : i64
        %f = arith.sitofp %q : i64 to f32
        kernel.store %f, %X[%i] : memref<?xf32>
        %p = arith.cmpi sgt, %q, %z : i64
        kernel.store %p, %B[%i] : memref<?xi1>
    }
  }
  kernel.launch @map (%X[%N] = %x : memref<?xf32>, %B[%N] = %bs : memref<?xi1>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
        %j = affine.apply #next(%i)
        %o = affine.apply #back(%i)[%N]
        %g = affine.apply #twice(%i)
        %a = kernel.load %X[%i] : memref<?xf32>
        %c = kernel.load %X[%j] edge [wrap] : memref<?xf32>
        %d = kernel.load %X[%j] edge [mirror] : memref<?xf32>
        %e = kernel.load %X[%o] : memref<?xf32>
        %h = kernel.load %X[%g] : memref<?xf32>
        %p = kernel.load %B[%i] : memref<?xi1>
        %1 = arith.addf %a, %c : f32
        %2 = arith.mulf %d, %e : f32
        %3 = arith.subf %2, %h : f32
        %4 = arith.select %p, %1, %3 : f32
        kernel.store %4, %Y[%i] : memref<?xf32>
    }
  }
  kernel.launch @fold (%X[%N] = %y : memref<?xf32>, %B[%N] = %bs : memref<?xi1>, %N = %n : index) outs (%S = %s : memref<f32>, %F = %fl : memref<i64>) {
    %z = arith.constant 0.0 : f32
    %zi = arith.constant 0 : i64
    %t:2 = kernel.for "i" (%i) in %N reduce (%z, %zi : f32, i64) by arith.addf, arith.addi {
      %a = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.load %B[%i] : memref<?xi1>
      %k = arith.extui %p : i1 to i64
      kernel.yield %a, %k : f32, i64
    }
    kernel.store %t#0, %S[] : memref<f32>
    kernel.store %t#1, %F[] : memref<i64>
  }
  %sv = memref.load %s[] : memref<f32>
  %fv = memref.load %fl[] : memref<i64>
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %bs : memref<?xi1>
  memref.dealloc %s : memref<f32>
  memref.dealloc %fl : memref<i64>
  return %sv, %fv, %y : f32, i64, memref<?xf32>
}

func.func @lanes(%n0: i64) -> (f32, i64, memref<?xf32>) attributes {arrc.export,
    arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []}],
    arrc.results = [{name = "sum", element = "f32", rank = 0 : i64, type = "f32", dims = []},
                    {name = "flags", element = "i64", rank = 0 : i64, type = "int", dims = []},
                    {name = "r", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %n = arith.index_cast %n0 : i64 to index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %bs = memref.alloc(%n) : memref<?xi1>
  %s = memref.alloc() : memref<f32>
  %fl = memref.alloc() : memref<i64>
  kernel.launch @fill (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %B[%N] = %bs : memref<?xi1>) {
    %c3 = arith.constant 3 : i64
    %c7 = arith.constant 7 : i64
    %z = arith.constant 0 : i64
    %nb = affine.apply affine_map<()[s0] -> (s0 ceildiv 16)>()[%N]
    kernel.for "i.0" (%b) in %nb at block.0 {
      kernel.for "i.1" (%v) in 16 at vector {
        %i = affine.apply #tile(%b, %v)
        %in = arith.cmpi slt, %i, %N : index
        %k = arith.index_cast %i : index to i64
        %r = arith.remsi %k, %c7 : i64
        %q = arith.subi %r, %c3 : i64
        %f = arith.sitofp %q : i64 to f32
        kernel.store %f, %X[%i] if %in : memref<?xf32>
        %p = arith.cmpi sgt, %q, %z : i64
        kernel.store %p, %B[%i] if %in : memref<?xi1>
      }
    }
  }
  kernel.launch @map (%X[%N] = %x : memref<?xf32>, %B[%N] = %bs : memref<?xi1>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %nb = affine.apply affine_map<()[s0] -> (s0 ceildiv 16)>()[%N]
    kernel.for "i.0" (%b) in %nb at block.0 {
      kernel.for "i.1" (%v) in 16 at vector {
        %i = affine.apply #tile(%b, %v)
        %in = arith.cmpi slt, %i, %N : index
        %j = affine.apply #next(%i)
        %o = affine.apply #back(%i)[%N]
        %g = affine.apply #twice(%i)
        %a = kernel.load %X[%i] if %in : memref<?xf32>
        %c = kernel.load %X[%j] edge [wrap] if %in : memref<?xf32>
        %d = kernel.load %X[%j] edge [mirror] if %in : memref<?xf32>
        %e = kernel.load %X[%o] if %in : memref<?xf32>
        %h = kernel.load %X[%g] if %in : memref<?xf32>
        %p = kernel.load %B[%i] if %in : memref<?xi1>
        %1 = arith.addf %a, %c : f32
        %2 = arith.mulf %d, %e : f32
        %3 = arith.subf %2, %h : f32
        %4 = arith.select %p, %1, %3 : f32
        kernel.store %4, %Y[%i] if %in : memref<?xf32>
      }
    }
  }
  kernel.launch @fold (%X[%N] = %y : memref<?xf32>, %B[%N] = %bs : memref<?xi1>, %N = %n : index) outs (%S = %s : memref<f32>, %F = %fl : memref<i64>) {
    %z = arith.constant 0.0 : f32
    %zi = arith.constant 0 : i64
    %nb = affine.apply affine_map<()[s0] -> (s0 ceildiv 16)>()[%N]
    %t:2 = kernel.for "i.1" (%v) in 16 at vector reduce (%z, %zi : f32, i64) by arith.addf, arith.addi {
      %u:2 = kernel.for "i.0" (%b) in %nb at seq reduce (%z, %zi : f32, i64) by arith.addf, arith.addi {
        %i = affine.apply #tile(%b, %v)
        %in = arith.cmpi slt, %i, %N : index
        %a = kernel.load %X[%i] if %in : memref<?xf32>
        %p = kernel.load %B[%i] if %in : memref<?xi1>
        %k = arith.extui %p : i1 to i64
        %as = arith.select %in, %a, %z : f32
        %ks = arith.select %in, %k, %zi : i64
        kernel.yield %as, %ks : f32, i64
      }
      kernel.yield %u#0, %u#1 : f32, i64
    }
    kernel.store %t#0, %S[] : memref<f32>
    kernel.store %t#1, %F[] : memref<i64>
  }
  %sv = memref.load %s[] : memref<f32>
  %fv = memref.load %fl[] : memref<i64>
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %bs : memref<?xi1>
  memref.dealloc %s : memref<f32>
  memref.dealloc %fl : memref<i64>
  return %sv, %fv, %y : f32, i64, memref<?xf32>
}
