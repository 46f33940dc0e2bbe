//===- CPU.h - Native code for the machine's cores --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// From a module in upstream dialects (func, scf, memref, vector, arith, math,
// complex, affine, cf) to LLVM IR, assembly, an object file, or code that runs
// in this process. See lib/Target/CPU/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_CPU_CPU_H
#define ARRC_TARGET_CPU_CPU_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/LLVM.h"

#include <memory>
#include <string>
#include <utility>

namespace arrc::cpu {

/// What native code is made for, and how hard LLVM tries.
struct CodeGenOptions {
  /// 0 to 3, as `-O`.
  unsigned optLevel = 3;
  /// For code that computes nothing but calls the runtime, as the host's part
  /// of a program for a device: compiled in a fraction of the time.
  bool isGlue = false;
  /// A processor that LLVM knows, or "native": this machine with all its
  /// features, as g++'s `-march=native`.
  std::string cpu = "native";
};

/// Whether LLVM knows a processor of this name for the machine's kind.
bool isProcessor(llvm::StringRef name);

/// The texts and files that a module can be compiled to.
enum class OutputKind { Object, Assembly, LLVMIR };

/// The processor that `options` mean and its features, as text: all that code
/// depends on besides the program.
std::string describeMachine(const CodeGenOptions &options);

/// Whether a float, or each lane of a vector of them, is infinite.
mlir::Value expandIsInf(mlir::OpBuilder &b, mlir::math::IsInfOp op);

/// Adds the passes from upstream dialects to the LLVM dialect.
void buildToLLVMPipeline(mlir::OpPassManager &pm);

/// Compiles a module that is already in the LLVM dialect and writes it to
/// `buffer`. On failure reports at the module and returns failure. With `tasks`
/// the parts that the runtime starts may stay behind there, if it is not empty
/// then: the code asks for each one by `askForTaskName`.
mlir::LogicalResult compile(mlir::ModuleOp module,
                            const CodeGenOptions &options, OutputKind kind,
                            llvm::SmallVectorImpl<char> &buffer,
                            std::string *tasks = nullptr);

/// The function by which code asks for a task, `void *(void *all, int32_t
/// number)`, and the name of what it hands over.
inline constexpr llvm::StringLiteral askForTaskName = "arrc_task",
                                     allTasksName = "arrc_tasks";

/// Compiles one of the `tasks` that `compile` left behind to an object file.
/// False with the reason in `problem`.
bool compileTask(llvm::StringRef tasks, int32_t number,
                 const CodeGenOptions &options,
                 llvm::SmallVectorImpl<char> &buffer, std::string &problem);

/// The name of the function of a task.
std::string getTaskName(int32_t number);

/// A function of the runtime that compiled code may call: its name and where
/// it is.
using Symbol = std::pair<llvm::StringRef, void *>;

/// Compiled code in this process. It lives as long as this object.
class JIT {
public:
  /// Loads an object file that `compile` made. Names that it does not define
  /// are looked up in `symbols`, then in the C and vector math libraries.
  /// Returns null with the reason in `problem`.
  static std::unique_ptr<JIT> load(llvm::StringRef object,
                                   llvm::ArrayRef<Symbol> symbols,
                                   std::string &problem);
  ~JIT();

  /// Loads another object file beside the first. False with the reason in
  /// `problem()`.
  bool add(llvm::StringRef object);

  /// The address of a function or global of the module; null if it has none of
  /// that name.
  void *lookup(llvm::StringRef name) const;
  /// Why the last `lookup` gave null though the module has the name, as when
  /// it needs what nobody defines; "" else.
  llvm::StringRef problem() const;

private:
  struct Impl;
  explicit JIT(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Target/CPU/Passes.h.inc"

} // namespace arrc::cpu

#endif // ARRC_TARGET_CPU_CPU_H
