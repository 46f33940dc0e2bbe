//===- LazyTasks.h - Tasks that are compiled when they are needed -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_LAZYTASKS_H
#define ARRC_LIB_TARGET_CPU_LAZYTASKS_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace arrc::cpu {

/// Functions with it are started by the runtime alone, and can be compiled
/// apart from what starts them.
inline constexpr llvm::StringLiteral taskAttribute = "arrc-task";
/// The names of tasks: this and a number.
inline constexpr llvm::StringLiteral lazyTaskPrefix = "arrc_task_";

/// Takes the tasks out of the module, which asks for them where it starts them.
/// Gives bitcode with all of them; "" if they are so few that they stay.
std::string detachTasks(llvm::Module &module);

/// A module with one task of that bitcode and what it needs; null with the
/// reason in `problem`.
std::unique_ptr<llvm::Module> extractTask(llvm::StringRef bitcode,
                                          unsigned number,
                                          llvm::LLVMContext &context,
                                          std::string &problem);

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_LAZYTASKS_H
