// RUN: arr-opt %s --arr-flatten-branches | FileCheck %s
// RUN: arr-opt %s --arr-flatten-branches --remark-format=emitRemark --remarks-filter=flatten-branches -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @no_flatten_read_out_of_bounds
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
// REMARK-SAME: a read may be out of bounds
func.func @no_flatten_read_out_of_bounds(%n: index, %a: tensor<?xf32>, %x: f32, %m: index) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %c = arith.cmpi slt, %i, %m : index
    %v = scf.if %c -> f32 {
      %y = array.at %a[%i] : tensor<?xf32>
      scf.yield %y : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_flatten_division
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
// REMARK-SAME: a divisor may be zero
func.func @no_flatten_division(%n: index, %x: i64, %y: i64, %c: i1) -> tensor<?xi64> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> i64 {
      %z = arith.divui %x, %y : i64
      scf.yield %z : i64
    } else {
      scf.yield %x : i64
    }
    array.yield %v : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// CHECK-LABEL: func @no_flatten_loop
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
// REMARK-SAME: there is a loop
func.func @no_flatten_loop(%n: index, %a: tensor<?xf32>, %c: i1, %x: f32) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> f32 {
      %s = array.reduce (%k) in (%n) init (%x : f32) {
        %y = array.at %a[%k] inbounds : tensor<?xf32>
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_flatten_expensive
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
// REMARK-SAME: both sides cost 272 operations, more than 256
func.func @no_flatten_expensive(%n: index, %c: i1, %x: f32) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> f32 {
      %0 = math.exp %x : f32
      %1 = math.exp %0 : f32
      %2 = math.exp %1 : f32
      %3 = math.exp %2 : f32
      %4 = math.exp %3 : f32
      %5 = math.exp %4 : f32
      %6 = math.exp %5 : f32
      %7 = math.exp %6 : f32
      %8 = math.exp %7 : f32
      scf.yield %8 : f32
    } else {
      %0 = math.sin %x : f32
      %1 = math.sin %0 : f32
      %2 = math.sin %1 : f32
      %3 = math.sin %2 : f32
      %4 = math.sin %3 : f32
      %5 = math.sin %4 : f32
      %6 = math.sin %5 : f32
      %7 = math.sin %6 : f32
      scf.yield %7 : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Control flow of the host is none of a kernel.
// CHECK-LABEL: func @no_flatten_outside_of_bodies
// CHECK: scf.if
func.func @no_flatten_outside_of_bodies(%c: i1, %x: f32) -> f32 {
  %v = scf.if %c -> f32 {
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  return %v : f32
}

// CHECK-LABEL: func @nested
// CHECK-NOT: scf.if
// CHECK: array.at
// CHECK: %[[IN:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %[[IN]], %{{.*}} : f32
// REMARK: [Passed] FlattenBranch
// REMARK-SAME: computes both sides
func.func @nested(%n: index, %a: tensor<?xf32>, %c: i1, %d: i1, %x: f32) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> f32 {
      %y = array.at %a[%i] inbounds : tensor<?xf32>
      %u = scf.if %d -> f32 {
        %z = math.exp %y : f32
        scf.yield %z : f32
      } else {
        scf.yield %y : f32
      }
      scf.yield %u : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @checks_and_guarded_division
// CHECK-SAME: %[[C:[^:]*]]: i1
// CHECK-NOT: scf.if
// CHECK: %[[OK:.*]] = arith.select %[[C]], %{{.*}}, %true
// CHECK: array.check divide %[[OK]]
// CHECK: arith.remui
func.func @checks_and_guarded_division(%c: i1, %n: index, %x: i64, %y: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> i64 {
      %ok = arith.cmpi ne, %y, %c0 : i64
      array.check divide %ok, "division by zero"
      %d = arith.select %ok, %y, %c1 : i64
      %z = arith.remui %x, %d : i64
      scf.yield %z : i64
    } else {
      scf.yield %x : i64
    }
    array.yield %v : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// What both sides do runs in any case: it stands in front, and the rest is a
// select. A division that only one side makes stays.
// CHECK-LABEL: func @flatten_common
// CHECK: array.check {{.*}} %[[OK:.*]], "outside"
// CHECK-NEXT: %[[A:.*]] = array.at
// CHECK-NOT: scf.if
// CHECK: arith.minimumf %[[A]]
// CHECK: arith.maximumf %[[A]]
// CHECK: arith.select
func.func @flatten_common(%n: index, %a: tensor<?xf32>, %x: f32, %m: index, %ok: i1) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %c = arith.cmpi slt, %i, %m : index
    %v = scf.if %c -> f32 {
      array.check index %ok, "outside"
      %y = array.at %a[%m] : tensor<?xf32>
      %z = arith.minimumf %y, %x : f32
      scf.yield %z : f32
    } else {
      array.check index %ok, "outside"
      %y = array.at %a[%m] : tensor<?xf32>
      %z = arith.maximumf %y, %x : f32
      scf.yield %z : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_flatten_own_division
// CHECK: scf.if
// CHECK: arith.divui
func.func @no_flatten_own_division(%n: index, %x: i64, %y: i64, %c: i1) -> tensor<?xi64> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> i64 {
      %z = arith.divui %x, %y : i64
      scf.yield %z : i64
    } else {
      %z = arith.divui %y, %x : i64
      scf.yield %z : i64
    }
    array.yield %v : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// What a step of a time loop chooses between numbers is chosen without the host;
// outside of loops, and of what may fail, a branch stays one.
// CHECK-LABEL: @choice_of_a_step
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: %[[MORE:.*]] = arith.mulf
// CHECK: %[[LESS:.*]] = arith.divf
// CHECK: arith.select %{{.*}}, %[[MORE]], %[[LESS]] : f32
// CHECK: scf.yield
// CHECK: scf.if
func.func @choice_of_a_step(%n: index, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%w = %x) -> (f32) {
    %good = arith.cmpf olt, %w, %y : f32
    %v = scf.if %good -> (f32) {
      %u = arith.mulf %w, %y : f32
      scf.yield %u : f32
    } else {
      %u = arith.divf %w, %y : f32
      scf.yield %u : f32
    }
    scf.yield %v : f32
  }
  %better = arith.cmpf olt, %r, %y : f32
  %s = scf.if %better -> (f32) {
    %u = arith.mulf %r, %y : f32
    scf.yield %u : f32
  } else {
    %u = arith.addf %r, %y : f32
    scf.yield %u : f32
  }
  return %s : f32
}

// Elements of arrays are numbers too; one that may lie outside is not read where
// it was not.
// CHECK-LABEL: @choice_of_elements
// CHECK: scf.for
// CHECK: array.at
// CHECK-NOT: scf.if
// CHECK: arith.select
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: scf.if
func.func @choice_of_elements(%a: tensor<?xf32>, %n: index, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%w = %x) -> (f32) {
    %good = arith.cmpf olt, %w, %y : f32
    %v = scf.if %good -> (f32) {
      %u = array.at %a[%k] inbounds : tensor<?xf32>
      scf.yield %u : f32
    } else {
      scf.yield %y : f32
    }
    scf.yield %v : f32
  }
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%w = %r) -> (f32) {
    %good = arith.cmpf olt, %w, %y : f32
    %v = scf.if %good -> (f32) {
      %u = array.at %a[%k] : tensor<?xf32>
      scf.yield %u : f32
    } else {
      scf.yield %y : f32
    }
    scf.yield %v : f32
  }
  return %s : f32
}

// Tiles of points compute a product together, and half of them is asked for: it
// is computed for all.
// CHECK-LABEL: func @product
// CHECK-NOT: scf.if
// CHECK: %[[S:.*]] = array.reduce
// CHECK-NOT: scf.if
// CHECK: arith.select %{{.*}}, %[[S]], %{{.*}} : f32
// REMARK: [Passed] FlattenBranch
func.func @product(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = arith.cmpi sle, %j, %i : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// On the other side, of two half-spaces that are not parallel.
// CHECK-LABEL: func @product_otherwise
// CHECK-NOT: scf.if
// CHECK: %[[S:.*]] = array.reduce
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[S]] : f32
// REMARK: [Passed] FlattenBranch
func.func @product_otherwise(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %p = arith.cmpi sgt, %j, %i : index
    %q = arith.cmpi sge, %j, %k : index
    %c = arith.ori %p, %q : i1
    %v = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Of a diagonal, of a band, of the first few, and of what an array says there may be
// little; of what is the same for all points, nothing.
// CHECK-LABEL: func @no_product_diagonal
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_diagonal(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = arith.cmpi eq, %j, %i : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_product_band
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_band(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %w = arith.subi %i, %k : index
    %p = arith.cmpi sge, %j, %w : index
    %q = arith.cmpi sle, %j, %i : index
    %c = arith.andi %p, %q : i1
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_product_few
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_few(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c3 = arith.constant 3 : index
    %c = arith.cmpi slt, %j, %c3 : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_product_mask
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_mask(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index, %mask: tensor<?x?xi1>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = array.at %mask[%i, %j] inbounds : tensor<?x?xi1>
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_product_everywhere
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_everywhere(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = arith.cmpi sle, %c0, %k : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What each point reads for itself is read where it is asked for.
// CHECK-LABEL: func @no_product_of_own
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_of_own(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = arith.cmpi sle, %j, %i : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A read may fail.
// CHECK-LABEL: func @no_product_outside
// CHECK: scf.if
// REMARK: [Missed] FlattenBranch
func.func @no_product_outside(%n: index, %m: index, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %x: f32, %k: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %c = arith.cmpi sle, %j, %i : index
    %v = scf.if %c -> f32 {
      %s = array.reduce (%l) in (%d) init (%x : f32) {
        %e = array.at %a[%i, %l] : tensor<?x?xf32>
        %f = array.at %b[%j, %l] inbounds : tensor<?x?xf32>
        %y = arith.mulf %e, %f : f32
        array.yield %y : f32
      } by arith.addf
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// An element that is assigned in a branch would be a choice between two arrays.
// CHECK-LABEL: func @no_flatten_assignment
// CHECK: scf.if
// REMARK: a part of an array is assigned
func.func @no_flatten_assignment(%n: index, %m: index, %a: tensor<?xf32>, %s: tensor<f32>, %c: i1) -> tensor<?x?xf32> {
  %r = array.map (%i) in (%n) {
    %v = scf.if %c -> tensor<?xf32> {
      %u = tensor.insert_slice %s into %a[%i] [1] [1] : tensor<f32> into tensor<?xf32>
      scf.yield %u : tensor<?xf32>
    } else {
      scf.yield %a : tensor<?xf32>
    }
    array.yield %v : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
