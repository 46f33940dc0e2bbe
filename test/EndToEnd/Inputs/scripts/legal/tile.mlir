// cuda scale: a block of 8 by 32 threads
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    %j = transform.kernel.match_loops in %k {dim = "j"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.y, thread.y 8] : !transform.any_op
    transform.kernel.tile %j [block.x, thread.x 32] : !transform.any_op
    transform.yield
  }
}
