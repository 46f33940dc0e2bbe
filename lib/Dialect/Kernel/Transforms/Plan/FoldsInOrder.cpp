//===- FoldsInOrder.cpp - Schedules that take no fold apart ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where the bits of a sum are to be the same everywhere, what is left of folds
// of floats at this level runs in order: one accumulator, element by element.
// The planner looks for schedules as always; those stay that keep to it. All
// digits of a fold are steps in sequence then, and where there are several,
// the outer ones stand above parallel digits, whose accumulators go on from
// box to box (tiles of a product):
//
//   l = [seq]                                    in order
//   l = [seq, seq 16], order = [l.0, i.1, l.1]   in order, through a local
//   l = [seq, seq 16], order = [i.1, l.0, l.1]   sums of sixteens
//   l = [seq, thread.x 32], l = [unroll 4]       sums of what threads, copies
//                                                have
//
// If no schedule for all sizes is left, threads have one result each.
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"
#include "PlanSchedules.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block along the last two dimensions of the results.
static constexpr int64_t kThreadsX = 32, kThreadsY = 4;

/// Whether the digits of `fold` are steps in order.
static bool isInOrder(ForOp fold, ScheduleAttr schedule) {
  DimDigitsAttr dim = schedule.lookup(fold.getDim());
  if (!dim)
    return true;
  ArrayRef<DigitAttr> digits = dim.getDigits();
  if (!llvm::all_of(digits,
                    [](DigitAttr digit) { return digit.getLevel().isSeq(); }))
    return false;
  if (digits.size() == 1)
    return true;
  // Where each digit of the dimension stands, and the last one of results.
  ArrayRef<StringAttr> order = schedule.getOrder();
  llvm::StringSet<> ofResults;
  for (auto loop = fold->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>())
    if (loop.isParallel())
      ofResults.insert(loop.getDim());
  std::optional<size_t> lastResult;
  SmallVector<size_t> own;
  for (auto [position, name] : llvm::enumerate(order)) {
    StringRef of = name.getValue().rsplit('.').first;
    if (of == fold.getDim())
      own.push_back(position);
    else if (ofResults.contains(of))
      lastResult = position;
  }
  return own.size() == digits.size() && lastResult && llvm::is_sorted(own) &&
         llvm::all_of(ArrayRef(own).drop_back(),
                      [&](size_t at) { return at < *lastResult; });
}

/// A thread for each element of the results.
static ScheduleAttr createPlain(LaunchOp launch) {
  MLIRContext *context = launch.getContext();
  auto digit = [&](LevelKind kind, unsigned axis, int64_t size) {
    return DigitAttr::get(context, LevelAttr::get(context, kind, axis), size);
  };
  SmallVector<DimDigitsAttr> dims;
  llvm::StringSet<> known;
  for (auto root : launch.getBody().getOps<ForOp>()) {
    SmallVector<ForOp> nest;
    for (ForOp loop : getNest(root))
      if (loop.isParallel() && known.insert(loop.getDim()).second)
        nest.push_back(loop);
    for (auto [d, loop] : llvm::enumerate(nest)) {
      unsigned axis = nest.size() - 1 - d;
      SmallVector<DigitAttr> digits{digit(LevelKind::Block, axis, 0)};
      if (axis < 2)
        digits.push_back(
            digit(LevelKind::Thread, axis, axis ? kThreadsY : kThreadsX));
      dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
    }
  }
  return ScheduleAttr::get(context, dims, {}, {}, {}, {}, {},
                           /*splitBoundary=*/false, 64);
}

void arrc::kernel::keepOrder(LaunchOp launch, DeviceAttr device) {
  SmallVector<ForOp> folds;
  launch.getBody().walk([&](ForOp loop) {
    if ((loop.isReduce() || loop.isScan()) && rounds(loop))
      folds.push_back(loop);
  });
  auto keeps = [&](ScheduleAttr schedule) {
    return llvm::all_of(folds,
                        [&](ForOp fold) { return isInOrder(fold, schedule); });
  };
  ScheduleAttr plain = isGPU(device) ? createPlain(launch) : ScheduleAttr();
  if (ScheduleAttr schedule = launch.getScheduleAttr()) {
    if (keeps(schedule))
      return;
    launch.removeScheduleAttr();
    if (plain)
      launch.setScheduleAttr(plain);
    return;
  }
  std::optional<ArrayAttr> versions = launch.getVersions();
  if (!versions)
    return;
  SmallVector<Attribute> kept;
  for (auto version : versions->getAsRange<VersionAttr>())
    if (keeps(version.getSchedule()))
      kept.push_back(version);
  bool isWhole = !kept.empty() && !cast<VersionAttr>(kept.back()).getWhen();
  if (!isWhole && !plain)
    // Of a CPU: what is left out runs as it is written, for all sizes.
    kept.clear();
  else if (!isWhole)
    kept.push_back(
        VersionAttr::get(launch.getContext(), IntegerSetAttr(), plain));
  if (kept.size() > 1)
    return launch.setVersionsAttr(ArrayAttr::get(launch.getContext(), kept));
  launch.removeVersionsAttr();
  launch.setVersionSizes({});
  if (!kept.empty())
    launch.setScheduleAttr(cast<VersionAttr>(kept.front()).getSchedule());
}
