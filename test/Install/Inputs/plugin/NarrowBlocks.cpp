// A strategy of the planner.
#include "NarrowBlocks.h"

using namespace mlir;
using namespace arrc::kernel;

/// The one loop of a launch that is a map along one dimension; null if it is
/// anything else.
static ForOp findLoop(LaunchOp launch) {
  ForOp found;
  bool isMap = true;
  launch.getBody().walk([&](ForOp loop) {
    isMap &= !found && loop.isParallel();
    found = loop;
  });
  return isMap ? found : ForOp();
}

bool planNarrowBlocks(LaunchOp launch, DeviceAttr device) {
  ForOp loop = findLoop(launch);
  if (!loop)
    return false;
  MLIRContext *context = launch.getContext();
  auto digit = [&](LevelKind kind, int64_t size) {
    return DigitAttr::get(context, LevelAttr::get(context, kind, 0), size);
  };
  SmallVector<DigitAttr> digits;
  if (isGPU(device))
    digits = {digit(LevelKind::Block, 0), digit(LevelKind::Thread, 32),
              digit(LevelKind::Unroll, 2)};
  else
    digits = {digit(LevelKind::Block, 0), digit(LevelKind::Seq, 256),
              digit(LevelKind::Vector, 4)};
  SmallVector<StringAttr> order;
  for (size_t k = 0; k < digits.size(); ++k)
    order.push_back(StringAttr::get(context, loop.getDim() + "." + Twine(k)));
  auto dims = DimDigitsAttr::get(context, loop.getDimAttr(), digits);
  launch.setScheduleAttr(ScheduleAttr::get(context, {dims}, order,
                                           /*stages=*/{}, /*keeps=*/{},
                                           /*privates=*/{}, {},
                                           /*splitBoundary=*/false, 64));
  return true;
}
