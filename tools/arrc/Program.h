//===- Program.h - A program in this process --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_PROGRAM_H
#define ARRC_TOOLS_ARRC_PROGRAM_H

#include "KernelImages.h"
#include "ObjectCache.h"
#include "Target.h"
#include "TaskCode.h"

#include "arrc/Target/CPU/CPU.h"
#include "arrt/arrt.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>

namespace arrc::tool {

/// Every function of the runtime that compiled code calls.
llvm::ArrayRef<cpu::Symbol> getRuntimeSymbols();

/// A program that was compiled, or taken from the cache, and loaded into this
/// process. What it is made of must outlive it.
class Program {
public:
  Program(const CommandLine &line, const Target &target);

  /// Someone who looks at the module as it was read. Returns an exit code.
  using Look = llvm::function_ref<int(Compiler &)>;
  /// Makes the code and loads it. A `look` that lowers the module is not served
  /// from the cache. Returns the exit code; `accept`, which may end everything
  /// too, is asked before the code is loaded.
  int load(Timer &timer, Look look = {}, bool lowers = false,
           llvm::function_ref<int()> accept = {});

  /// The program's table: null if it has no export.
  const arrt_program *table() const { return program; }
  /// The device that it was compiled for, `cuda:0`; "" leaves it to the
  /// runtime.
  llvm::StringRef device() const { return target.device; }
  /// Makes the images of its kernels, as arrt_image_fn says.
  int32_t makeImage(arrt_context *ctx, int32_t number, arrt_image &made) {
    return images.make(ctx, number, made);
  }
  /// What making images took so far, and compiling tasks, in milliseconds.
  double getImageMilliseconds() const { return images.getMilliseconds(); }
  double getTaskMilliseconds() const { return tasks.getMilliseconds(); }
  /// The texts that the program is made of.
  const std::vector<SourceText> &texts() const {
    return compiler ? compiler->texts() : cache.texts();
  }

private:
  cpu::CodeGenOptions options() const;
  /// Compiles the program to an object file, or takes what the cache has.
  int makeObject(Timer &timer, Look look, bool lowers,
                 llvm::SmallVectorImpl<char> &object);
  /// Takes what the cache has, the program itself with it for a `look`. Nothing
  /// if there is none; else the exit code.
  std::optional<int> takeKept(Timer &timer, Look look,
                              llvm::SmallVectorImpl<char> &object);

  const CommandLine &line;
  const Target &target;
  ObjectCache cache;
  /// It stays for the evaluator and for the kernels, which are of its context.
  std::unique_ptr<Compiler> compiler;
  KernelImages images;
  TaskCode tasks;
  std::unique_ptr<cpu::JIT> jit;
  const arrt_program *program = nullptr;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_PROGRAM_H
