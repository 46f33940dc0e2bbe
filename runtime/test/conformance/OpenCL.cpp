//===- OpenCL.cpp - OpenCL devices under the conformance suite ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

//
// Of the machine's loader, or of the file that ARRT_TEST_OPENCL_STUB is defined
// as: the stub.
//
//===----------------------------------------------------------------------===//

#include "conformance/Found.h"

#include <cstdlib>

arrt_test::Subject arrt_test::findSubject() {
#ifdef ARRT_TEST_OPENCL_STUB
  ::setenv("ARRC_OPENCL_LIBRARY", ARRT_TEST_OPENCL_STUB, 1);
  ::setenv("ARRC_CACHE", "off", 1);
#endif
  // Mesa's implementation hides its devices unless they are named.
  ::setenv("RUSTICL_ENABLE", "llvmpipe", 0);
  return firstOf(ARRT_TARGET_OPENCL);
}
