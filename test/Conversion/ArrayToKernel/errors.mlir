// RUN: arr-opt %s --convert-array-to-kernel --split-input-file --verify-diagnostics

func.func private @outside(f32) -> f32

func.func @no_call_in_body(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = array.map (%i "i") in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    // expected-error @+1 {{cannot stand in a kernel}}
    %w = func.call @outside(%v) : (f32) -> f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @no_row_of_unknown_size(%n: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  // expected-error @+1 {{the size of a row is known only inside of the 'for'}}
  %r = array.map (%i "i") in (%n) {
    %row = array.map (%j "j") in (%i) { array.yield %z : f32 } : tensor<?xf32>
    array.yield %row : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
