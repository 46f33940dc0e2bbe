//===- Strategies.cpp - Who plans launches --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/Strategies.h"

#include "PlanSchedules.h"

#include <utility>
#include <vector>

using namespace arrc;
using namespace arrc::kernel;

static std::vector<PlanStrategy> &strategies() {
  static std::vector<PlanStrategy> all = {
      {"device",
       [](LaunchOp launch, DeviceAttr device) {
         if (!isGPU(device))
           return false;
         planForDevice(launch, device);
         return true;
       }},
      {"cpu",
       [](LaunchOp launch, DeviceAttr device) {
         planForCPU(launch, device);
         return true;
       }},
  };
  return all;
}

void arrc::kernel::registerStrategy(PlanStrategy strategy) {
  strategies().insert(strategies().begin(), std::move(strategy));
}

llvm::ArrayRef<PlanStrategy> arrc::kernel::getStrategies() {
  return strategies();
}
