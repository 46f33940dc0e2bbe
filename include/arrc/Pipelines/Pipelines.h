//===- Pipelines.h - Every pipeline of the project --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The way of a program, cut at the stages that print and read back:
//
//   array -> kernel -> buffers -> scheduled -> scf ----------> llvm -> object
//                                          \-> gpu -> images -/
//
// The upper way is the CPU's, the lower one that of devices: their kernels are
// compiled apart and become data of the host's code. Which one a module goes
// follows from its row of the device table, `kernel.device`.
//
// `lowerTo` is all that a tool needs; the pieces are there for arr-opt and for
// tests, under the names that `registerPipelines` gives them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PIPELINES_H
#define ARRC_PIPELINES_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arrc {

class PassList;

/// The stages of a program, in order.
enum class Stage {
  Array,     ///< as imported: `array`, `scf`, `func` on tensors
  Kernel,    ///< formed: launches and time loops, fused, on tensors
  Buffers,   ///< the same on memrefs, every buffer planned
  Scheduled, ///< loops carry their levels
  SCF,       ///< launches are parallel loops: scf, vector, memref (CPU)
  GPU,       ///< launches are kernels of gpu.modules (devices)
  Images,    ///< kernels are PTX or SPIR-V: gpu.binary (devices)
  LLVM,      ///< the LLVM dialect, ready for the code generator
};

/// What a program is compiled for.
struct TargetOptions {
  /// `cpu`, `cuda` or `opencl`.
  std::string name = "cpu";
  /// Of a CUDA card, `sm_90`; "": the least that is supported.
  std::string arch;
  /// What the device is called in messages; "": not a certain one.
  std::string device;
  /// What is known of the very device: facts of `kernel.device` that replace
  /// those of the table.
  std::vector<std::pair<std::string, int64_t>> facts;

  bool isDevice() const { return name != "cpu"; }
  /// Whether launches may run in parts, on several devices.
  bool isInParts() const {
    for (const auto &[fact, value] : facts)
      if (fact == "parts")
        return value != 0;
    return false;
  }
};

/// What a compilation may choose.
struct PipelineOptions {
  TargetOptions target;
  /// 0: launches keep the sequential reading, LLVM does little. 1 to 3:
  /// scheduled, and LLVM's level.
  unsigned optLevel = 3;
  /// Whether kernels are simplified where a pipeline ends at the stage GPU.
  /// Where images follow they are, in any case, each when its image is made: of
  /// many versions few are launched.
  bool simplifyKernels = true;
  /// Whether the CPU's code checks its own accesses.
  bool checkAccesses = false;
  /// Whether bits are those of every other target, too.
  bool reproducible = false;
  /// The passes to run instead of those that the options above stand for. They
  /// are verified one by one.
  const PassList *passes = nullptr;
  /// Is given each pass manager before it runs: for who watches the passes.
  std::function<void(mlir::PassManager &)> watch;
};

/// The stage called `name` (`array`, `kernel`, `buffers`, `scheduled`, `scf`,
/// `gpu`, `images`, `llvm`).
std::optional<Stage> parseStage(llvm::StringRef name);

/// The name of a stage.
llvm::StringRef nameOf(Stage stage);

/// The stage that a module is at: what its attribute `arrc.stage` says, else
/// what its operations tell.
Stage getStage(mlir::ModuleOp module);

/// Notes the stage that a module has reached where its operations would tell
/// another one.
void setStage(mlir::ModuleOp module, Stage stage);

/// The target that a module says it is for; the CPU if it says nothing.
std::string getTargetName(mlir::ModuleOp module);

/// Gives the module its row of the device table, if it has none and the target
/// is a device.
void setTarget(mlir::ModuleOp module, const TargetOptions &target);

/// Moves the kernels of a module at the stage GPU into a module of their own,
/// in the order of their images; images without bytes stay in their place.
mlir::OwningOpRef<mlir::ModuleOp> detachKernels(mlir::ModuleOp module);

/// Runs the pipelines from the stage that the module is at up to `stage`, for
/// the target that it says it is for, else for that of the options. Errors are
/// diagnostics at the places of the program.
mlir::LogicalResult lowerTo(mlir::ModuleOp module, Stage stage,
                            const PipelineOptions &options = {});

/// The same from a stage that the caller knows that the module is at.
mlir::LogicalResult lower(mlir::ModuleOp module, Stage from, Stage to,
                          const PipelineOptions &options = {});

/// The same into `pm`, from `from` (excluded) to `to` (included).
void buildPipeline(mlir::OpPassManager &pm, Stage from, Stage to,
                   const PipelineOptions &options = {});

/// Array to Kernel, first half: rewrites that stay in the `array` dialect. With
/// `reproducible` sizes alone decide how floats are folded.
void buildArrayPipeline(mlir::OpPassManager &pm, bool isDevice = false,
                        bool reproducible = false, bool inParts = false);
/// Array to Kernel, second half: launches, fused.
void buildFormPipeline(mlir::OpPassManager &pm);
/// The same for a device, where scalars stay between launches.
void buildDeviceFormPipeline(mlir::OpPassManager &pm);
/// Kernel to Buffers.
void buildBufferPipeline(mlir::OpPassManager &pm);
/// Buffers to Scheduled; `reproducible`: no schedule takes a fold of floats
/// apart.
void buildSchedulePipeline(mlir::OpPassManager &pm, bool reproducible = false);
/// The same for a device; at `optLevel` 0 launches keep the sequential reading.
/// `inParts`: they say what their parts touch, for several devices.
void buildDeviceSchedulePipeline(mlir::OpPassManager &pm, unsigned optLevel = 3,
                                 bool inParts = false,
                                 bool reproducible = false);
/// Kernel to Buffers for a device, and then as far as it takes to say which
/// loops the host runs.
void buildLoopPipeline(mlir::OpPassManager &pm, bool reproducible = false);
/// Scheduled to SCF.
void buildSCFPipeline(mlir::OpPassManager &pm);
/// Scheduled to GPU; kernels are as the conversion left them.
void buildGPUPipeline(mlir::OpPassManager &pm);
/// Simplifies the kernels at the stage GPU.
void buildKernelCleanup(mlir::OpPassManager &pm);
/// GPU to Images, by the target's name.
void buildImagePipeline(mlir::OpPassManager &pm, llvm::StringRef target,
                        unsigned optLevel = 3);
/// SCF or Images to LLVM; with `checkAccesses` code of the CPU checks its own
/// accesses.
void buildHostPipeline(mlir::OpPassManager &pm, bool checkAccesses = false);

/// Makes the pipelines known to arr-opt: `arrc-array-pipeline`,
/// `arrc-form-pipeline`, `arrc-buffer-pipeline`, `arrc-schedule-pipeline`,
/// `arrc-scf-pipeline`, `arrc-host-pipeline`, the devices'
/// `arrc-device-form-pipeline`, `arrc-device-schedule-pipeline`,
/// `arrc-gpu-pipeline`, and for the whole way to the LLVM dialect
/// `arrc-cpu-pipeline`, `arrc-cuda-pipeline`, `arrc-opencl-pipeline`; the last
/// two take `arch=` and `stage=`.
void registerPipelines();

} // namespace arrc

#endif // ARRC_PIPELINES_PIPELINES_H
