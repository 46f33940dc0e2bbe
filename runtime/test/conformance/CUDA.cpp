//===- CUDA.cpp - CUDA cards under the conformance suite ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Of the machine's driver, or of the file that ARRT_TEST_CUDA_STUB is defined
// as: the stub, or the emulator.
//
//===----------------------------------------------------------------------===//

#include "conformance/Found.h"

#include <cstdlib>

arrt_test::Subject arrt_test::findSubject() {
#ifdef ARRT_TEST_CUDA_STUB
  ::setenv("ARRC_CUDA_LIBRARY", ARRT_TEST_CUDA_STUB, 1);
  ::setenv("ARRC_CACHE", "off", 1);
#endif
  return firstOf(ARRT_TARGET_CUDA);
}
