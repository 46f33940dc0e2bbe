//===- Workspaces.h - Locals in memory that the host gives ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Half of kernel-assign-storage: what neither registers nor shared memory hold
// lies in buffers of the host. How large they are follows from what runs at the
// same time, not from how much there is to do:
//
//   - locals of branches of which one runs, or of loops one after the other,
//     have one place (LocalLifetime.h);
//   - of blocks and threads those get a part that reach it (DigitBounds.h);
//   - more blocks than run at the same time, or than memory holds, take turns
//     (StrideBlocks.h).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_WORKSPACES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_WORKSPACES_H

#include "../Shared/DigitBounds.h"
#include "../Shared/LaunchBuilder.h"
#include "StrideBlocks.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include <tuple>

namespace arrc::kernel {

/// The workspaces of one launch.
class Workspaces {
public:
  /// `locals` are those of the launch, each where it is alive.
  Workspaces(mlir::IRRewriter &rewriter, LaunchOp launch, DeviceAttr device,
             llvm::ArrayRef<LocalOp> locals);

  /// Gives `local` a place in memory; it is, or stands for, the one of that
  /// number.
  llvm::LogicalResult add(LocalOp local, unsigned number);
  /// Allocates and frees the buffers around the launch, which is built anew if
  /// there are any.
  void create();

private:
  struct Global {
    LocalOp local;
    unsigned number;
    /// The loops at block around it.
    llvm::SmallVector<ForOp> nest;
    /// On the host: how many iterations these have, how many of them touch the
    /// local, and its dimensions.
    llvm::SmallVector<mlir::OpFoldResult> extents, used, dims;
  };
  struct Workspace {
    /// Never alive at the same time.
    llvm::SmallVector<unsigned> globals;
    mlir::Value buffer;
    llvm::SmallVector<mlir::Value> sizes;
  };

  mlir::Value allocatedSize(mlir::Value size);
  mlir::OpFoldResult boundDigit(mlir::OpFoldResult extent,
                                llvm::ArrayRef<DigitUse> uses);
  void boundDigits();
  bool canShare(const Global &a, const Global &b) const;
  void share();
  const Global *findNest() const;
  mlir::OpFoldResult countPartBytes();
  void limitParts();
  void createBuffers();
  LaunchOp rebuildLaunch(LaunchBuilder &builder);
  void moveAccesses(const Global &global, mlir::Value array);

  mlir::IRRewriter &rewriter;
  LaunchOp launch;
  DeviceAttr device;
  mlir::IRMapping host;
  /// Sizes of locals on the host, as they are allocated.
  llvm::DenseMap<mlir::Value, mlir::Value> sizes;
  /// What guards suggest of digits; what that is on the host, for a bound's
  /// size and step and an extent.
  llvm::SmallVector<DigitBound> bounds;
  llvm::DenseMap<std::tuple<mlir::Value, int64_t, int64_t>, mlir::Value>
      reached;
  /// For each local those that are never alive at the same time.
  llvm::SmallVector<llvm::SmallBitVector> apart;
  llvm::SmallVector<Global, 0> globals;
  llvm::SmallVector<Workspace, 0> workspaces;
  /// Loops whose iterations take turns, and the grid then.
  llvm::SmallVector<ForOp> strided;
  BlockGrid grid;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_WORKSPACES_H
