// cpu cuda share: passes of the compiler and of MLIR
module attributes {transform.with_named_sequence} {
  transform.named_sequence @buffers(%root: !transform.any_op {transform.consumed}) {
    %a = transform.apply_registered_pass "canonicalize" to %root : (!transform.any_op) -> !transform.any_op
    %b = transform.apply_registered_pass "cse" to %a : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
