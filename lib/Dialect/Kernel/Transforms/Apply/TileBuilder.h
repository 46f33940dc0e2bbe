//===- TileBuilder.h - The nest of a scan of tiles --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds what ScanTiles.cpp describes: the phases stand there, the loops,
// locals and guards that they are made of in TileBuilder.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TILEBUILDER_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TILEBUILDER_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {

/// Builds the nest of one scan.
class TileBuilder {
public:
  TileBuilder(mlir::IRRewriter &rewriter, ForOp loop, DimDigitsAttr digits)
      : rewriter(rewriter), loop(loop), prefix(loop.getPrefix()),
        digits(digits.getDigits()), dim(digits.getDim().getValue()),
        loc(loop.getLoc()) {}

  void run();

private:
  /// The elements of a thread, from the outside in.
  enum Part { Group, Chunk, Thread, Item };
  struct Step {
    unsigned digit;
    int64_t size, weight;
  };

  ForOp open(Part part, ForKind kind, mlir::ValueRange seeds = {});
  void placeInside(ForOp opened) {
    if (opened.isReduce())
      rewriter.setInsertionPointToEnd(opened.getBodyBlock());
    else
      rewriter.setInsertionPoint(opened.getBodyBlock()->getTerminator());
  }
  llvm::SmallVector<mlir::Value> createLocals(llvm::ArrayRef<Part> parts,
                                              mlir::TypeRange types);
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<mlir::Value> locals,
                                      mlir::ValueRange place);
  void store(mlir::ValueRange values, llvm::ArrayRef<mlir::Value> locals,
             mlir::ValueRange place);
  /// Runs `phase` for whole tiles and for the last one.
  void branch(llvm::function_ref<void(bool guarded)> phase);
  /// Whether the element `offset` behind the first of a thread is there.
  mlir::Value isInside(mlir::Value offset);
  /// A branch for what is `inside`, whose loads may go ahead of it.
  mlir::scf::IfOp createGuard(mlir::Value inside, mlir::TypeRange types);
  /// Threads around chunks; `body` gets the index of the first item. Where
  /// elements are `guarded` it gets how far that is behind the thread's first
  /// one too, and `left` is how many elements there are from that one on: so
  /// the guards of a thread are one number and constants.
  void
  forEachThread(bool guarded,
                llvm::function_ref<void(mlir::ValueRange place,
                                        mlir::Value index, mlir::Value offset)>
                    body);
  /// Of single elements what comes `before` is all that the rest needs: with
  /// the element where the prefix has it, so that none is kept besides.
  mlir::UnitAttr getBeforeAttr() {
    return steps[Item] ? rewriter.getUnitAttr() : prefix.getExclusiveAttr();
  }
  mlir::Value apply(mlir::AffineExpr expr,
                    llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::Value addItem(mlir::Value index, mlir::Value item);

  /// What stands before each iteration of the scan that is being built.
  mlir::ValueRange createBefore(mlir::ValueRange own) {
    return PrefixOp::create(rewriter, loc, mlir::TypeRange(own), own,
                            rewriter.getUnitAttr())
        .getResults();
  }
  /// Two folds by the operator of the threads' scans.
  llvm::SmallVector<mlir::Value> combine(mlir::ValueRange a,
                                         mlir::ValueRange b);
  /// What a thread folds of the element at `place`.
  llvm::SmallVector<mlir::Value> loadElements(mlir::ValueRange place);
  /// A sum of the threads as the scan has it.
  mlir::Value widen(mlir::Value sum);
  llvm::SmallVector<mlir::Value> createOutside();
  void keep(mlir::ValueRange all, mlir::ValueRange place);
  void contribute(mlir::ValueRange first, mlir::Value index, mlir::Value offset,
                  mlir::Value inside = {});
  void buildContributions(bool guarded);
  llvm::SmallVector<mlir::Value> foldItems(mlir::ValueRange place);
  void scanThreads(mlir::ValueRange group);
  void scanChunks();
  void scanGroups();
  void buildRest(bool guarded);
  void storeKept(mlir::Value number, mlir::Value keep,
                 mlir::IRMapping &mapping);
  void fillStretches();
  void copyStretches(mlir::Value count);

  mlir::IRRewriter &rewriter;
  ForOp loop;
  PrefixOp prefix;
  llvm::ArrayRef<DigitAttr> digits;
  llvm::StringRef dim;
  mlir::Location loc;
  std::optional<Step> steps[4];
  int64_t tile = 1;
  /// The tiles are whole; a row of any length has one, of which a copy without
  /// guards is not worth it.
  bool exact = false, single = false;
  /// The items of a thread are inside or not as a whole.
  bool wholeItems = false;
  mlir::OpFoldResult extent;
  mlir::Value number, isWhole, left;
  llvm::SmallVector<mlir::Value> neutrals;
  /// Set where the threads add up 32 bits in place of 64.
  std::optional<NarrowSum> narrow;
  /// Set where what is kept goes through shared memory, and where that is: an
  /// array for each store.
  std::optional<Compaction> compaction;
  llvm::SmallVector<mlir::Value> stretches;
  llvm::SmallVector<mlir::Operation *> contribution, cheap;
  llvm::SmallPtrSet<mlir::Operation *, 16> contributes;
  /// Values of the contribution that the rest needs.
  llvm::SmallVector<mlir::Value> kept;
  llvm::SmallVector<mlir::Value> elements, keptElements, before, totals, starts,
      carry;
  /// What the groups before a thread's own add.
  llvm::SmallVector<mlir::Value> groupStarts;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TILEBUILDER_H
