//===- Print.h - What is known of a kernel, in words ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_PRINT_H
#define ARRC_ANALYSIS_GPU_PRINT_H

#include "arrc/Analysis/GPU/Trace.h"

#include "llvm/Support/raw_ostream.h"

namespace arrc::lanes {

/// `line 5`, or `the 3rd load` where an operation has no place.
std::string describeOp(const Trace &trace, mlir::Operation *op);

/// `kernel @k, blocks of 256 threads`, and why it is not followed if so.
void printHead(llvm::raw_ostream &os, const Trace &trace);

void printAccesses(llvm::raw_ostream &os, const Trace &trace);
void printBranches(llvm::raw_ostream &os, const Trace &trace);
void printRaces(llvm::raw_ostream &os, const Trace &trace);
void printBarriers(llvm::raw_ostream &os, const Trace &trace);
void printBounds(llvm::raw_ostream &os, const Trace &trace);
void printCosts(llvm::raw_ostream &os, const Trace &trace);

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_PRINT_H
