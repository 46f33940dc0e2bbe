// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %j = transform.kernel.match_loops in %k {dim = "j"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %j [seq, unroll 4] : !transform.any_op // error: each root loop has one, and that over 'i' has none
    transform.yield
  }
}
