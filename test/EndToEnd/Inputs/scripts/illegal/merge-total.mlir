// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "softmax*"} : (!transform.any_op) -> !transform.any_op
    %a = transform.kernel.match_loops in %k {line = 36, kind = "reduce"} : (!transform.any_op) -> !transform.any_op
    %b = transform.kernel.match_loops in %k {line = 37, kind = "reduce"} : (!transform.any_op) -> !transform.any_op
    %c = transform.kernel.merge %a with %b : (!transform.any_op, !transform.any_op) -> !transform.any_op // error: the second needs a result of all of the first
    transform.yield
  }
}
