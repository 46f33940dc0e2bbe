// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "fixed*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule #kernel.schedule<i = [block.0], index 32> to %k : !transform.any_op // error: the kernel has a schedule with 'index 32', which no pass applies
    transform.yield
  }
}
