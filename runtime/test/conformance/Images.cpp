//===- Images.cpp - the kernels of Kernels.c, compiled --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Images.h"

static const char ptx[] =
#include "conformance/Kernels.ptx.inc"
    ;

static const uint32_t spirv[] = {
#include "conformance/Kernels.spv.inc"
};

arrt_image arrt_test::kernelsFor(int32_t target) {
  if (target == ARRT_TARGET_CUDA)
    return {ARRT_IMAGE_PTX, int32_t(sizeof ptx), ptx, "sm_75"};
  if (target == ARRT_TARGET_OPENCL)
    return {ARRT_IMAGE_SPIRV, int32_t(sizeof spirv), spirv, nullptr};
  return {0, 0, nullptr, nullptr};
}
