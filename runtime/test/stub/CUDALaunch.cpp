//===- CUDALaunch.cpp - launches of a CUDA driver without a card ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"

using namespace arrt::cuda;
using namespace stub;

/// Whether a card takes that many blocks and threads.
static bool isInLimits(const LaunchSettings &settings) {
  auto &[x, y, z] = settings.grid;
  auto &[i, j, k] = settings.block;
  return x && y && z && y <= 65535 && z <= 65535 && i && j && k && i <= 1024 &&
         j <= 1024 && k <= 64 && i * j * k <= 1024;
}

/// Whether a launch has no attribute but that it may overlap.
static bool areAttributesKnown(const LaunchSettings &settings) {
  return settings.count <= 1 &&
         (settings.count == 0 ||
          (settings.attributes[0].kind == overlapsAttribute &&
           settings.attributes[0].isOn == 1));
}

static Result launchChecked(FunctionRef function,
                            const LaunchSettings &settings, void **args) {
  if (!isInLimits(settings) || !areAttributesKnown(settings) ||
      !isAlive(settings.stream))
    return invalidValue;
  return launch(function, settings, args);
}

extern "C" {

Result cuLaunchKernel(FunctionRef function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned shared, StreamRef stream,
                      void **args, void **) {
  ENTER_CURRENT(cuLaunchKernel);
  return launchChecked(function,
                       {{gridX, gridY, gridZ},
                        {blockX, blockY, blockZ},
                        shared,
                        stream,
                        nullptr,
                        0},
                       args);
}
Result cuLaunchKernelEx(const LaunchSettings *settings, FunctionRef function,
                        void **args, void **) {
  ENTER_CURRENT(cuLaunchKernelEx);
  return launchChecked(function, *settings, args);
}

} // extern "C"
