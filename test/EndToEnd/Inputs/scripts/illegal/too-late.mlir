// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @scheduled(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "fixed*"} : (!transform.any_op) -> !transform.any_op
    %i = transform.kernel.match_loops in %k {dim = "i.0"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.unroll %i by 4 : !transform.any_op // error: the loops of the kernel have their levels already
    transform.yield
  }
}
