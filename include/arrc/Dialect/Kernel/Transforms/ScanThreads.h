//===- ScanThreads.h - Threads at work where they scan ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_SCANTHREADS_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_SCANTHREADS_H

#include <cstdint>

namespace arrc::kernel {

/// Threads that a multiprocessor has at work in kernels that scan and keep few
/// values: each has 48 registers.
inline constexpr int64_t kScanThreads = 1280;

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_SCANTHREADS_H
