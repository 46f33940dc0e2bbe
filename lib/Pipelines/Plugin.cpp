//===- Plugin.cpp - Passes and strategies from a library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Pipelines/Plugin.h"

#include "arrc/Dialect/Kernel/Transforms/Strategies.h"
#include "arrc/InitAll.h"

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <dlfcn.h>
#include <vector>

using namespace arrc;
using llvm::StringRef;

static std::vector<std::string> loaded;

llvm::ArrayRef<std::string> arrc::getLoadedPlugins() { return loaded; }

/// Whether plugins find the compiler's functions: where they are part of a
/// program they do not.
static bool isShared() {
  Dl_info info = {};
  return ::dladdr(reinterpret_cast<void *>(&registerAllPasses), &info) &&
         info.dli_fname &&
         llvm::sys::path::filename(info.dli_fname)
             .starts_with("libarrc-compiler");
}

bool arrc::readPluginCompiler(StringRef file, std::string &compiler,
                              std::string &problem) {
  auto library = llvm::object::ObjectFile::createObjectFile(file);
  if (!library) {
    problem = llvm::toString(library.takeError());
    return false;
  }
  for (const auto &section : library->getBinary()->sections()) {
    auto name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != ".arrc_plugin")
      continue;
    auto text = section.getContents();
    if (!text) {
      problem = llvm::toString(text.takeError());
      return false;
    }
    compiler = text->take_until([](char c) { return c == '\0'; }).str();
  }
  return true;
}

std::string arrc::nameOfPlugin(StringRef file) {
  llvm::SmallString<128> path(file);
  llvm::sys::fs::make_absolute(path);
  return path.str().str();
}

std::string arrc::loadPlugin(StringRef file) {
  std::string path = nameOfPlugin(file);
  auto bytes = llvm::MemoryBuffer::getFile(path);
  if (!bytes)
    return "cannot read the plugin '" + file.str() +
           "': " + bytes.getError().message();
  std::string name =
      path + " " + llvm::utohexstr(llvm::xxh3_64bits((*bytes)->getBuffer()));
  if (llvm::is_contained(loaded, name))
    return "";
  std::string compiler, problem;
  if (!readPluginCompiler(path, compiler, problem))
    return "'" + file.str() + "' is no plugin: " + problem;
  if (compiler.empty())
    return "'" + file.str() + "' is no plugin: it lacks ARRC_PLUGIN";
  if (compiler != ARRC_COMPILER)
    return "the plugin '" + file.str() + "' is for " + compiler +
           ", this is " ARRC_COMPILER;
  if (!isShared())
    return "this arrc is one file, which takes no plugins";
  auto plugin = mlir::PassPlugin::load(path);
  if (!plugin)
    return llvm::toString(plugin.takeError());
  kernel::PluginRegistration registration(nameOfPlugin(file));
  plugin->registerPassRegistryCallbacks();
  loaded.push_back(std::move(name));
  return "";
}
