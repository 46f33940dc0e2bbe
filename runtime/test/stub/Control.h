//===- Control.h - what tests tell a stub of a driver ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The stubs stand for libcuda.so.1 and libOpenCL.so.1: they show two devices
/// whose memory is the host's and whose kernels are those of stub/Kernels.cpp.
/// Each exports these functions too: they must be looked up in its file.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_CONTROL_H
#define ARRT_TEST_STUB_CONTROL_H

#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

extern "C" {
/// Makes the next call of a function return an error, once.
void stubFail(const char *call, int result);
/// Makes all calls of a function return an error; 0: ends that.
void stubFailAlways(const char *call, int result);
/// How often a function was called; null: all of them.
int stubCalls(const char *call);
/// What is still held: memory, modules, streams, links, contexts.
int stubLive(void);
}

namespace arrt_test {
/// The control functions of a stub, of the very file that the runtime loads.
struct Stub {
  decltype(&stubFail) fail = nullptr, failAlways = nullptr;
  decltype(&stubCalls) calls = nullptr;
  decltype(&stubLive) live = nullptr;
  /// Points the variable of the environment at the file.
  Stub(const char *variable, const char *file) {
    ::setenv(variable, file, 1);
    void *handle = ::dlopen(file, RTLD_NOW);
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          handle ? ::dlsym(handle, name) : nullptr);
    };
    find(fail, "stubFail");
    find(failAlways, "stubFailAlways");
    find(calls, "stubCalls");
    find(live, "stubLive");
  }
};
} // namespace arrt_test

#endif // ARRT_TEST_STUB_CONTROL_H
