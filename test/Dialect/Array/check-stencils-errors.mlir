// RUN: arr-opt %s --arr-check-stencils --split-input-file --verify-diagnostics

func.func @factor(%u: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-note @+1 {{subscript 0 is not; write 'for' instead of 'stencil'}}
  %r = array.stencil (%i) in (%n) {
    %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    // expected-error @+1 {{a stencil must read arrays at its own indices plus constants, in their order}}
    %x = array.at %u[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @transposed(%u: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  // expected-note @+1 {{subscript 1 is not}}
  %r = array.stencil (%i, %j) in (%n, %n) {
    // expected-error @+1 {{a stencil must read arrays at its own indices}}
    %x = array.at %u[%j, %i] : tensor<?x?xf32>
    array.yield %x : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

func.func @gathered(%u: tensor<?xf32>, %p: tensor<?xindex>, %n: index) -> tensor<?xf32> {
  // expected-note @+1 {{subscript 0 is not}}
  %r = array.stencil (%i) in (%n) {
    %k = array.at %p[%i] : tensor<?xindex>
    // expected-error @+1 {{a stencil must read arrays at its own indices}}
    %x = array.at %u[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @stencil_c2_reach(%u: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{reads up to offset 2 of index 0, outside of its reach}}
  %r = array.stencil (%i) in (%n) reach [-1 to 1] {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %u[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
