//===- Kernels.h - the suite's kernels, on the host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_KERNELS_H
#define ARRT_TEST_STUB_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace stub {

/// A launch, as a stub driver gets it.
struct Grid {
  int64_t blocks[3], threads[3];
  int64_t shared;
};

/// What stands for a kernel.
struct Kernel {
  std::string name;
  std::string letters; ///< a letter an argument: p, 1, 2, 4, 8, l
  /// Runs all threads.
  void (*run)(const Grid &grid, void **args);

  size_t arguments() const { return letters.size(); }
  /// The bytes of an argument; 0 for work-group memory.
  size_t bytes(size_t argument) const {
    char letter = letters[argument];
    return letter == 'p' ? 8 : letter == 'l' ? 0 : size_t(letter - '0');
  }
};

/// The kernel of conformance/Kernels.c or Overlaps.cpp with this name, or null.
const Kernel *findKernel(const char *name);

} // namespace stub

#endif // ARRT_TEST_STUB_KERNELS_H
