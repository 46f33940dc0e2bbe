// cpu rows: a schedule as text
module attributes {transform.with_named_sequence} {
  transform.named_sequence @planned(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "rows*"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule
      #kernel.schedule<i = [block.0, seq 2], j = [seq, unroll 2, vector 8]> to %k : !transform.any_op
    transform.yield
  }
}
