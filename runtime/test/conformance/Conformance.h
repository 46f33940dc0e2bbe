//===- Conformance.h - the suite that every device passes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_CONFORMANCE_H
#define ARRT_TEST_CONFORMANCE_H

#include "Core/Device.h"

#include <memory>

namespace arrt_test {

/// Each device's file defines it: a new device, or null where there is none.
std::unique_ptr<arrt::Device> makeDevice();

} // namespace arrt_test

#endif // ARRT_TEST_CONFORMANCE_H
