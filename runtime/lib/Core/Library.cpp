//===- Library.cpp - a vendor's library, found at run time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Library.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace arrt;

bool arrt::findLibrary(const LibraryName &library,
                       std::initializer_list<Symbol> symbols,
                       std::string &problem, std::string &remedy) {
  std::string file = library.file;
  if (const char *other = std::getenv(library.variable); other && *other)
    file = other;
  void *handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = ::dlerror();
    bool isMissing = why && std::strstr(why, "No such file");
    problem = isMissing ? file + " is not installed"
                        : file + " cannot be loaded" +
                              (why ? ": " + std::string(why) : std::string());
    remedy = library.install;
    return false;
  }
  for (const Symbol &symbol : symbols) {
    void *found = ::dlsym(handle, symbol.name);
    if (!found && symbol.isNeeded) {
      problem = file + " has no function '" + symbol.name + "'";
      remedy = library.update;
      return false;
    }
    std::memcpy(symbol.place, &found, sizeof found);
  }
  return true;
}
