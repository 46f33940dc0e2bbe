// RUN: arr-opt %s --split-input-file --verify-diagnostics

func.func @launch_c1_type(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{[C1] argument 0 of type 'memref<?xf64>' cannot stand for 'memref<?xf32>'}}
  kernel.launch @k (%X[%N] = %x : memref<?xf32> as memref<?xf64>, %N = %n : index) {
  }
  return
}

// -----

// A dynamic size cannot be known inside only.
func.func @launch_c1_size(%x: tensor<?xf32>) {
  // expected-error @+1 {{[C1] argument 0 of type 'memref<8xf32>' cannot stand for 'tensor<?xf32>'}}
  kernel.launch @k (%X[8] = %x : tensor<?xf32> as memref<8xf32>) {
  }
  return
}

// -----

// Strides of the operand are those of the argument.
func.func @launch_c1_strides(%x: memref<?x?xf32, strided<[?, 1]>>, %n: index) {
  // expected-error @+1 {{[C1] argument 0 of type 'memref<?x?xf32>' cannot stand for}}
  kernel.launch @k (%X[%N, %N] = %x : memref<?x?xf32, strided<[?, 1]>> as memref<?x?xf32>, %N = %n : index) {
  }
  return
}

// -----

func.func @launch_c3_foreign(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %c = arith.constant 0 : index
    // expected-error @+1 {{[C3] cannot stand in a launch}}
    %v = memref.load %X[%c] : memref<?xf32>
  }
  return
}

// -----

func.func @launch_c4_store(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{[C4] writes before the first root loop}}
    kernel.store %z, %X[] : memref<f32>
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

func.func @launch_c5_roots(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    kernel.for "i" (%i) in %N at block.0 {
    }
    // expected-error @+1 {{[C5] with levels, each root loop has one}}
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

func.func @launch_c6_number(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{[C6] a size is named by an argument of the launch where it is dynamic}}
  kernel.launch @k (%N = %n : index) outs (%X[8] = %x : memref<?xf32>) {
  }
  return
}

// -----

func.func @launch_c6_missing(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{[C6] the brackets of argument 1 must name each of its dimensions}}
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<?xf32>) {
  }
  return
}

// -----

func.func @launch_c6_other_number(%x: memref<4xf32>) {
  // expected-error @+1 {{[C6] argument 0 has size 4, not 8}}
  kernel.launch @k () outs (%X[8] = %x : memref<4xf32>) {
  }
  return
}

// -----

func.func @launch_c6_no_index(%x: memref<?xf32>, %n: i64) {
  // expected-error @+1 {{[C6] a dynamic size of argument 1 must be an 'index' argument of the launch}}
  kernel.launch @k (%N = %n : i64) outs (%X[%N] = %x : memref<?xf32>) {
  }
  return
}

// -----

func.func @launch_versions(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{every version but the last has a condition}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) versions [<i = [seq]>, <i = [block.0]>] {
  }
  return
}

// -----

func.func @for_c1_yield(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{[C1] must yield one value a seed}}
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
    }
  }
  return
}

// -----

func.func @for_c1_combiner(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{the operator must take the accumulators, then as many values}}
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by (%a: f32) {
      kernel.yield %a : f32
    } {
      kernel.yield %z : f32
    }
  }
  return
}

// -----

func.func @for_c1_operator(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{operator 'arith.negf' does not combine two values}}
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.negf {
      kernel.yield %z : f32
    }
  }
  return
}

// -----

func.func @for_c2_no_prefix(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{[C2] a scan has one 'kernel.prefix' in its body}}
    %s = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
    }
  }
  return
}

// -----

func.func @for_c2_not_scan(%x: memref<f32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X = %x : memref<f32>) {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{[C2] has a 'kernel.prefix' and is no scan}}
    kernel.for "i" (%i) in %N {
      %p = kernel.prefix %z : f32
    }
  }
  return
}

// -----

func.func @for_c3_twice(%n: index) {
  kernel.launch @k (%N = %n : index) {
    kernel.for "i" (%i) in %N at block.0 {
      // expected-error @+1 {{[C3] this level occurs twice on a path}}
      kernel.for "j" (%j) in %N at block.0 {
      }
    }
  }
  return
}

// -----

func.func @for_c3_block_below_thread(%n: index) {
  kernel.launch @k (%N = %n : index) {
    kernel.for "i" (%i) in 32 at thread.x {
      // expected-error @+1 {{[C3] a block loop below a thread loop reduces}}
      kernel.for "j" (%j) in %N at block.0 {
      }
    }
  }
  return
}

// -----

func.func @for_c4_extent(%n: index) {
  kernel.launch @k (%N = %n : index) {
    // expected-error @+1 {{[C4] the extent at this level must be a number}}
    kernel.for "i" (%i) in %N at vector {
    }
  }
  return
}

// -----

func.func @for_c4_copies() {
  kernel.launch @k () {
    // expected-error @+1 {{[C4] has more than 1024 copies}}
    kernel.for "i" (%i) in 1025 at unroll {
    }
  }
  return
}

// -----

func.func @for_c4_lanes() {
  kernel.launch @k () {
    // expected-error @+1 {{[C4] a vector has a lane}}
    kernel.for "i" (%i) in 0 at vector {
    }
  }
  return
}

// -----

func.func @for_c5_divergent(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in 32 at thread.x {
      %p = arith.cmpi slt, %i, %N : index
      scf.if %p {
        // expected-error @+1 {{[C5] folds across threads under a branch that depends on one}}
        %s = kernel.for "j" (%j) in 4 at thread.y reduce (%z : f32) by arith.addf {
          kernel.yield %z : f32
        }
      }
    }
  }
  return
}

// -----

func.func @load_c1(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    // expected-error @+1 {{[C1] needs one index a dimension}}
    %v = kernel.load %X[] : memref<?xf32>
  }
  return
}

// -----

func.func @load_c2(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    // expected-error @+1 {{[C2] needs one edge mode a dimension}}
    %v = kernel.load %X[%N] edge [clamp, clamp] : memref<?xf32>
  }
  return
}

// -----

func.func @local_c1(%n: index) {
  kernel.launch @k (%N = %n : index) {
    // expected-error @+1 {{[C1] needs one size a dynamic dimension}}
    %v = kernel.local : memref<?xf32>
  }
  return
}

// -----

func.func @local_c2(%n: index) {
  kernel.launch @k (%N = %n : index) {
    // expected-error @+1 {{[C2] registers have constant sizes}}
    %v = kernel.local (%N) : memref<?xf32, #kernel.space<register>>
  }
  return
}

// -----

func.func @iterate_c1(%x: tensor<f32>, %n: index) {
  %t = kernel.iterate times (%k in %n) carry (%a = %x : tensor<f32>) {
    // expected-error @+1 {{[C1] cannot stand in a time loop}}
    %g = func.call @g() : () -> f32
    kernel.continue carry %a : tensor<f32>
  }
  return
}
func.func private @g() -> f32

// -----

func.func @iterate_c2(%x: tensor<f32>) {
  // expected-error @+1 {{[C2] needs 'times' or 'while'}}
  %t = kernel.iterate carry (%a = %x : tensor<f32>) {
    kernel.continue carry %a : tensor<f32>
  }
  return
}

// -----

func.func @iterate_c3(%x: tensor<f32>, %n: index) {
  %t = kernel.iterate times (%k in %n) carry (%a = %x : tensor<f32>) {
    // expected-error @+1 {{[C3] must name one value a carried array, and the flag}}
    kernel.continue
  }
  return
}

// -----

func.func @iterate_c4(%x: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{[C4] the brackets must name each dimension of the array}}
  %t = kernel.iterate times (%k in %n) carry (%a = %x : tensor<?xf32>) {
    kernel.continue carry %a : tensor<?xf32>
  }
  return
}

// -----

// expected-error @+1 {{dimension 'i' has two digits without a size}}
func.func private @schedule_open() attributes {s = #kernel.schedule<i = [seq, vector]>}

// -----

// expected-error @+1 {{the order names the unknown digit 'j.0'}}
func.func private @schedule_order() attributes {s = #kernel.schedule<i = [seq, vector 4], order = [j.0]>}

// -----

// expected-error @+1 {{threads are dealt out where there is no clause beside it but 'split boundary'}}
func.func private @deal_order() attributes {s = #kernel.schedule<i = [block.0, thread.x 32], order = [i.0, i.1], deal threads>}

// -----

// expected-error @+1 {{threads are not dealt out to 'i': the threads are a power of two}}
func.func private @deal_power() attributes {s = #kernel.schedule<i = [block.0, thread.x 48], deal threads>}

// -----

// expected-error @+1 {{threads are not dealt out to 'i': the digits are block, unroll, thread and vector, in this order}}
func.func private @deal_digits() attributes {s = #kernel.schedule<i = [block.0, thread.x 32, unroll 4], deal threads>}

// -----

// expected-error @+1 {{threads are not dealt out to 'i': blocks take what is left}}
func.func private @deal_blocks() attributes {s = #kernel.schedule<i = [thread.x 32], deal threads>}

// -----

// expected-error @+1 {{threads are not dealt out to 'i': blocks take what is left}}
func.func private @deal_open() attributes {s = #kernel.schedule<i = [block.0 8, thread.x 32], deal threads>}

// -----

// expected-error @+1 {{unknown level 'thread.w'}}
func.func private @schedule_level() attributes {s = #kernel.schedule<i = [thread.w 4]>}

// -----

func.func @launch_versions_width(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{the last version serves all sizes: it has no 'index 32'}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (4 - s0 >= 0)>, i = [seq]>, <i = [block.0], index 32>] of (%N) {
  }
  return
}

// -----

// expected-error @+1 {{warps do not multiply matrices: a block has 4 threads along x and a multiple of 8 along y}}
func.func private @multiply_threads() attributes {s = #kernel.schedule<i = [block.1, thread.y 4], j = [block.0, thread.x 4, unroll 2], multiply matrices>}

// -----

// expected-error @+1 {{warps do not multiply matrices: a thread along x has two neighbouring results}}
func.func private @multiply_pairs() attributes {s = #kernel.schedule<i = [block.1, thread.y 8], j = [block.0, thread.x 4], multiply matrices>}
