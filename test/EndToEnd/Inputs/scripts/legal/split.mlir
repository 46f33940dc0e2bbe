// cpu cuda both: two loops of one, which become one again
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "both*"} : (!transform.any_op) -> !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.kernel.split %i behind 1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c = transform.kernel.merge %a with %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %d, %e = transform.kernel.split %c behind 1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
