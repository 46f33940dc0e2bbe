// A script on text: the sequence that is usual, the only one, and one by name.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: arr-opt a.mlir --transform=usual.mlir | FileCheck a.mlir
// RUN: arr-opt a.mlir --transform=only.mlir | FileCheck a.mlir
// RUN: arr-opt a.mlir --arrc-transform='file=several.mlir entry=second' | FileCheck a.mlir
// RUN: not arr-opt a.mlir --transform=several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: several.mlir:1:1: error: the script has no sequence '__transform_main'
// RUN: not arr-opt a.mlir --transform=none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cannot read the script 'none.mlir': No such file or directory
// RUN: not arr-opt a.mlir --transform=wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: wrong.mlir:4:5: error: the digits of 'i' all have sizes, the dimension has none
// WRONG: a.mlir:10:5: note: in kernel 'double'

// In the tool the name of a sequence is where it runs.
// RUN: not arrc build a.mlir --transform=several.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: the script 'several.mlir' has no sequence that is called as a level: array, kernel, buffers, planned or scheduled
// RUN: arrc build a.mlir --target=cpu --transform=usual.mlir --emit=pipeline | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: kernel-plan-schedules
// PIPELINE-NEXT: arrc-transform{entry=__transform_main file=usual.mlir}
// RUN: arrc build a.mlir --target=cpu --transform=levels.mlir --emit=pipeline | FileCheck %s --check-prefix=LEVELS
// LEVELS: arrc-set-target
// LEVELS-NEXT: arrc-transform{entry=array file=levels.mlir}
// LEVELS: arrc-transform{entry=kernel file=levels.mlir}
// LEVELS-NEXT: arrc-reach-stage{stage=kernel}

//--- usual.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %i = transform.kernel.match_loops in %root {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0, seq 8] : !transform.any_op
    transform.kernel.unroll %i by 2 : !transform.any_op
    transform.kernel.vectorize %i by 4 : !transform.any_op
    transform.yield
  }
}
//--- only.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @whatever(%root: !transform.any_op {transform.readonly}) {
    %k = transform.kernel.match_launches in %root {kernel = "dou*", kind = "parallel", op = "arith.addf"}
      : (!transform.any_op) -> !transform.any_op
    transform.kernel.set_schedule #kernel.schedule<i = [block.0, seq 8, unroll 2, vector 4]> to %k : !transform.any_op
    transform.yield
  }
}
//--- several.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @second(%root: !transform.any_op {transform.readonly}) {
    %i = transform.kernel.match_loops in %root {kind = "parallel"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0, seq 8, unroll 2, vector 4] : !transform.any_op
    transform.yield
  }
}
//--- levels.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @kernel(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  // transform.named_sequence @buffers is none.
  transform.named_sequence @array(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
//--- wrong.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %i = transform.kernel.match_loops in %root {dim = "i"} : (!transform.any_op) -> !transform.any_op
    transform.kernel.tile %i [block.0 4, seq 8] : !transform.any_op
    transform.yield
  }
}
//--- a.mlir
// CHECK-LABEL: func.func @f
// CHECK: kernel.launch @double
// CHECK-SAME: schedule #kernel.schedule<i = [block.0, seq 8, unroll 2, vector 4]>
func.func @f(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  kernel.launch @double (%N = %n : index, %X[%N] = %x : memref<?xf32>)
      outs (%Y[%N] = %y : memref<?xf32>) {
    // What follows is kept as it is, whatever stands
    // around it: its place is what an error names.

    kernel.for "i" (%i) in %N {
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = arith.addf %a, %a : f32
      kernel.store %b, %Y[%i] : memref<?xf32>
    }
  }
  return
}
