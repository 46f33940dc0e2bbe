//===- HostResult.h - Memory of the host that kernels store to --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTRESULT_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTRESULT_H

#include "llvm/ADT/StringRef.h"

namespace arrc {

/// Of a `memref.alloc` that kernels only store to and the host reads: the
/// runtime may give it memory of the host (arrt_result_alloc), where a read is
/// a wait for the kernels and no copy.
inline constexpr llvm::StringLiteral kHostResultAttr = "kernel.host_result";

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTRESULT_H
