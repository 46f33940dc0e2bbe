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

def SetSchedulesPass
    : Pass<"arrc-set-schedules", "::mlir::func::FuncOp"> {
  let summary = "Put schedules from a file in the place of those planned";
  let description = [{
    Each line of the file is `KERNEL: #kernel.schedule<..>`, or
    `KERNEL#2: #kernel.schedule<..>` for the second of its versions, whose
    condition stays. Empty lines and those that begin with `//` do not count.
    Kernels of other functions are passed over. A line `// for cuda ..` has the file
    do nothing for other targets.

    **Legal** as any schedule: what a later pass cannot apply, it refuses.
    **Pays when** it was measured to: `arrc tune`.
    **Example** test/Pipelines/set-schedules.mlir
  }];
  let options = [
    Option<"file", "file", "std::string", "", "the file">,
  ];
  let dependentDialects = ["kernel::KernelDialect"];
}

def TransformPass : Pass<"arrc-transform", "::mlir::ModuleOp"> {
  let summary = "Run a script of the transform dialect";
  let description = [{
    The file holds named sequences of MLIR's transform dialect, with its own steps
    and those of this compiler (`transform.kernel.*`). The one called as `entry`
    runs on the module. `arrc --transform=FILE` runs each where its name says:
    `array`, `kernel`, `buffers`, `scheduled` where that level is reached,
    `planned` (or `__transform_main`) behind `kernel-plan-schedules`.

    **Legal** as the steps are: one that is not is an error at its place in the
    file, with what forbids it.
    **Example** test/Pipelines/transform.mlir
  }];
  let options = [
    Option<"file", "file", "std::string", "", "the script">,
    Option<"entry", "entry", "std::string", "",
           "the sequence to run; __transform_main or the only one without">,
  ];
  let dependentDialects = ["kernel::KernelDialect",
                           "::mlir::transform::TransformDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // ARRC_PIPELINES_PASSES_TD
