//===- Found.h - the devices that a test is run on -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_FOUND_H
#define ARRT_TEST_FOUND_H

#include "conformance/Conformance.h"

#include <cstdlib>
#include <vector>

namespace arrt_test {

/// The device of a kind that ARRT_TEST_DEVICE numbers, else the first that can
/// be used; its reason says what to do where there is none.
inline Subject firstOf(int32_t target) {
  std::vector<arrt_device_info> infos(64);
  infos.resize(size_t(arrt_devices(infos.data(), 64)));
  const char *wanted = std::getenv("ARRT_TEST_DEVICE");
  Subject subject{false, "there is no such device", target, 0};
  for (const arrt_device_info &info : infos) {
    if (info.target != target ||
        (wanted && info.device >= 0 && info.device != std::atoi(wanted)))
      continue;
    if (*info.problem) {
      subject.reason = std::string(info.problem) + ": " + info.remedy;
      continue;
    }
    subject.isThere = true;
    subject.device = info.device;
    return subject;
  }
  return subject;
}

} // namespace arrt_test

#endif // ARRT_TEST_FOUND_H
