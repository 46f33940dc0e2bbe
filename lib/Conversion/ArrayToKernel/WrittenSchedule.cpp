//===- WrittenSchedule.cpp - Schedules that a program asks for ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of convert-array-to-kernel: `@tile`, `@seq` and `@unroll` become the
// schedule of the launch, which planners leave alone; `@split` names the
// dimension that devices share. What cannot be obeyed is
// refused with a warning at its place; the compiler then chooses, as it would
// without.
//
//   @tile(8, 32) for i, j   device: i = [block.1, thread.y 8],
//                                   j = [block.0, thread.x 32]
//                           cpu:    i = [block.1, seq 8], j = [block.0, seq 32]
//   @seq for i              i = [seq]: one thread
//   @unroll(4) for i        device: i = [block.0, unroll 4, thread.x 128]
//                           cpu:    i = [block.0, seq 256, unroll 4]
//
//===----------------------------------------------------------------------===//

#include "WrittenSchedule.h"

#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What the person wrote.
static StringRef getWritten(Operation *op) {
  return op->hasAttr(array::kTileAttr)     ? "@tile"
         : op->hasAttr(array::kSeqAttr)    ? "@seq"
         : op->hasAttr(array::kUnrollAttr) ? "@unroll"
                                           : "@split";
}

static void refuse(Operation *op, const Twine &reason) {
  emitWarning(op->getLoc())
      << "'" << getWritten(op) << "' is not obeyed: " << reason
      << "; the compiler chooses";
}

namespace {
/// Writes the digits of the root nest of one launch.
class Writer {
public:
  Writer(array::IndexSpaceOpInterface op, LaunchOp launch)
      : op(op), launch(launch), context(op.getContext()),
        device(DeviceAttr::get(launch)) {}

  /// Gives the launch its schedule; says why it has none otherwise.
  std::string write() {
    // The loops of the indices, the outermost first.
    Block *block = launch.getBodyBlock();
    for (unsigned k = 0; k < op.getNumIndices(); ++k) {
      auto loops = block->getOps<ForOp>();
      if (!llvm::hasSingleElement(loops))
        return "its loops were taken apart";
      nest.push_back(*loops.begin());
      block = nest.back().getBodyBlock();
    }
    for (ForOp loop : nest) {
      unsigned alike = 0;
      launch.getBody().walk(
          [&](ForOp other) { alike += other.getDim() == loop.getDim(); });
      if (alike > 1)
        return "another loop inside has the index '" + loop.getDim().str() +
               "', too";
    }
    std::string why = op->hasAttr(array::kSeqAttr)    ? writeSeq()
                      : op->hasAttr(array::kTileAttr) ? writeTile()
                                                      : writeUnroll();
    if (why.empty())
      launch.setScheduleAttr(ScheduleAttr::get(context, dims, getOrder(), {},
                                               {}, {}, {},
                                               /*splitBoundary=*/false, 64));
    return why;
  }

private:
  DigitAttr digit(LevelKind kind, int64_t size = 0, unsigned axis = 0) {
    return DigitAttr::get(context, LevelAttr::get(context, kind, axis), size);
  }
  void give(ForOp loop, ArrayRef<DigitAttr> digits) {
    dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
  }

  /// The nest: blocks of all indices stand around what is in a block.
  SmallVector<StringAttr> getOrder() {
    SmallVector<StringAttr> order;
    size_t most = 0;
    for (DimDigitsAttr dim : dims)
      most = std::max(most, dim.getDigits().size());
    for (size_t k = 0; most > 1 && k < most; ++k)
      for (DimDigitsAttr dim : dims)
        if (k < dim.getDigits().size())
          order.push_back(StringAttr::get(context, dim.getDim().getValue() +
                                                       "." + Twine(k)));
    return order;
  }

  std::string writeSeq() {
    for (ForOp loop : nest)
      give(loop, digit(LevelKind::Seq));
    return "";
  }

  std::string writeTile() {
    if (!nest.front().isParallel())
      return "how a reduction is cut decides the order of its sum";
    ArrayRef<int64_t> tile =
        op->getAttrOfType<DenseI64ArrayAttr>(array::kTileAttr).asArrayRef();
    if (tile.size() > nest.size())
      return "it has more numbers than indices are left";
    int64_t threads = 1;
    for (int64_t size : tile)
      threads *= size;
    if (device) {
      if (std::string why = whyTooManyThreads(device, threads); !why.empty())
        return why;
      if (tile.size() > 3)
        return "a block has three dimensions";
    }
    for (auto [k, loop] : llvm::enumerate(nest)) {
      if (k >= tile.size()) {
        give(loop, digit(LevelKind::Seq));
        continue;
      }
      unsigned axis = tile.size() - 1 - k;
      give(loop, {digit(LevelKind::Block, 0, axis),
                  device ? digit(LevelKind::Thread, tile[k], axis)
                         : digit(LevelKind::Seq, tile[k])});
    }
    return "";
  }

  std::string writeUnroll() {
    if (!nest.front().isParallel())
      return "how a reduction is unrolled decides the order of its sum";
    int64_t copies =
        op->getAttrOfType<DenseI64ArrayAttr>(array::kUnrollAttr)[0];
    if (copies > 64)
      return "more than 64 copies are not made";
    for (auto [k, loop] : llvm::enumerate(nest)) {
      unsigned axis = nest.size() - 1 - k;
      DigitAttr block = digit(LevelKind::Block, 0, axis);
      if (axis != 0)
        give(loop, block);
      else if (device)
        give(loop, {block, digit(LevelKind::Unroll, copies),
                    digit(LevelKind::Thread, 128)});
      else
        give(loop, {block, digit(LevelKind::Seq, 256),
                    digit(LevelKind::Unroll, copies)});
    }
    return "";
  }

  array::IndexSpaceOpInterface op;
  LaunchOp launch;
  MLIRContext *context;
  DeviceAttr device;
  SmallVector<ForOp> nest;
  SmallVector<DimDigitsAttr> dims;
};
} // namespace

/// Has `launch` say which dimension it is to be cut along.
static void writeSplit(array::IndexSpaceOpInterface op, LaunchOp launch) {
  auto number = op->getAttrOfType<DenseI64ArrayAttr>(array::kSplitAttr);
  if (number && number[0] < int64_t(op.getNumIndices()))
    launch->setAttr(kSplitAttr,
                    StringAttr::get(op.getContext(),
                                    op.getIndexNames()[size_t(number[0])]));
}

void arrc::obeyWrittenSchedule(array::IndexSpaceOpInterface op,
                               LaunchOp launch) {
  writeSplit(op, launch);
  if (!op->hasAttr(array::kTileAttr) && !op->hasAttr(array::kSeqAttr) &&
      !op->hasAttr(array::kUnrollAttr))
    return;
  if (!isa<array::MapOp, array::StencilOp, array::ReduceOp>(op.getOperation()))
    return refuse(op, "only a 'for' and a reduction take schedules");
  if (std::string why = Writer(op, launch).write(); !why.empty())
    refuse(op, why);
}

void arrc::refuseInnerSchedules(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!array::hasWrittenSchedule(op) || op->hasAttr(array::kPartialsAttr))
      return;
    // A loop of statements runs in order as it is.
    if (isa<scf::ForOp>(op) && op->hasAttr(array::kSeqAttr))
      return;
    if (isa<scf::ForOp>(op))
      refuse(op, "a loop of statements keeps its body once");
    else if (op->getParentOfType<array::IndexSpaceOpInterface>())
      refuse(op, "it stands inside of another 'for', which is the kernel; "
                 "write it before that one");
  });
}
