// cpu cuda scale: what is legal of two
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %k {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%r: !transform.any_op):
      %a = transform.kernel.match_launches in %r {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
      transform.kernel.clear_schedule %a : !transform.any_op
      %i = transform.kernel.match_loops in %a {dim = "i"} : (!transform.any_op) -> !transform.any_op
      transform.kernel.tile %i [block.0, thread.x 4096] : !transform.any_op
    }, {
    ^bb0(%r: !transform.any_op):
      %a = transform.kernel.match_launches in %r {kernel = "scale*"} : (!transform.any_op) -> !transform.any_op
      transform.kernel.clear_schedule %a : !transform.any_op
      %i = transform.kernel.match_loops in %a {dim = "i"} : (!transform.any_op) -> !transform.any_op
      transform.kernel.tile %i [block.0, seq 2] : !transform.any_op
    }
    transform.yield
  }
}
