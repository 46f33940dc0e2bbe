//===- TimeLoop.cpp - Where the buffers of a time loop get ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/TimeLoop.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

FailureOr<SmallVector<Value>> arrc::kernel::getNextSpares(IterateOp loop,
                                                          ValueRange next) {
  /// A buffer of the loop and the number of the carried array with its sizes.
  SmallVector<std::pair<Value, unsigned>> free;
  auto addFree = [&](Value buffer, unsigned array) {
    if (!llvm::is_contained(next, buffer))
      free.emplace_back(buffer, array);
  };
  SmallVector<unsigned> arrayOf(loop.getRotateArgs().size());
  for (unsigned i = 0; i < loop.getCarriedArgs().size(); ++i) {
    addFree(loop.getCarriedArgs()[i], i);
    if (int64_t spare = loop.getRotateOf(i); spare >= 0) {
      addFree(loop.getRotateArgs()[spare], i);
      arrayOf[spare] = i;
    }
  }
  SmallVector<Value> spares;
  for (auto [spare, array] : llvm::zip(loop.getRotateArgs(), arrayOf)) {
    auto fits = llvm::find_if(free, [&](auto candidate) {
      return candidate.first.getType() == spare.getType() &&
             (candidate.second == array ||
              loop.getMixedSizes(candidate.second) ==
                  loop.getMixedSizes(array));
    });
    if (fits == free.end())
      return failure();
    spares.push_back(fits->first);
    free.erase(fits);
  }
  return spares;
}

bool arrc::kernel::comesBackInPlace(IterateOp loop, unsigned k) {
  ValueRange next = loop.getContinue().getCarried();
  Value buffer = loop.getCarriedArgs()[k];
  if (next[k] == buffer)
    return true;
  std::optional<int64_t> times =
      loop.getTimes() ? getConstantIntValue(loop.getTimes()) : std::nullopt;
  if (!times || loop.getFlag() || *times <= 0)
    return false;
  FailureOr<SmallVector<Value>> spares = getNextSpares(loop, next);
  if (failed(spares))
    return false;
  // The buffers that a place has, one step after the other, until it has its
  // own again.
  SmallVector<Value> places(loop.getCarriedArgs());
  llvm::append_range(places, loop.getRotateArgs());
  SmallVector<Value> handedOn(next);
  llvm::append_range(handedOn, *spares);
  int64_t period = 0;
  Value at = buffer;
  do {
    auto *place = llvm::find(places, at);
    if (place == places.end())
      return false;
    at = handedOn[place - places.begin()];
    ++period;
  } while (at != buffer && period <= int64_t(places.size()));
  return at == buffer && *times % period == 0;
}
