//===- InitAll.h - The only list of dialects and passes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Whoever adds a dialect, an interface model or a group of passes adds it here;
// every tool calls these functions and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_INITALL_H
#define ARRC_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace arrc {

/// Registers the dialects of arrc, the upstream ones that they use, and all
/// interface models and translations.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers every pass and pipeline of arrc, and the upstream passes that
/// they are used with.
void registerAllPasses();

} // namespace arrc

#endif // ARRC_INITALL_H
