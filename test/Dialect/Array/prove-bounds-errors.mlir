// RUN: arr-opt %s --arr-prove-bounds --split-input-file --verify-diagnostics

func.func @constant(%a: tensor<3xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{this read is always out of bounds: index 3 of a dimension of size 3}}
  %x = array.at %a[%c3] : tensor<3xf32>
  return %x : f32
}

// -----

func.func @always_past_the_end(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
    // expected-error @+1 {{this read is always out of bounds, whatever the size of dimension 0}}
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
