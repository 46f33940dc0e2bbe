// cuda turn: a tile through shared memory
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "turn*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    %j = transform.kernel.match_loops in %k {dim = "j"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %j [block.y, unroll 4, thread.y 8] : !transform.any_op
    transform.kernel.tile %i [block.x, thread.x 32] : !transform.any_op
    transform.kernel.interchange %k to [j.0, i.0, j.1, j.2, i.1] : !transform.any_op
    transform.kernel.stage %k "x" at "i.0" {pad = 1 : i64} : !transform.any_op
    transform.yield
  }
}
