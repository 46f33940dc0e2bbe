// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "bins*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.clear_schedule %k : !transform.any_op
    transform.kernel.privatize %k "h" at "i" : !transform.any_op // error: the schedule has bins on chip, and a CPU has no shared memory
    transform.yield
  }
}
