// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "fixed*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule #kernel.schedule<i = [block.0]> to %k {version = 40 : i64} : !transform.any_op // error: the kernel has 
    transform.yield
  }
}
