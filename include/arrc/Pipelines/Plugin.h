//===- Plugin.h - Passes and strategies from a library ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A plugin is MLIR's pass plugin that says which compiler it was built for:
//
//   ARRC_PLUGIN("mine", [] {
//     mlir::PassRegistration<MyPass>();
//     arrc::kernel::registerStrategy({"mine", plan});
//   })
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PLUGIN_H
#define ARRC_PIPELINES_PLUGIN_H

#include "arrc/Version.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

/// Makes the library that this stands in a plugin. `enroll` registers what it
/// has; the section lets a compiler refuse it before any of its code runs.
#define ARRC_PLUGIN(name, enroll)                                              \
  extern "C"                                                                   \
      __attribute__((section(".arrc_plugin"), used, visibility("default")))    \
      const char arrcPluginCompiler[] = ARRC_COMPILER;                         \
  extern "C"                                                                   \
      __attribute__((visibility("default"))) ::mlir::PassPluginLibraryInfo     \
      mlirGetPassPluginInfo() {                                                \
    return {MLIR_PLUGIN_API_VERSION, name, ARRC_COMPILER, enroll};             \
  }

namespace arrc {

/// Reads for which compiler the plugin `file` was built; "" if the file is
/// there and says nothing. Returns false with a `problem` if it is no library.
bool readPluginCompiler(llvm::StringRef file, std::string &compiler,
                        std::string &problem);

/// What its strategies know a plugin by.
std::string nameOfPlugin(llvm::StringRef file);

/// Loads a plugin for this very compiler, once in a process, where it stays.
/// Returns "" or why that cannot be.
std::string loadPlugin(llvm::StringRef file);

/// The plugins that were loaded, each by its path and what it held.
llvm::ArrayRef<std::string> getLoadedPlugins();

} // namespace arrc

#endif // ARRC_PIPELINES_PLUGIN_H
