// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "nobody"} : (!transform.any_op) -> !transform.any_op // error: no kernel is like that; there are
    transform.yield
  }
}
