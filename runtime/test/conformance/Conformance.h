//===- Conformance.h - the suite that every device passes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_CONFORMANCE_H
#define ARRT_TEST_CONFORMANCE_H

#include "Core/Device.h"
#include "conformance/Images.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

namespace arrt_test {

/// Each device's file defines it: what the suite is run on. `isThere` is false,
/// with the reason, where there is no such device.
struct Subject {
  bool isThere = true;
  std::string reason;
  int32_t target = 0, device = 0;
};
Subject findSubject();

/// A new device of the subject.
std::unique_ptr<arrt::Device> makeDevice(const Subject &subject);

/// True unless ARRT_TEST_PROVOKE is 0: tests may make calls of the driver fail,
/// which a sanitizer would report.
bool mayProvoke();

/// A test that is skipped where there is no such device.
class Conformance : public ::testing::Test {
protected:
  void SetUp() override {
    subject = findSubject();
    if (!subject.isThere)
      GTEST_SKIP() << subject.reason;
    device = makeDevice(subject);
    ASSERT_NE(device, nullptr);
  }
  Subject subject;
  std::unique_ptr<arrt::Device> device;
};

} // namespace arrt_test

/// Skips a test that makes a call of the driver fail, if that is not wanted.
#define ARRT_PROVOKES()                                                        \
  if (!::arrt_test::mayProvoke())                                              \
  GTEST_SKIP() << "provokes an error of the driver"

#endif // ARRT_TEST_CONFORMANCE_H
