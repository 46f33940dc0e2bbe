// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "softmax*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    %j = transform.kernel.match_loops in %k {dim = "j"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0] : !transform.any_op
    transform.kernel.tile %j [seq, seq 8] : !transform.any_op
    transform.kernel.interchange %k to [j.0, i.0] : !transform.any_op // error: the fold over 'j.0' cannot be moved outside
    transform.yield
  }
}
