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

Library::Library(const char *variable, const char *name) : file(name) {
  if (const char *other = std::getenv(variable); other && *other)
    file = other;
  handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return;
  const char *why = ::dlerror();
  bool missing = why && std::strstr(why, "No such file");
  text = missing ? file + " is not installed"
                 : file + " cannot be loaded" +
                       (why ? ": " + std::string(why) : std::string());
}

void *Library::address(const char *symbol) {
  void *found = ::dlsym(handle, symbol);
  if (!found)
    text = file + " has no function '" + symbol + "'";
  return found;
}
