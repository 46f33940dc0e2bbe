//===- Epochs.h - What happens between the same barriers --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_ANALYSIS_GPU_EPOCHS_H
#define ARRC_LIB_ANALYSIS_GPU_EPOCHS_H

#include "arrc/Analysis/GPU/Trace.h"

#include "llvm/ADT/SetVector.h"

#include <map>
#include <numeric>
#include <vector>

namespace arrc::lanes {

/// Which epochs may be one.
class Epochs {
public:
  explicit Epochs(const Trace &trace) : parents(trace.epochs + 1) {
    std::iota(parents.begin(), parents.end(), 0u);
    // What may be one with something may be so with all that may be it.
    std::vector<unsigned> maybe = parents;
    auto root = [&](unsigned epoch) {
      while (maybe[epoch] != epoch)
        epoch = maybe[epoch];
      return epoch;
    };
    for (auto [a, b] : trace.joins)
      maybe[root(a)] = root(b);
    for (auto [a, b] : trace.joins)
      for (unsigned one : {a, b})
        for (auto [c, d] : trace.joins)
          for (unsigned other : {c, d})
            if (root(one) == root(other) && one != other)
              joined[one].insert(other);
  }
  /// As if there was no barrier behind `epoch`.
  void open(unsigned epoch) { parents[find(epoch + 1)] = find(epoch); }
  unsigned find(unsigned epoch) {
    while (parents[epoch] != epoch)
      epoch = parents[epoch] = parents[parents[epoch]];
    return epoch;
  }
  bool areOne(unsigned a, unsigned b) { return find(a) == find(b); }
  /// Whether accesses of the two may be between the same barriers.
  bool meet(unsigned a, unsigned b) {
    if (areOne(a, b))
      return true;
    auto found = joined.find(a);
    return found != joined.end() && found->second.contains(b);
  }
  /// The epochs that are one with `epoch`, or may be.
  llvm::SmallSetVector<unsigned, 4> around(unsigned epoch) {
    llvm::SmallSetVector<unsigned, 4> all;
    for (unsigned e = 0; e < parents.size(); ++e)
      if (find(e) == find(epoch))
        all.insert(e);
    for (unsigned e : llvm::SmallVector<unsigned>(all.begin(), all.end()))
      if (auto found = joined.find(e); found != joined.end())
        all.insert(found->second.begin(), found->second.end());
    return all;
  }

private:
  std::vector<unsigned> parents;
  std::map<unsigned, llvm::SmallSetVector<unsigned, 4>> joined;
};

} // namespace arrc::lanes

#endif // ARRC_LIB_ANALYSIS_GPU_EPOCHS_H
