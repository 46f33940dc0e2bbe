//===- KernelCosts.h - What each kernel must read and write -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_KERNELCOSTS_H
#define ARRC_TOOLS_ARRC_KERNELCOSTS_H

#include "Compiler.h"

#include "arrc/Analysis/CostModel.h"
#include "arrc/Analysis/MemoryPlan.h"
#include "arrc/Dialect/Kernel/Transforms/Roof.h"
#include "arrt/arrt.h"

#include <map>
#include <string>
#include <vector>

namespace arrc::tool {

/// The sizes of a call: its `int` parameters and the dimensions of its arrays.
SizeExpression::Parameters parametersOf(const arrt_entry &entry,
                                        void *const *args);

/// A kernel of the program: where it comes from and what it costs.
struct KernelCost {
  std::string name;
  std::string place; ///< `file:line:column`; "" if it is not known
  std::map<std::string, SizeExpression> sizes;
  std::string grid;    ///< the size that is the number of blocks; "" if none is
  Count read, written; ///< bytes that must go over memory once
  Count work;          ///< additions
  unsigned registers = 0;

  /// A count in the launch of `event`; nothing if a size is known only while
  /// the program runs and is not the number of blocks.
  std::optional<double> evaluate(const Count &count,
                                 const SizeExpression::Parameters &parameters,
                                 const arrt_event &event) const;
};

/// The kernels of a program, found again when they run.
class KernelCosts {
public:
  /// Notes the kernels on the way down and, for the CPU, has them tell when
  /// they run. As far as the passes have the stages where kernels are seen.
  int collect(Compiler &compiler);
  /// The kernel of an event; null if it is not known.
  const KernelCost *find(const arrt_event &event) const;
  const std::vector<KernelCost> &all() const { return kernels; }
  /// The limits of the device; nothing for the CPU.
  const std::optional<kernel::Roof> &getRoof() const { return roof; }

private:
  void add(mlir::ModuleOp module);
  std::vector<KernelCost> kernels;
  std::optional<kernel::Roof> roof;
  std::map<std::string, size_t> byName;
  /// The kernels by the numbers that they are marked with.
  std::vector<size_t> marked;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_KERNELCOSTS_H
