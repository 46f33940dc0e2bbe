// One case for every labelled constraint, named after it.
// RUN: arr-opt %s --split-input-file --verify-diagnostics

func.func @map_c1_result_type(%n: index, %x: f32) -> tensor<?xi64> {
  // expected-error @+1 {{result type 'tensor<?xi64>' is not the extents, then the yielded type: 'tensor<?xf32>'}}
  %r = array.map (%i) in (%n) {
    array.yield %x : f32
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

func.func @map_c1_extent_is_number(%n: index, %x: f32) -> tensor<?xf32> {
  // expected-error @+1 {{is not the extents, then the yielded type: 'tensor<4xf32>'}}
  %r = array.map (%i) in (4) {
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @map_c1_count(%n: index, %x: f32) {
  // expected-error @+1 {{yields 2 values for 1 results}}
  %r = array.map (%i) in (%n) {
    array.yield %x, %x : f32, f32
  } : tensor<?xf32>
  return
}

// -----

func.func @space_names(%n: index, %x: f32) {
  // expected-error @+1 {{expected a name for every index or for none}}
  %r = array.map (%i "i", %j) in (%n, %n) {
    array.yield %x : f32
  } : tensor<?x?xf32>
  return
}

// -----

func.func @space_indices(%n: index, %x: f32) {
  // expected-error @+1 {{expected one index argument for each of 1 extents}}
  %r = array.map (%i, %j) in (%n) {
    array.yield %x : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @space_negative(%x: f32) {
  // expected-error @+1 {{expected extents that are not negative}}
  %r = array.map (%i) in (-3) {
    array.yield %x : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @yield_index_outside_scatter(%n: index, %x: f32) {
  %r = array.map (%i) in (%n) {
    // expected-error @+1 {{gives an index outside of a scatter}}
    array.yield %x : f32 at [%i]
  } : tensor<?xf32>
  return
}

// -----

func.func @stencil_c2_count(%n: index, %x: f32) {
  // expected-error @+1 {{expected an interval in 'reach' for every index}}
  %r = array.stencil (%i) in (%n) reach [-1 to 1, 0 to 0] {
    array.yield %x : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @stencil_c2_empty(%n: index, %x: f32) {
  // expected-error @+1 {{expected intervals in 'reach' that are not empty}}
  %r = array.stencil (%i) in (%n) reach [1 to -1] {
    array.yield %x : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @reduce_c1_yield(%n: index, %z: f32, %k: i64) {
  // expected-error @+1 {{yields values that differ in number or type from the initial values}}
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    array.yield %k : i64
  } by arith.addf
  return
}

// -----

func.func @reduce_c1_operator(%n: index, %z: f32) {
  // expected-error @+1 {{the operator must take the accumulators, then as many values}}
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    array.yield %z : f32
  } by (%a: f32) {
    array.yield %a : f32
  }
  return
}

// -----

func.func @scan_c1_result(%n: index, %z: f32) {
  // expected-error @+1 {{results differ in number or type from the prefixes and totals}}
  %p, %t = "array.scan"(%n, %z) <{operandSegmentSizes = array<i32: 1, 1>, static_extents = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    array.yield %z : f32
  }, {
  ^bb0(%a: f32, %b: f32):
    array.yield %a : f32
  }) : (index, f32) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

// -----

func.func @scan_c2_dimensions(%n: index, %z: f32) {
  // expected-error @+1 {{expected an index space of one dimension}}
  %p, %t = array.scan (%i, %j) in (%n, %n) init (%z : f32) {
    array.yield %z : f32
  } by arith.addf
  return
}

// -----

func.func @scatter_c1_value(%n: index, %h: tensor<?xi64>, %z: f32) {
  // expected-error @+1 {{yields 'f32' where the array 'tensor<?xi64>' takes 'i64'}}
  %p = array.scatter (%i) in (%n) into (%h : tensor<?xi64>) {
    array.yield %z : f32 at [%i]
  }
  return
}

// -----

func.func @scatter_c2_no_index(%n: index, %h: tensor<?xi64>, %z: i64) {
  // expected-error @+1 {{expected an index in the yield}}
  %p = array.scatter (%i) in (%n) into (%h : tensor<?xi64>) {
    array.yield %z : i64
  }
  return
}

// -----

func.func @scatter_c2_too_many(%n: index, %h: tensor<?xi64>, %z: i64) {
  // expected-error @+1 {{yields an index of 2 dimensions into 'tensor<?xi64>'}}
  %p = array.scatter (%i) in (%n) into (%h : tensor<?xi64>) {
    array.yield %z : i64 at [%i, %i]
  }
  return
}

// -----

func.func @at_c1_indices(%a: tensor<?x?xf32>, %i: index) -> f32 {
  // expected-error @+1 {{expected 2 indices, one for each dimension of the array, not 1}}
  %x = array.at %a[%i] : tensor<?x?xf32>
  return %x : f32
}

// -----

func.func @view_c1_results(%a: tensor<?x?xf32>, %n: index) {
  // expected-error @+1 {{expected a map with 2 results, one for each dimension of 'tensor<?x?xf32>'}}
  %b = array.view %a (d0) -> (d0) in (%n) : tensor<?x?xf32> to tensor<?xf32>
  return
}

// -----

func.func @view_c1_dims(%a: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{expected a map of 2 dimensions}}
  %b = array.view %a (d0) -> (d0) in (%n, %n) : tensor<?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @view_c1_symbols(%a: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{expected 1 operands for the symbols of the map}}
  %b = array.view %a (d0)[s0] -> (d0 + s0) in (%n) : tensor<?xf32> to tensor<?xf32>
  return
}

// -----

func.func @view_c2_type(%a: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{result type 'tensor<?xi64>' is not the extents with the element type: 'tensor<?xf32>'}}
  %b = array.view %a (d0) -> (d0) in (%n) : tensor<?xf32> to tensor<?xi64>
  return
}

// -----

func.func @extend_c1_use(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{an extended array can only be read}}
  %u = array.extend %a [clamp] : tensor<?xf32>
  // expected-note @+1 {{used here}}
  %r = tensor.cast %u : tensor<?xf32> to tensor<4xf32>
  return %a : tensor<?xf32>
}

// -----

func.func @extend_c2_modes(%a: tensor<?x?xf32>) {
  // expected-error @+1 {{expected one boundary mode for each of 2 dimensions}}
  %u = array.extend %a [clamp] : tensor<?x?xf32>
  return
}

// -----

func.func @extend_c2_word(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected a boundary mode: clamp, wrap, mirror, reflect, none or fill}}
  %u = array.extend %a [round] : tensor<?xf32>
  return
}

// -----

func.func @bind_c1_static(%a: tensor<?x9xf32>, %n: index) {
  // expected-error @+1 {{expected one size for each dimension: a value where the type is dynamic, else its number}}
  %b = array.bind %a[%n, %n] : tensor<?x9xf32>
  return
}

// -----

func.func @assume_c1_empty(%n: index) {
  // expected-error @+1 {{expected an interval that is not empty}}
  %m = array.assume %n in 3 to 2 : index
  return
}

// -----

func.func @assume_c1_multiple(%n: index) {
  // expected-error @+1 {{expected a multiple of at least 1}}
  %m = array.assume %n multiple 0 : index
  return
}

// -----

func.func @check_c1_values(%ok: i1) {
  // expected-error @+1 {{message names value 0 of 0}}
  array.check index %ok, "index {0}"
  return
}

// -----

func.func @yield_c1_index(%n: index, %h: tensor<?xf32>, %x: f32) {
  %r = "array.scatter"(%n, %h) <{operandSegmentSizes = array<i32: 1, 1>, static_extents = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    // expected-error @+1 {{expected indices of type 'index'}}
    "array.yield"(%x, %x) <{num_indices = 1 : i64}> : (f32, f32) -> ()
  }, {
  }) : (index, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @sort_c1(%x: tensor<f32>) {
  // expected-error @+1 {{expected keys with a dimension}}
  %s = array.sort %x : tensor<f32>
  return
}

// -----

func.func @sort_c1_nothing() {
  // expected-error @+1 {{expected an array of keys}}
  "array.sort"() : () -> ()
  return
}

// -----

func.func @sort_c2(%x: tensor<4xf32>, %y: tensor<?xf32>) {
  // expected-error @+1 {{array of type 'tensor<?xf32>' does not have the shape of the keys, 'tensor<4xf32>'}}
  %s:2 = array.sort %x, %y : tensor<4xf32>, tensor<?xf32>
  return
}

// -----

func.func @sort_c3(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected keys that are integers or floats, not 'complex<f32>'}}
  %s = array.sort %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @filter_c1(%x: f32, %n: index) {
  // expected-error @+1 {{expected a body that yields first whether it keeps}}
  %c, %r = array.filter (%i) in (%n) {
    array.yield %x, %x : f32, f32
  } : tensor<?xf32>
  return
}

// -----

func.func @filter_c1_number(%x: f32, %k: i1, %n: index) {
  // expected-error @+1 {{yields 2 values for 1 arrays}}
  %c, %r = array.filter (%i) in (%n) {
    array.yield %k, %x, %x : i1, f32, f32
  } : tensor<?xf32>
  return
}

// -----

func.func @filter_c2(%x: f32, %k: i1, %n: index) {
  // expected-error @+1 {{expected an index space of one dimension}}
  %c, %r = array.filter (%i, %j) in (%n, %n) {
    array.yield %k, %x : i1, f32
  } : tensor<?xf32>
  return
}

// -----

func.func @filter_c3(%x: f32, %k: i1, %n: index) {
  // expected-error @+1 {{result type 'tensor<8xf32>' is not '?', then the yielded type: 'tensor<?xf32>'}}
  %c, %r = array.filter (%i) in (%n) {
    array.yield %k, %x : i1, f32
  } : tensor<8xf32>
  return
}

// -----

func.func @extern_c1(%x: f32, %r: memref<f32>) {
  // expected-error @+1 {{names the elements of 0 of 1 inputs}}
  array.extern "f"(%x : f32) as [] into(%r : memref<f32>)
  return
}

// -----

func.func @extern_ties(%x: f32, %r: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{expected type of operand #1}}
  %s = array.extern "f"(%x : f32) as ["f32"] into(%r : tensor<4xf32>) -> tensor<5xf32>
  return %s : tensor<5xf32>
}
