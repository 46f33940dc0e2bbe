//===- MergeDims.h - Parts of kernel-merge-dims -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Shared by the files of kernel-merge-dims, and by nobody else: what may merge
// (MergeDims.cpp) and how it does (MergeDimsRewrite.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_MERGEDIMS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_MERGEDIMS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace arrc::kernel {

/// The argument or number that `size` is, whatever is known about it.
mlir::OpFoldResult getRootSize(mlir::OpFoldResult size);

/// Whether `size` is the same number in the whole launch and outside of it.
bool isOuterSize(mlir::OpFoldResult size);

/// The only loop in `outer`, if all else is scalars that do not mind where they
/// are computed; else null.
ForOp getSoleLoop(ForOp outer);

/// Merges dimensions of one launch.
class DimMerger {
public:
  explicit DimMerger(LaunchOp launch) : launch(launch) {}

  /// Merges what it can and says so.
  void run(mlir::RewriterBase &rewriter);

private:
  /// Two dimensions by name, outer first.
  using DimPair = std::pair<mlir::StringAttr, mlir::StringAttr>;

  /// An array of the launch: arguments that are one operand, or a local.
  struct Memory {
    llvm::SmallVector<mlir::Value, 1> names;
    llvm::SmallVector<mlir::Operation *> accesses;
    /// Whether its dimensions may be joined at all.
    bool isPlain = true;
    /// joined[d]: dimensions d and d + 1 become one.
    llvm::SmallVector<bool, 4> joined;
  };

  // Legality.
  /// Finds pairs of dimensions whose loops are nests everywhere in the launch.
  void findPairs();
  /// Why `outer` is not just a loop around one over `innerName`; empty if it
  /// is.
  std::string whyNotNested(ForOp outer, mlir::StringAttr innerName);
  void findMemories();
  /// Takes away pairs and joined dimensions until they need each other only.
  void settle();
  /// Whether `access` walks dimensions `dim` and `dim + 1` by the two loops of
  /// a pair, all of the inner one.
  bool areSubscripts(mlir::Operation *access, unsigned dim);
  /// Why the index of `loop`, outer or inner one of a pair, is needed by
  /// itself; empty if it is not.
  std::string whyUsesForbid(ForOp loop, bool isOuter);
  /// The loop that `inner` merges into, or null.
  ForOp getOuterOf(ForOp inner);

  // Rewrite.
  /// Makes the loops and arrays that were found.
  void rewrite(mlir::RewriterBase &rewriter);
  /// The product of `sizes`, arguments of the launch and numbers: a number, or
  /// an argument that the host computes.
  mlir::OpFoldResult getProduct(mlir::RewriterBase &rewriter,
                                llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// Makes one loop of the nest of pairs that starts at `outermost`.
  void mergeLoops(mlir::RewriterBase &rewriter, ForOp outermost);
  /// Lets the arguments, or the local, have one dimension for those joined.
  void joinMemory(mlir::RewriterBase &rewriter, Memory &memory);
  /// Gives `access` one subscript for dimensions that are joined. Each of the
  /// old ones is the index of the merged loop by now.
  void rewriteAccess(mlir::RewriterBase &rewriter, mlir::Operation *access,
                     mlir::Value array, const Memory &memory);
  /// Erases sizes that only the loops and arrays of before had.
  void eraseUnusedSizes();

  LaunchOp launch;
  llvm::MapVector<mlir::StringAttr, llvm::SmallVector<ForOp>> loops;
  llvm::SetVector<DimPair> pairs;
  llvm::MapVector<mlir::Value, Memory> memories;
  /// The key of `memories` for each name of an array.
  llvm::DenseMap<mlir::Value, mlir::Value> keys;
  llvm::SmallVector<std::pair<DimPair, std::string>> refused;
  /// Arguments that were added, with their factors.
  llvm::SmallVector<
      std::pair<llvm::SmallVector<mlir::OpFoldResult>, mlir::Value>>
      products;
  /// The merged dimension by its first one.
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> mergedNames;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_MERGEDIMS_H
