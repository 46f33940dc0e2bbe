//===- Registers.h - How many values live at a time -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of the cost model: an estimate of the registers that one iteration of a
// kernel's loops keeps, from the order of its text. Compilers move loads nearer
// to their uses, so it errs upwards; addresses and constants are not counted.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_REGISTERS_H
#define ARRC_ANALYSIS_REGISTERS_H

#include "mlir/IR/Operation.h"

namespace arrc {

/// Above this, fusing more makes a thread spill, or leaves too few threads to
/// hide the latency of memory.
constexpr unsigned kMaxLiveRegisters = 128;

/// The most 32-bit registers that are alive at one place below `root`.
unsigned estimateRegisters(mlir::Operation *root);

} // namespace arrc

#endif // ARRC_ANALYSIS_REGISTERS_H
