//===- BufferizableOpInterfaceImpl.h - Bufferization of kernels -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace arrc::kernel {

/// Teaches one-shot bufferization the operations of the dialect.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
