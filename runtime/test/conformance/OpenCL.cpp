//===- OpenCL.cpp - OpenCL devices under the conformance suite ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Found.h"

#include <cstdlib>

arrt_test::Subject arrt_test::findSubject() {
  // Mesa's implementation hides its devices unless they are named.
  ::setenv("RUSTICL_ENABLE", "llvmpipe", 0);
  return firstOf(ARRT_TARGET_OPENCL);
}
