//===- Calls.h - what stubs of drivers note ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_CALLS_H
#define ARRT_TEST_STUB_CALLS_H

#include <map>
#include <mutex>
#include <set>
#include <string>

namespace stub {

/// The calls of a stub, the failures that were asked for, and what is held.
struct Calls {
  std::recursive_mutex mutex;
  std::map<std::string, int> counts, failures, always;
  std::set<void *> handles; ///< that are alive
  int held = 0;             ///< things without a handle

  /// Notes a call; the error that it is to return, or 0.
  int enter(const char *call);
  bool isAlive(void *handle) const { return handles.count(handle); }
  /// A new object, which `end` ends; false if it was none.
  template <typename T> T *begin() {
    T *object = new T;
    handles.insert(object);
    return object;
  }
  template <typename T> bool end(T *object) {
    if (!handles.erase(object))
      return false;
    delete object;
    return true;
  }
};

Calls &calls();

} // namespace stub

#endif // ARRT_TEST_STUB_CALLS_H
