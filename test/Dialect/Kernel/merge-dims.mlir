// RUN: arr-opt %s --kernel-merge-dims --split-input-file | FileCheck %s

// Work between the loops.
// CHECK-LABEL: @no_between
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_between(%n: index, %m: index, %x: memref<?x?xf32>, %v: memref<?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @between (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%V[%N] = %v : memref<?xf32>, %Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      %c = arith.constant 1.0 : f32
      kernel.store %c, %V[%i] : memref<?xf32>
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// An array along one of both; then the other two merge alone.
// CHECK-LABEL: @no_broadcast
// CHECK: kernel.for "i_j" (%[[Q:.*]]) in
// CHECK-NEXT: kernel.for "k" (%[[K:.*]]) in
// CHECK-NEXT: kernel.load %{{.*}}[%[[Q]], %[[K]]]
// CHECK-NEXT: kernel.load %{{.*}}[%[[K]]]
func.func @no_broadcast(%n: index, %m: index, %k: index, %x: memref<?x?x?xf32>, %v: memref<?xf32>, %y: memref<?x?x?xf32>) {
  kernel.launch @broadcast (%N = %n : index, %M = %m : index, %K = %k : index, %X[%N, %M, %K] = %x : memref<?x?x?xf32>, %V[%K] = %v : memref<?xf32>) outs (%Y[%N, %M, %K] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        kernel.for "k" (%l) in %K {
          %a = kernel.load %X[%i, %j, %l] : memref<?x?x?xf32>
          %b = kernel.load %V[%l] : memref<?xf32>
          %c = arith.addf %a, %b : f32
          kernel.store %c, %Y[%i, %j, %l] : memref<?x?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// A shift, a boundary, an index that is a value, a check that names it, a
// transposed array, a view with gaps, equal sizes under two names.
// CHECK-LABEL: @no_shift
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_shift(%n: index, %m: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @shift (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %l = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
        %a = kernel.load %X[%i, %l] edge [none, clamp] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// Rows past the end are the last one again.
// CHECK-LABEL: @no_edge
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_edge(%n: index, %m: index, %k: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @edge (%N = %n : index, %M = %m : index, %K = %k : index, %X[%K, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] edge [clamp, none] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_value
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_value(%n: index, %m: index, %y: memref<?x?xindex>) {
  kernel.launch @value (%N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xindex>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        kernel.store %j, %Y[%i, %j] : memref<?x?xindex>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_check
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_check(%n: index, %m: index, %x: memref<?x?xi1>, %y: memref<?x?xi1>) {
  kernel.launch @check (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xi1>) outs (%Y[%N, %M] = %y : memref<?x?xi1>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xi1>
        kernel.check assert %a, "element {0} {1}" [%i, %j : index, index]
        kernel.store %a, %Y[%i, %j] : memref<?x?xi1>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_transpose
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_transpose(%n: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @transpose (%N = %n : index, %X[%N, %N] = %x : memref<?x?xf32>) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %N {
        %a = kernel.load %X[%j, %i] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_gaps
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_gaps(%n: index, %x: memref<?x4xf32, strided<[8, 1]>>, %y: memref<?x4xf32>) {
  kernel.launch @gaps (%N = %n : index, %X[%N, 4] = %x : memref<?x4xf32, strided<[8, 1]>>) outs (%Y[%N, 4] = %y : memref<?x4xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 4 {
        %a = kernel.load %X[%i, %j] : memref<?x4xf32, strided<[8, 1]>>
        kernel.store %a, %Y[%i, %j] : memref<?x4xf32>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_two_names
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_two_names(%n: index, %m: index, %k: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @names (%N = %n : index, %M = %m : index, %K = %k : index, %X[%N, %K] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// A part of the rows: the rest of each would be walked, too.
// CHECK-LABEL: @no_part
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_part(%n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  kernel.launch @part (%N = %n : index, %X[%N, 8] = %x : memref<?x8xf32>) outs (%Y[%N, 8] = %y : memref<?x8xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 4 {
        %a = kernel.load %X[%i, %j] : memref<?x8xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x8xf32>
      }
    }
  }
  return
}
// One argument walks the buffer in rows, another in columns.
// CHECK-LABEL: @no_one_buffer
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_one_buffer(%n: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @buffer (%N = %n : index, %X[%N, %N] = %x : memref<?x?xf32>, %Z[%N, %N] = %x : memref<?x?xf32>) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %N {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = kernel.load %Z[%j, %i] : memref<?x?xf32>
        %c = arith.addf %a, %b : f32
        kernel.store %c, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// CHECK-LABEL: @no_scheduled
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_scheduled(%n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  kernel.launch @scheduled (%N = %n : index, %X[%N, 4] = %x : memref<?x4xf32>) outs (%Y[%N, 4] = %y : memref<?x4xf32>) schedule #kernel.schedule<i = [block.0]> {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 4 {
        %a = kernel.load %X[%i, %j] : memref<?x4xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x4xf32>
      }
    }
  }
  return
}

// -----

// CHECK-LABEL: @map
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: memref<?x2x2x2xf32>, %[[Y:.*]]: memref<?x2x2x2xf32>)
// CHECK: %[[P:.*]] = arith.muli %[[N]], %c8
// CHECK: %[[XV:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1, 2, 3]] : memref<?x2x2x2xf32> into memref<?xf32>
// CHECK: %[[YV:.*]] = memref.collapse_shape %[[Y]]
// CHECK: kernel.launch @map (%[[XA:.*]][%[[S:.*]]] = %[[XV]] : memref<?xf32>, %[[S]] = %[[P]] : index) outs (%[[YA:.*]][%[[S]]] = %[[YV]] : memref<?xf32>)
// CHECK: kernel.for "i_j_k_l" (%[[Q:.*]]) in %[[S]] {
// CHECK-NEXT: %[[V:.*]] = kernel.load %[[XA]][%[[Q]]]
// CHECK-NEXT: kernel.store %[[V]], %[[YA]][%[[Q]]]
// CHECK-NOT: memref.copy
func.func @map(%n: index, %x: memref<?x2x2x2xf32>, %y: memref<?x2x2x2xf32>) {
  kernel.launch @map (%N = %n : index, %X[%N, 2, 2, 2] = %x : memref<?x2x2x2xf32>) outs (%Y[%N, 2, 2, 2] = %y : memref<?x2x2x2xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 2 {
        kernel.for "k" (%k) in 2 {
          kernel.for "l" (%l) in 2 {
            %v = kernel.load %X[%i, %j, %k, %l] : memref<?x2x2x2xf32>
            kernel.store %v, %Y[%i, %j, %k, %l] : memref<?x2x2x2xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// Numbers stay numbers; a complex element is one.
// CHECK-LABEL: @numbers
// CHECK: kernel.launch @numbers (%[[X:.*]][12] = %{{.*}} : memref<12xcomplex<f32>>)
// CHECK: kernel.for "i_j" (%{{.*}}) in 12
func.func @numbers(%x: memref<3x4xcomplex<f32>>, %y: memref<3x4xcomplex<f32>>) {
  kernel.launch @numbers (%X[3, 4] = %x : memref<3x4xcomplex<f32>>) outs (%Y[3, 4] = %y : memref<3x4xcomplex<f32>>) {
    kernel.for "i" (%i) in 3 {
      kernel.for "j" (%j) in 4 {
        %v = kernel.load %X[%i, %j] : memref<3x4xcomplex<f32>>
        kernel.store %v, %Y[%i, %j] : memref<3x4xcomplex<f32>>
      }
    }
  }
  return
}

// -----

// One buffer under two names, updated in place, is one view.
// CHECK-LABEL: @in_place
// CHECK: %[[V:.*]] = memref.collapse_shape
// CHECK-NOT: memref.collapse_shape
// CHECK: kernel.launch @in_place (%{{.*}} = %[[V]] {{.*}} outs (%{{.*}} = %[[V]]
func.func @in_place(%n: index, %x: memref<?x4xi8>) {
  kernel.launch @in_place (%N = %n : index, %X[%N, 4] = %x : memref<?x4xi8>) outs (%Y[%N, 4] = %x : memref<?x4xi8>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 4 {
        %v = kernel.load %X[%i, %j] : memref<?x4xi8>
        kernel.store %v, %Y[%i, %j] : memref<?x4xi8>
      }
    }
  }
  return
}

// -----

// Sums over neighbouring axes: [i_j | l_m].
// CHECK-LABEL: @folds
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index, %[[K:.*]]: index, %[[L:.*]]: index,
// CHECK-DAG: %[[NM:.*]] = arith.muli %[[N]], %[[M]]
// CHECK-DAG: %[[KL:.*]] = arith.muli %[[K]], %[[L]]
// CHECK: kernel.for "i_j" (%[[Q:.*]]) in
// CHECK-NEXT: %[[S:.*]] = kernel.for "l_m" (%[[R:.*]]) in %{{.*}} reduce ({{.*}}) by arith.addf {
// CHECK-NEXT: %[[V:.*]] = kernel.load %{{.*}}[%[[Q]], %[[R]]]
// CHECK-NEXT: kernel.yield %[[V]]
// CHECK-NEXT: }
// CHECK-NEXT: kernel.store %[[S]], %{{.*}}[%[[Q]]]
func.func @folds(%n: index, %m: index, %k: index, %l: index, %x: memref<?x?x?x?xf32>, %y: memref<?x?xf32>) {
  kernel.launch @folds (%N = %n : index, %M = %m : index, %K = %k : index, %L = %l : index, %X[%N, %M, %K, %L] = %x : memref<?x?x?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%a) in %K reduce (%z : f32) by arith.addf {
          %t = kernel.for "m" (%b) in %L reduce (%z : f32) by arith.addf {
            %v = kernel.load %X[%i, %j, %a, %b] : memref<?x?x?x?xf32>
            kernel.yield %v : f32
          }
          kernel.yield %t : f32
        }
        kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Folds by different operators, or from different seeds, stay.
// CHECK-LABEL: @no_operator
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_operator(%n: index, %m: index, %x: memref<?x?xf32>, %y: memref<f32>) {
  kernel.launch @operator (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y = %y : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %s, %Y[] : memref<f32>
  }
  return
}
// CHECK-LABEL: @no_seed
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_seed(%n: index, %m: index, %x: memref<?x?xf32>, %y: memref<f32>) {
  kernel.launch @seed (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y = %y : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %o = arith.constant 1.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %t = kernel.for "j" (%j) in %M reduce (%o : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %s, %Y[] : memref<f32>
  }
  return
}

// -----

// A local loses the dimensions, too.
// CHECK-LABEL: @local
// CHECK: kernel.for "i"
// CHECK: %[[E:.*]] = kernel.local (%[[MK:.*]]) : memref<?xf32>
// CHECK: kernel.for "j_k" (%[[Q:.*]]) in %[[MK]]
// CHECK: kernel.store %{{.*}}, %[[E]][%[[Q]]]
// CHECK: kernel.for "j_k" (%[[R:.*]]) in %[[MK]]
// CHECK: kernel.load %[[E]][%[[R]]]
func.func @local(%n: index, %m: index, %k: index, %x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  kernel.launch @local (%N = %n : index, %M = %m : index, %K = %k : index, %X[%N, %M, %K] = %x : memref<?x?x?xf32>) outs (%Y[%N, %M, %K] = %y : memref<?x?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M, %K) : memref<?x?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %t = kernel.for "k" (%l) in %K reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j, %l] : memref<?x?x?xf32>
          %w = math.exp %v : f32
          kernel.store %w, %e[%j, %l] : memref<?x?xf32>
          kernel.yield %w : f32
        }
        kernel.yield %t : f32
      }
      kernel.for "j" (%j) in %M {
        kernel.for "k" (%l) in %K {
          %v = kernel.load %e[%j, %l] : memref<?x?xf32>
          %w = arith.divf %v, %s : f32
          kernel.store %w, %Y[%i, %j, %l] : memref<?x?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// A time loop: sizes are multiplied once before it.
// CHECK-LABEL: @time
// CHECK: arith.muli
// CHECK: scf.for
// CHECK-NOT: arith.muli
// CHECK: kernel.for "i_j"
func.func @time(%t: index, %n: index, %x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %t step %c1 {
    kernel.launch @time (%N = %n : index) outs (%X[%N, %N] = %x : memref<?x?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N {
        kernel.for "j" (%j) in %N {
          kernel.store %z, %X[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// A count that the device knows: multiplied there.
// CHECK-LABEL: @loaded
// CHECK: %[[L:.*]] = kernel.load
// CHECK: %[[P:.*]] = arith.muli %[[L]], %c4
// CHECK: kernel.for "i_j" (%{{.*}}) in %[[P]]
func.func @loaded(%n: index, %len: memref<index>, %x: memref<?x4xf32>) {
  kernel.launch @loaded (%N = %n : index, %Len = %len : memref<index>) outs (%X[%N, 4] = %x : memref<?x4xf32>) {
    %z = arith.constant 0.0 : f32
    %l = kernel.load %Len[] : memref<index>
    kernel.for "i" (%i) in %l {
      kernel.for "j" (%j) in 4 {
        kernel.store %z, %X[%i, %j] : memref<?x4xf32>
      }
    }
  }
  return
}

// -----

// (1, 2, 3, 0) of four dimensions: three of them stay together.
// CHECK-LABEL: @permute
// CHECK: kernel.for "i_j_k" (%[[Q:.*]]) in
// CHECK-NEXT: kernel.for "l" (%[[L:.*]]) in
// CHECK-NEXT: kernel.load %{{.*}}[%[[L]], %[[Q]]]
// CHECK-NEXT: kernel.store %{{.*}}[%[[Q]], %[[L]]]
func.func @permute(%n: index, %m: index, %k: index, %l: index, %x: memref<?x?x?x?xf32>, %y: memref<?x?x?x?xf32>) {
  kernel.launch @permute (%N = %n : index, %M = %m : index, %K = %k : index, %L = %l : index, %X[%N, %M, %K, %L] = %x : memref<?x?x?x?xf32>) outs (%Y[%M, %K, %L, %N] = %y : memref<?x?x?x?xf32>) {
    kernel.for "i" (%i) in %M {
      kernel.for "j" (%j) in %K {
        kernel.for "k" (%o) in %L {
          kernel.for "l" (%p) in %N {
            %v = kernel.load %X[%p, %i, %j, %o] : memref<?x?x?x?xf32>
            kernel.store %v, %Y[%i, %j, %o, %p] : memref<?x?x?x?xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// A boundary that is not met; sizes that are one value under two names.
// CHECK-LABEL: @inside
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK-NEXT: kernel.for "j_k" (%[[Q:.*]]) in
// CHECK-NEXT: %[[P:.*]] = affine.apply
// CHECK-NEXT: kernel.load %{{.*}}[%[[P]], %[[Q]]] edge [clamp, none] : memref<?x?xf32>
// CHECK-NEXT: kernel.load %{{.*}}[%[[I]], %[[Q]]] : memref<?x?xf32>
func.func @inside(%n: index, %m: index, %k: index, %x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  kernel.launch @inside (%N = %n : index, %M = %m : index, %K = %k : index, %X[%N, %M, %K] = %x : memref<?x?x?xf32>, %M2 = %m : index) outs (%Y[%N, %M2, %K] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        kernel.for "k" (%l) in %K {
          %p = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
          %a = kernel.load %X[%p, %j, %l] edge [clamp, clamp, wrap] : memref<?x?x?xf32>
          %b = kernel.load %X[%i, %j, %l] edge [none, clamp, wrap] : memref<?x?x?xf32>
          %c = arith.addf %a, %b : f32
          kernel.store %c, %Y[%i, %j, %l] : memref<?x?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// Whole rows of an array lie together.
// CHECK-LABEL: @rows
// CHECK: %[[S:.*]] = memref.subview
// CHECK: %[[C:.*]] = memref.collapse_shape %[[S]]
// CHECK: memref.cast %[[C]] : {{.*}} to memref<?xf32, strided<[1], offset: ?>>
// CHECK: kernel.launch @rows ({{.*}} outs (%[[Y:.*]][%[[P:.*]]] = %{{.*}} : memref<?xf32, strided<[1], offset: ?>>)
// CHECK: kernel.for "i_j" (%[[Q:.*]]) in %[[P]]
// CHECK: kernel.store %{{.*}}, %[[Y]][%[[Q]]]
func.func @rows(%n: index, %m: index, %k: index, %x: memref<?x?xf32>) -> memref<?x?xf32> {
  %y = memref.alloc(%k, %m) : memref<?x?xf32>
  %v = memref.subview %y[2, 0] [%n, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  kernel.launch @rows (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %v : memref<?x?xf32, strided<[?, 1], offset: ?>>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      }
    }
  }
  return %y : memref<?x?xf32>
}

// Parts of rows do not.
// CHECK-LABEL: @no_part_of_rows
// CHECK: kernel.for "i"
// CHECK: kernel.for "j"
func.func @no_part_of_rows(%n: index, %m: index, %k: index, %x: memref<?x?xf32>) -> memref<?x?xf32> {
  %y = memref.alloc(%n, %k) : memref<?x?xf32>
  %v = memref.subview %y[0, 2] [%n, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: 2>>
  kernel.launch @part (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %v : memref<?x?xf32, strided<[?, 1], offset: 2>>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %a, %Y[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: 2>>
      }
    }
  }
  return %y : memref<?x?xf32>
}
