//===- Module.h - kernels that are functions of the program ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CPU_MODULE_H
#define ARRT_CPU_MODULE_H

#include "Core/Device.h"

#include <memory>
#include <string>

namespace arrt {

/// The kernels of an image of the host. What joins parts of updates, by the
/// name of a kernel and `_addi32` or the like, is there without being in it.
std::unique_ptr<Module> loadHostModule(const arrt_image &image,
                                       std::string &error);

/// Runs a kernel of such a module; done when it returns.
int32_t launchHostKernel(const Launch &launch);

} // namespace arrt

#endif // ARRT_CPU_MODULE_H
