// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    %a = transform.kernel.match_launches in %root {line = 47} : (!transform.any_op) -> !transform.any_op
    %b = transform.kernel.match_launches in %root {line = 48} : (!transform.any_op) -> !transform.any_op
    %c = transform.kernel.fuse %a with %b : (!transform.any_op, !transform.any_op) -> !transform.any_op // error: 
    transform.yield
  }
}
