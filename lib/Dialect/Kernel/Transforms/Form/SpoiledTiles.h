//===- SpoiledTiles.h - Products that lose their tiles ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of kernel-fuse-launches.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPOILEDTILES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPOILEDTILES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Whether `launch` folds rows with columns, as a product does, inside of what
/// tiles of both cannot be made of, and stores an array of as many elements as
/// the product has: by itself the product would take no more memory.
bool spoilsTiles(LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPOILEDTILES_H
