// cuda
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "turn*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.stage %k "z" at "i.0" : !transform.any_op // error: the kernel has no array 'z'
    transform.yield
  }
}
