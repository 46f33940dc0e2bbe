// cpu cuda fixed: x * 3 as x + (x + x), by a pattern
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    transform.kernel.apply_pdl to %root {
      pdl.pattern @thrice : benefit(1) {
        %t = pdl.type
        %three = pdl.attribute = 3.0 : f32
        %c = pdl.operation "arith.constant" {"value" = %three} -> (%t : !pdl.type)
        %x = pdl.operand : %t
        %y = pdl.result 0 of %c
        %m = pdl.operation "arith.mulf"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        pdl.rewrite %m {
          %a = pdl.operation "arith.addf"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
          %s = pdl.result 0 of %a
          %b = pdl.operation "arith.addf"(%x, %s : !pdl.value, !pdl.value) -> (%t : !pdl.type)
          pdl.replace %m with %b
        }
      }
    } : !transform.any_op
    transform.yield
  }
}
