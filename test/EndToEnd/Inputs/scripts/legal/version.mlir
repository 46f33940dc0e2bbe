// cuda rows: the first version only
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "rows*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule #kernel.schedule<i = [block.0, thread.x 64]> to %k {version = 1 : i64} : !transform.any_op
    transform.yield
  }
}
