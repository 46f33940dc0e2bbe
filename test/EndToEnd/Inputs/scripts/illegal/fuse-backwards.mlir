// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %a = transform.kernel.match_launches in %root {line = 20} : (!transform.any_op) -> !transform.any_op
    %b = transform.kernel.match_launches in %root {line = 21} : (!transform.any_op) -> !transform.any_op
    %c = transform.kernel.fuse %b with %a : (!transform.any_op, !transform.any_op) -> !transform.any_op // error: the second kernel does not come behind the first
    transform.yield
  }
}
