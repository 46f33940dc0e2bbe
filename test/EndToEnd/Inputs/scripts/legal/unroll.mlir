// cuda cpu scale: four copies of what the planner chose
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0] : !transform.any_op
    transform.kernel.unroll %i by 4 : !transform.any_op
    transform.yield
  }
}
