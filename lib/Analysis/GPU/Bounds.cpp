//===- Bounds.cpp - Whether indices are inside of their arrays ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Sets.h"

#include "arrc/Analysis/GPU/Accesses.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace arrc::lanes;

/// Whether no thread that takes part has an index below 0, or from `size` on.
static bool isInsideBySets(const Trace &trace, const Event &event,
                           const Event::Bound &bound) {
  for (bool isLow : {true, false}) {
    PointSet set(trace);
    unsigned thread = set.addThread(*event.mask);
    bool isAffine =
        isLow
            ? set.add({{&*bound.index, thread, -1}}, -1, false)
            : set.add({{&*bound.index, thread, 1}, {&*bound.size, thread, -1}},
                      0, false);
    if (!isAffine || !set.isEmpty())
      return false;
  }
  return true;
}

std::vector<BoundVerdict> arrc::lanes::getBoundVerdicts(const Trace &trace) {
  llvm::MapVector<std::pair<Operation *, unsigned>, BoundVerdict> verdicts;
  for (const Event &event : trace.events) {
    if (event.isShadow)
      continue;
    for (unsigned d = 0; d < event.bounds.size(); ++d) {
      const Event::Bound &bound = event.bounds[d];
      auto [place, isNew] = verdicts.insert({{event.op, d}, BoundVerdict()});
      BoundVerdict &verdict = place->second;
      if (isNew) {
        verdict.op = event.op;
        verdict.dim = d;
        verdict.range = {Span::kHigh, Span::kLow};
        verdict.test = "range";
      }
      if (bound.size)
        verdict.size = bound.size->getNumber();
      if (!bound.index || !bound.size) {
        if (verdict.kind != BoundVerdict::Outside)
          verdict.kind = BoundVerdict::Kept;
        verdict.range = Span();
        continue;
      }
      // Threads that do not take part have no index.
      Lanes numbers = bound.index->getConstant();
      Span there{Span::kHigh, Span::kLow};
      for (size_t t = 0; t < trace.threads; ++t)
        if (event.mask->on[t]) {
          there.low = std::min(there.low, numbers[t]);
          there.high = std::max(there.high, numbers[t]);
        }
      Span range = bound.index->getSymbolic().getRange(trace.symbols) + there;
      verdict.range.low = std::min(verdict.range.low, range.low);
      verdict.range.high = std::max(verdict.range.high, range.high);
      Span size = bound.size->getRange(trace.symbols);
      if (range.low >= 0 && range.high < size.low)
        continue;
      bool isSurely = event.mask->isExact && bound.index->isNumbers() &&
                      size.low == size.high;
      if (isSurely) {
        verdict.kind = BoundVerdict::Outside;
        verdict.test = "range";
        continue;
      }
      if (isInsideBySets(trace, event, bound)) {
        if (verdict.kind == BoundVerdict::Inside)
          verdict.test = "presburger";
        continue;
      }
      if (verdict.kind != BoundVerdict::Outside)
        verdict.kind = BoundVerdict::Kept;
    }
  }
  std::vector<BoundVerdict> list;
  for (auto &[key, verdict] : verdicts)
    list.push_back(verdict);
  return list;
}
