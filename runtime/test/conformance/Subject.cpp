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
