//===- Pipelines.h - Every pipeline of the project --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The way of a program, cut at the stages that print and read back:
//
//   array -> kernel -> scheduled -> scf -> llvm -> object
//
// `lowerTo` is all that a tool needs; the pieces are there for arr-opt and for
// tests, under the names that `registerPipelines` gives them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PIPELINES_H
#define ARRC_PIPELINES_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

namespace arrc {

/// The stages of a program, in order.
enum class Stage {
  Array,     ///< as imported: `array`, `scf`, `func` on tensors
  Kernel,    ///< formed: launches and time loops, fused, on tensors
  Buffers,   ///< the same on memrefs, every buffer planned
  Scheduled, ///< loops carry their levels
  SCF,       ///< launches are parallel loops: scf, vector, memref
  LLVM,      ///< the LLVM dialect, ready for the code generator
};

/// What a compilation may choose.
struct PipelineOptions {
  /// 0: launches keep the sequential reading, LLVM does little. 1 to 3:
  /// scheduled, and LLVM's level.
  unsigned optLevel = 3;
};

/// The stage called `name` (`array`, `kernel`, `buffers`, `scheduled`, `scf`,
/// `llvm`).
std::optional<Stage> parseStage(llvm::StringRef name);

/// The stage that a module is at, from what it holds.
Stage getStage(mlir::ModuleOp module);

/// Runs the pipelines from the stage that the module is at up to `stage`.
/// Errors are diagnostics at the places of the program.
mlir::LogicalResult lowerTo(mlir::ModuleOp module, Stage stage,
                            const PipelineOptions &options = {});

/// The same into `pm`, from `from` (excluded) to `to` (included).
void buildPipeline(mlir::OpPassManager &pm, Stage from, Stage to,
                   const PipelineOptions &options = {});

/// Array to Kernel, first half: rewrites that stay in the `array` dialect.
void buildArrayPipeline(mlir::OpPassManager &pm);
/// Array to Kernel, second half: launches, fused.
void buildFormPipeline(mlir::OpPassManager &pm);
/// Kernel to Buffers.
void buildBufferPipeline(mlir::OpPassManager &pm);
/// Buffers to Scheduled.
void buildSchedulePipeline(mlir::OpPassManager &pm);
/// Scheduled to SCF.
void buildSCFPipeline(mlir::OpPassManager &pm);
/// SCF to LLVM.
void buildHostPipeline(mlir::OpPassManager &pm);

/// Makes the pipelines known to arr-opt: `arrc-array-pipeline`,
/// `arrc-form-pipeline`, `arrc-buffer-pipeline`, `arrc-schedule-pipeline`,
/// `arrc-scf-pipeline`, `arrc-host-pipeline`, and `arrc-cpu-pipeline` for the
/// whole way to the LLVM dialect.
void registerPipelines();

} // namespace arrc

#endif // ARRC_PIPELINES_PIPELINES_H
