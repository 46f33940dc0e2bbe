//===- Library.h - a vendor's library, found at run time -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nothing of a vendor is linked: a program starts on every machine, and says
/// what is missing when it is asked for a device. A folder of a device lists
/// the functions that it calls in a `.def` file, makes a table of pointers from
/// it (its `Driver`) and has it filled here.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_LIBRARY_H
#define ARRT_CORE_LIBRARY_H

#include <initializer_list>
#include <string>

namespace arrt {

/// One function of a library.
struct Symbol {
  const char *name;     ///< as the library exports it
  void *place;          ///< of the pointer to fill
  bool isNeeded = true; ///< else null where there is none
};

/// Which library, and what to tell people who do not have it.
struct LibraryName {
  const char *variable; ///< of the environment; names another file
  const char *file;     ///< `libcuda.so.1`
  const char *install;  ///< what to do if it is missing
  const char *update;   ///< what to do if it lacks a function
};

/// Opens a library, which stays in the process for good (drivers have threads
/// and handlers of their own), and looks its functions up. False with why in
/// `problem`; `remedy` says what to do about it.
bool findLibrary(const LibraryName &library,
                 std::initializer_list<Symbol> symbols, std::string &problem,
                 std::string &remedy);

/// What looking for a library gave; each folder keeps one a process.
template <typename Driver> struct Found {
  Driver driver;
  std::string problem, remedy;
  /// The functions, or null with why.
  const Driver *get(std::string &why, std::string &what) const {
    why = problem;
    what = remedy;
    return problem.empty() ? &driver : nullptr;
  }
};

} // namespace arrt

#endif // ARRT_CORE_LIBRARY_H
