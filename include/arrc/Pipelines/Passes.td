//===- Passes.td - Marks of pipelines ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PASSES_TD
#define ARRC_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def SetTargetPass : Pass<"arrc-set-target", "::mlir::ModuleOp"> {
  let summary = "Give a module its row of the device table";
  let description = [{
    The module gets `kernel.device`, the row for `target`, unless it has one.
    One of another target is an error: the passes behind this one are not for
    it.

    ```mlir
    module attributes {kernel.device = #kernel.device<"cuda", arch = "sm_90", ..>}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "cpu, cuda or opencl">,
    Option<"arch", "arch", "std::string", "",
           "compute capability of a card, as sm_90">,
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}

def ReachStagePass : Pass<"arrc-reach-stage", "::mlir::ModuleOp"> {
  let summary = "Mark where a pipeline reaches a stage";
  let description = [{
    Changes nothing. Whoever runs a pipeline up to a stage, or from one on, finds
    the passes between two stages by these marks: `arrc build --emit=kernel
    --pipeline=FILE` stops at `arrc-reach-stage{stage=kernel}`.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "",
           "kernel, buffers, scheduled, scf, gpu or images">,
  ];
}

#endif // ARRC_PIPELINES_PASSES_TD
