// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "fixed*"} : (!transform.any_op) -> !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i"} : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.kernel.split %i behind 1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op) // error: the loop has 1 place where it stores
    transform.yield
  }
}
