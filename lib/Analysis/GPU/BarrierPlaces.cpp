//===- BarrierPlaces.cpp - Where barriers have to stand -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/BarrierPlaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace arrc::lanes;

/// Steps of the search for a least set, behind which the best found is taken.
static constexpr unsigned kMostSteps = 100000;

BarrierPlaces::BarrierPlaces(const Trace &everywhere,
                             ArrayRef<Operation *> places)
    : trace(everywhere), behind(everywhere.epochs + 1, ~0u) {
  DenseMap<Operation *, unsigned> numbers;
  for (auto [i, place] : llvm::enumerate(places))
    numbers[place] = i;
  // The highest power that occurs.
  size_t powers = 0;
  for (const BarrierEvent &event : trace.barriers)
    for (const auto &[product, factor] : event.times.getTerms())
      powers = std::max(powers, product.size());
  costs.assign(places.size(), Cost(powers + 1, 0));
  for (const BarrierEvent &event : trace.barriers) {
    auto found = numbers.find(event.op);
    if (found == numbers.end())
      continue;
    behind[event.epoch] = found->second;
    if (!event.isShadow)
      for (const auto &[product, factor] : event.times.getTerms())
        costs[found->second][powers - product.size()] += factor.getMax();
  }
}

bool BarrierPlaces::separate(size_t first, size_t second) {
  unsigned low = trace.events[first].epoch, high = trace.events[second].epoch;
  Places between;
  for (unsigned epoch = low; epoch < high; ++epoch) {
    if (behind[epoch] == ~0u)
      continue;
    // A loop without iterations, or the other way of a branch, leads past it.
    bool isCertain = llvm::none_of(trace.joins, [&](auto join) {
      return low <= join.first && join.first <= epoch && epoch < join.second &&
             join.second <= high;
    });
    if (isCertain)
      between.push_back(behind[epoch]);
  }
  llvm::sort(between);
  between.erase(llvm::unique(between), between.end());
  if (between.empty())
    return false;
  changed |= needs.insert(between).second;
  return true;
}

/// Branch and bound over the needs, in an order that keeps the branches few.
struct BarrierPlaces::Search {
  const std::vector<Cost> &costs;
  std::vector<Places> needs;
  std::vector<unsigned> chosen, best;
  Cost cost, bestCost;
  bool isFound = false;
  unsigned steps = 0;

  void run() {
    if (++steps > kMostSteps && isFound)
      return;
    if (isFound && cost >= bestCost)
      return;
    // The need with the fewest ways is decided first.
    const Places *next = nullptr;
    for (const Places &need : needs)
      if (llvm::none_of(need,
                        [&](unsigned place) {
                          return llvm::is_contained(chosen, place);
                        }) &&
          (!next || need.size() < next->size()))
        next = &need;
    if (!next) {
      best = chosen;
      bestCost = cost;
      isFound = true;
      return;
    }
    // Those that meet most needs promise most; of equals the last one.
    SmallVector<std::pair<size_t, unsigned>> ways;
    for (unsigned place : *next)
      ways.push_back({llvm::count_if(needs,
                                     [&](const Places &need) {
                                       return llvm::is_contained(need, place);
                                     }),
                      place});
    llvm::sort(ways, [&](const auto &a, const auto &b) {
      if (costs[a.second] != costs[b.second])
        return costs[a.second] < costs[b.second];
      return a.first != b.first ? a.first > b.first : a.second > b.second;
    });
    for (auto [meets, place] : ways) {
      Cost before = cost;
      for (auto [sum, more] : llvm::zip(cost, costs[place]))
        sum += more;
      chosen.push_back(place);
      run();
      chosen.pop_back();
      cost = before;
    }
  }
};

std::vector<unsigned> BarrierPlaces::findLeast() {
  changed = false;
  if (costs.empty())
    return {};
  // Needs that another one implies say nothing.
  std::vector<Places> least;
  for (const Places &need : needs)
    if (llvm::none_of(needs, [&](const Places &other) {
          return &other != &need && std::includes(need.begin(), need.end(),
                                                  other.begin(), other.end());
        }))
      least.push_back(need);
  // Nor do places in whose stead another one meets all that they meet for no
  // more: of equals the last one stays.
  std::map<unsigned, std::vector<unsigned>> meets;
  for (auto [i, need] : llvm::enumerate(least))
    for (unsigned place : need)
      meets[place].push_back(i);
  std::set<unsigned> needless;
  for (const auto &[place, own] : meets)
    for (const auto &[other, theirs] : meets)
      if (place != other && !needless.count(other) &&
          costs[other] <= costs[place] &&
          std::includes(theirs.begin(), theirs.end(), own.begin(), own.end()) &&
          (costs[other] != costs[place] || theirs != own || other > place))
        needless.insert(place);
  for (Places &need : least)
    llvm::erase_if(need,
                   [&](unsigned place) { return needless.count(place) > 0; });
  Search search{costs, std::move(least), {}, {}, Cost(costs[0].size(), 0), {}};
  search.run();
  llvm::sort(search.best);
  return search.best;
}
