// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "rows*"} : (!transform.any_op) -> !transform.any_op
    %j = transform.kernel.match_loops in %k {dim = "j"} : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.kernel.split %j behind 1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op) // error: the iterations of 'j' depend on each other: it is a fold
    transform.yield
  }
}
