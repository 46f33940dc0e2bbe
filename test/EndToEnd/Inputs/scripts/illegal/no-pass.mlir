// cpu
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.consumed}) {
    %a = transform.apply_registered_pass "no-such-pass" to %root : (!transform.any_op) -> !transform.any_op // error: unknown pass
    transform.yield
  }
}
