// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "turn*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0, seq 32] : !transform.any_op
    transform.kernel.stage %k "x" at "i.0" : !transform.any_op // error: the schedule copies arrays on chip, and a CPU has no shared memory
    transform.yield
  }
}
