//===- Subject.cpp - what the suite needs of a device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Devices.h"
#include "conformance/Conformance.h"

#include <cstdlib>

using namespace arrt_test;

std::unique_ptr<arrt::Device> arrt_test::makeDevice(const Subject &subject) {
  std::string error;
  auto device = arrt::makeDevice(subject.target, subject.device, error);
  EXPECT_EQ(error, "");
  return device;
}

bool arrt_test::mayProvoke() {
  const char *text = std::getenv("ARRT_TEST_PROVOKE");
  return !text || std::string(text) != "0";
}

static const char ptx[] =
#include "conformance/Kernels.ptx.inc"
    ;

static const uint32_t spirv[] = {
#include "conformance/Kernels.spv.inc"
};

arrt_image arrt_test::kernelsFor(const Subject &subject) {
  if (subject.target == ARRT_TARGET_CUDA)
    return {ARRT_IMAGE_PTX, int32_t(sizeof ptx), ptx, "sm_75"};
  if (subject.target == ARRT_TARGET_OPENCL)
    return {ARRT_IMAGE_SPIRV, int32_t(sizeof spirv), spirv, nullptr};
  return {0, 0, nullptr, nullptr};
}
