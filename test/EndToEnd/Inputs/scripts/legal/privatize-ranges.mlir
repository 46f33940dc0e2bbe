// cuda bins: a block has a range of the bins
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "bins*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [seq, block.0 4, unroll 2, thread.x 64] : !transform.any_op
    transform.kernel.interchange %k to [i.1, i.0] : !transform.any_op
    transform.kernel.privatize %k "h" at "i.1" {ranges} : !transform.any_op
    transform.yield
  }
}
