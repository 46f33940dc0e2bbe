// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    transform.kernel.clear_schedule %root : !transform.any_op // error: 'builtin.module' is no kernel.launch
    transform.yield
  }
}
