//===- Kernels.h - the suite's kernels, on the host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_KERNELS_H
#define ARRT_TEST_STUB_KERNELS_H

#include <cstdint>

namespace stub {

/// A launch, as a stub driver gets it.
struct Grid {
  int64_t blocks[3], threads[3];
  int64_t shared;
};

/// What stands for a kernel: runs all its threads.
using HostKernel = void (*)(const Grid &grid, void **args);

/// The kernel of conformance/Kernels.c with this name, or null.
HostKernel findKernel(const char *name);

} // namespace stub

#endif // ARRT_TEST_STUB_KERNELS_H
