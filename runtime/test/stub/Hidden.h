//===- Hidden.h - addresses that the host cannot touch ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A card's memory is not in the host's reach. Addresses from here are mapped
/// without any right: a driver keeps the bytes elsewhere. Who touches one ends
/// by SIGSEGV, behind a message that says so; a system call fails with EFAULT.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_HIDDEN_H
#define ARRT_TEST_STUB_HIDDEN_H

#include "CUDA/Driver.h"

namespace stub {

/// Addresses of `bytes`, with some behind that are nobody's; 0 if there are
/// none. They are aligned to a page.
arrt::cuda::Address hide(size_t bytes);
/// Gives addresses of `hide` back.
void unhide(arrt::cuda::Address data);

} // namespace stub

#endif // ARRT_TEST_STUB_HIDDEN_H
