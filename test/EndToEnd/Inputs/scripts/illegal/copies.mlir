// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "fixed*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0, thread.x 32] : !transform.any_op
    transform.kernel.unroll %i by 128 : !transform.any_op // error: more than 64 copies are not made
    transform.yield
  }
}
