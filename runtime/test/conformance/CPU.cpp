//===- CPU.cpp - the CPU under the conformance suite ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPU/Device.h"
#include "conformance/Conformance.h"

std::unique_ptr<arrt::Device> arrt_test::makeDevice() {
  return arrt::makeCPUDevice(2);
}
