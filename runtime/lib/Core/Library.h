//===- Library.h - a vendor's library, found at run time -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_LIBRARY_H
#define ARRT_CORE_LIBRARY_H

#include <string>

namespace arrt {

/// A shared library, which stays in the process for good: drivers have threads
/// and handlers of their own.
class Library {
public:
  /// Opens the file that the environment variable names, else `name`.
  Library(const char *variable, const char *name);
  bool isOpen() const { return handle; }
  /// Looks a function up. False if it is not there
  /// (see `error`).
  template <typename Function>
  bool find(const char *symbol, Function *&function) {
    function = reinterpret_cast<Function *>(address(symbol));
    return function;
  }
  /// Why the last step failed.
  const std::string &error() const { return text; }

private:
  void *address(const char *symbol);
  void *handle = nullptr;
  std::string file, text;
};

} // namespace arrt

#endif // ARRT_CORE_LIBRARY_H
