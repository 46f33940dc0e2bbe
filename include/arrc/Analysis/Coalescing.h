//===- Coalescing.h - How lanes walk memory ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of the cost model. For a loop whose iterations run side by side (lanes
// of a sub-group, elements of a vector register): where each access of its body
// goes from one lane to the next, and how much memory 32 lanes touch at once.
// It changes nothing. Planners score loops by it; kernel-print-analysis prints
// it, scheduled or not.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_COALESCING_H
#define ARRC_ANALYSIS_COALESCING_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/DenseSet.h"

namespace arrc {

/// The loops around `op` in its launch, the innermost first.
llvm::SmallVector<kernel::ForOp> getLoopsAround(mlir::Operation *op);

/// What differs between the iterations of one loop.
class Variation {
public:
  /// With `ofVectors` what folds and scans inside come to counts as well: the
  /// code of a vector loop has vectors for it (KernelToSCF).
  explicit Variation(kernel::ForOp loop, bool ofVectors = false);

  bool contains(mlir::Value value) const { return varying.contains(value); }
  /// Whether loops and branches inside run alike for all iterations.
  bool isUniform() const { return sameExtents && sameBranches; }
  /// Whether `kernel.for` loops inside do.
  bool hasSameExtents() const { return sameExtents; }

private:
  void walk(mlir::Block &block);
  void walk(kernel::ForOp loop);
  void walk(mlir::scf::ForOp loop);
  void walk(mlir::scf::WhileOp loop);
  void walk(mlir::scf::IfOp branch);
  bool anyOf(mlir::ValueRange values) const;
  /// Adds those of `to` whose partner in `from` varies, or all of them if the
  /// iterations choose between values differently; whether one is new.
  bool add(mlir::ValueRange to, mlir::ValueRange from, bool all = false);

  llvm::DenseSet<mlir::Value> varying;
  bool ofVectors, sameExtents = true, sameBranches = true;
};

/// Where an access goes from one iteration of a loop to the next.
struct LaneStep {
  enum Kind {
    Same,     ///< nowhere: one element for all
    Next,     ///< to the neighbour in memory, up or down
    Elsewhere ///< over a stride, or anywhere
  };
  Kind kind = Same;
  /// For Next, 1 or -1.
  int64_t direction = 0;
};

/// The step of `access`, which stands below `loop`.
LaneStep getLaneStep(const Access &access, kernel::ForOp loop,
                     const Variation &variation);

/// Whether lanes can have complex numbers for operands and results of `op`, as
/// vectors of their parts (KernelToSCF).
bool isComplexInLanes(mlir::Operation *op);

/// Parts of 32 bytes that one request of 32 lanes touches, for elements of
/// `elementBytes` bytes that lie `stride` elements apart.
int64_t countSectors(int64_t stride, int64_t elementBytes);

/// One access of a launch and what 32 lanes touch with it.
struct LaneAccess {
  enum Kind {
    Broadcast,  ///< one element for all lanes
    Contiguous, ///< neighbours in memory
    Strided,    ///< a constant distance apart, or a row each
    Gather      ///< wherever a value says
  };

  explicit LaneAccess(const Access &access) : access(access) {}

  Access access;
  Kind kind = Broadcast;
  /// Elements from one lane to the next, where that is a number.
  std::optional<int64_t> stride;
  /// Elements that one lane takes at once.
  int64_t vector = 1;
  /// Parts of 32 bytes that a request of all lanes touches, and the fewest that
  /// could hold what it asks for.
  int64_t sectors = 1, fewestSectors = 1;
  /// Whether a lane's elements are known to begin at a multiple of their bytes
  /// together.
  bool isAligned = true;
};

/// The accesses of a launch to arrays in memory, in the order of the text.
class Coalescing {
public:
  /// Lanes are `thread` loops if there are some, else `vector` loops, else the
  /// innermost loop around each access.
  explicit Coalescing(kernel::LaunchOp launch);

  llvm::ArrayRef<LaneAccess> getAccesses() const { return accesses; }

private:
  llvm::SmallVector<LaneAccess, 0> accesses;
};

/// `contiguous`, `strided`, ..
llvm::StringRef getName(LaneAccess::Kind kind);

} // namespace arrc

#endif // ARRC_ANALYSIS_COALESCING_H
