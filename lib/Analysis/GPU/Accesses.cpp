//===- Accesses.cpp - What a warp touches at once -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Accesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace mlir;
using namespace arrc::lanes;

/// Bytes of a sector; banks of shared memory and their bytes.
static constexpr int64_t kSector = 32, kBanks = 32, kWord = 4;
static constexpr size_t kWarp = 32;

StringRef arrc::lanes::getName(Walk walk) {
  switch (walk) {
  case Walk::Broadcast:
    return "broadcast";
  case Walk::Coalesced:
    return "coalesced";
  case Walk::Parallel:
    return "parallel";
  case Walk::Strided:
    return "strided";
  case Walk::Serialised:
    return "serialised";
  case Walk::Conflicting:
    return "conflicting";
  case Walk::DataDependent:
    return "data-dependent";
  case Walk::Unknown:
    return "not known";
  }
  llvm_unreachable("no such walk");
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// Bytes that one instruction takes at most.
static constexpr int64_t kVector = 16;

void arrc::lanes::combineNeighbours(Trace &trace) {
  struct Key {
    unsigned run, buffer;
    bool writes;
    int64_t bytes;
    bool operator<(const Key &other) const {
      return std::tie(run, buffer, writes, bytes) <
             std::tie(other.run, other.buffer, other.writes, other.bytes);
    }
  };
  std::map<Key, std::vector<Event *>> groups;
  for (Event &event : trace.events) {
    bool isPower = event.bytes > 0 && (event.bytes & (event.bytes - 1)) == 0;
    if (event.isAtomic || !event.address || event.bytes >= kVector || !isPower)
      continue;
    groups[{event.run, event.buffer, event.writes, event.bytes}].push_back(
        &event);
  }
  for (auto &[key, events] : groups) {
    for (size_t i = 0; i < events.size(); ++i) {
      Event &first = *events[i];
      if (first.vector != 1)
        continue;
      // Those that are a whole number of elements away.
      std::map<int64_t, Event *> near{{0, &first}};
      for (size_t j = i + 1; j < events.size(); ++j) {
        if (events[j]->vector != 1 || events[j]->isShadow != first.isShadow ||
            events[j]->epoch != first.epoch)
          continue;
        if (auto distance = (*events[j]->address - *first.address).getNumber())
          near.try_emplace(*distance, events[j]);
      }
      // The first of a chain, from which on it is aligned.
      for (auto &[start, event] : near) {
        if (event->vector != 1)
          continue;
        for (int64_t count = kVector / key.bytes; count > 1; count /= 2) {
          int64_t bytes = count * key.bytes;
          Lanes constant = event->address->getConstant();
          bool isAligned =
              trace.buffers[key.buffer].alignment % bytes == 0 &&
              event->address->getSymbolicAlignment() % bytes == 0 &&
              Lanes::zip(constant, bytes, [](int64_t x, int64_t b) {
                return x % b;
              }).isZero();
          bool isWhole = isAligned;
          for (int64_t k = 1; k < count && isWhole; ++k) {
            auto found = near.find(start + k * key.bytes);
            isWhole = found != near.end() && found->second->vector == 1;
          }
          if (!isWhole)
            continue;
          for (int64_t k = 1; k < count; ++k)
            near[start + k * key.bytes]->vector = 0;
          event->vector = count;
          break;
        }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Whether places go on by the same distance from lane to lane, which is
/// returned; lanes that do not take part leave gaps.
static std::optional<int64_t> getStep(ArrayRef<int64_t> places,
                                      ArrayRef<unsigned> lanes) {
  if (places.size() < 2)
    return 0;
  int64_t gap = lanes[1] - lanes[0], step = (places[1] - places[0]) / gap;
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i] - places[i - 1] != step * int64_t(lanes[i] - lanes[i - 1]))
      return std::nullopt;
  return step;
}

static int64_t countSectors(ArrayRef<int64_t> places, int64_t bytes,
                            int64_t shift) {
  SmallVector<int64_t, 64> sectors;
  auto floorDiv = [](int64_t x) {
    return x >= 0 ? x / kSector : -((-x + kSector - 1) / kSector);
  };
  for (int64_t place : places)
    for (int64_t s = floorDiv(place + shift),
                 e = floorDiv(place + shift + bytes - 1);
         s <= e; ++s)
      sectors.push_back(s);
  llvm::sort(sectors);
  return std::unique(sectors.begin(), sectors.end()) - sectors.begin();
}

/// Turns of a request to shared memory; `lanes` are those that take part.
static int64_t countTurns(ArrayRef<int64_t> places, ArrayRef<unsigned> lanes,
                          int64_t bytes, int64_t &fewest) {
  int64_t words = std::max<int64_t>(bytes / kWord, 1);
  auto group = unsigned(std::max<int64_t>(int64_t(kWarp) / words, 1));
  int64_t turns = 0;
  fewest = 0;
  for (unsigned first = 0; first < kWarp; first += group) {
    std::set<int64_t> touched;
    for (auto [place, lane] : llvm::zip(places, lanes))
      if (lane >= first && lane < first + group)
        for (int64_t w = 0; w < words; ++w)
          touched.insert((place >> 2) + w);
    if (touched.empty())
      continue;
    int64_t banks[kBanks] = {}, most = 0;
    for (int64_t word : touched)
      most = std::max(most, ++banks[((word % kBanks) + kBanks) % kBanks]);
    turns += most;
    ++fewest;
  }
  return turns;
}

std::optional<Request>
arrc::lanes::getRequest(const Trace &trace, const Event &event, size_t first) {
  SmallVector<unsigned, 32> active;
  for (size_t t = first; t < std::min(trace.threads, first + kWarp); ++t)
    if (event.mask->on[t])
      active.push_back(t - first);
  if (active.empty())
    return std::nullopt;
  Request request;
  bool isShared = trace.buffers[event.buffer].kind == Buffer::Shared;
  int64_t bytes = event.bytes * std::max<int64_t>(event.vector, 1);
  int64_t lanes = active.size();
  request.bytes = lanes * bytes;
  if (!event.address) {
    request.walk = event.isUniform ? Walk::Broadcast
                   : event.isData  ? Walk::DataDependent
                                   : Walk::Unknown;
    request.pieces = request.leastPieces = event.isUniform ? 1 : lanes;
    if (!event.isUniform)
      request.leastPieces = request.fewestPieces =
          isShared ? 1 : int64_t(llvm::divideCeil(lanes * bytes, kSector));
    request.ways = request.pieces;
    return request;
  }
  // Lanes whose symbols have other factors are far from each other, unless it
  // is known what the symbols are.
  const Form &address = *event.address;
  std::map<std::vector<int64_t>,
           std::pair<SmallVector<int64_t>, SmallVector<unsigned>>>
      groups;
  std::optional<Lanes> numbers = address.evaluate(trace.symbols);
  int64_t alignment = trace.buffers[event.buffer].alignment;
  // Arrays begin at multiples of more than a sector.
  if (trace.buffers[event.buffer].kind == Buffer::Global)
    alignment = std::max<int64_t>(alignment, kSector);
  int64_t grain = kSector;
  if (!numbers)
    grain = std::gcd(kSector, std::min<int64_t>(address.getSymbolicAlignment(),
                                                int64_t(1) << 40));
  Lanes constant = numbers ? *numbers : address.getConstant();
  for (unsigned lane : active) {
    std::vector<int64_t> factors;
    if (!numbers)
      for (auto &[product, each] : address.getTerms())
        if (!product.empty() && !each.isUniform())
          factors.push_back(each[first + lane]);
    auto &[places, who] = groups[factors];
    places.push_back(constant[first + lane]);
    who.push_back(lane);
  }
  if (isShared) {
    int64_t turns = 0, fewest = 0;
    for (auto &[factors, group] : groups) {
      int64_t least = 0;
      turns += countTurns(group.first, group.second, bytes, least);
      fewest = std::max(fewest, least);
    }
    const auto &places = groups.begin()->second.first;
    request.pieces = request.leastPieces = turns;
    request.fewestPieces = fewest;
    request.ways = llvm::divideCeil(turns, std::max<int64_t>(fewest, 1));
    bool isOne = groups.size() == 1 && llvm::all_equal(places);
    request.walk = isOne && lanes > 1  ? Walk::Broadcast
                   : turns <= fewest   ? Walk::Parallel
                   : groups.size() > 1 ? Walk::Unknown
                                       : Walk::Conflicting;
    return request;
  }
  for (int64_t shift = 0; shift < kSector; shift += grain) {
    int64_t sectors = 0;
    for (auto &[factors, group] : groups)
      sectors += countSectors(group.first, bytes, shift);
    request.pieces = std::max(request.pieces, sectors);
    request.leastPieces =
        shift == 0 ? sectors : std::min(request.leastPieces, sectors);
  }
  std::set<int64_t> distinct;
  for (auto &[factors, group] : groups)
    for (int64_t place : group.first)
      distinct.insert(place);
  int64_t count = groups.size() == 1 ? int64_t(distinct.size()) : lanes;
  request.bytes = count * bytes;
  request.fewestPieces = llvm::divideCeil(count * bytes, kSector);
  const auto &places = groups.begin()->second.first;
  if (groups.size() == 1 && distinct.size() == 1) {
    request.walk = Walk::Broadcast;
    return request;
  }
  if (groups.size() == 1) {
    std::optional<int64_t> step =
        getStep(places, groups.begin()->second.second);
    if (request.leastPieces <= request.fewestPieces ||
        (step && std::abs(*step) <= bytes)) {
      request.walk = Walk::Coalesced;
      if (step)
        request.stride = *step / event.bytes;
      return request;
    }
    // A distance that is not a whole number of elements is none.
    if (step && *step % event.bytes == 0) {
      request.walk = Walk::Strided;
      request.stride = *step / event.bytes;
      return request;
    }
    request.walk = Walk::Serialised;
    return request;
  }
  // The distance from lane to lane, as a form.
  request.walk = Walk::Serialised;
  if (groups.size() != active.size())
    return request;
  auto formOf = [&](size_t lane) {
    Form form;
    for (auto &[product, each] : address.getTerms()) {
      Form term(each[first + lane]);
      for (unsigned symbol : product)
        term = term * Form::ofSymbol(symbol);
      form = form + term;
    }
    return form;
  };
  Form step = formOf(active[1]) - formOf(active[0]);
  for (size_t i = 2; i < active.size(); ++i)
    if (!(formOf(active[i]) - formOf(active[i - 1]) == step))
      return request;
  if (std::optional<Form> elements = step.divideSymbolic(event.bytes);
      elements && step.getConstant()[0] % event.bytes == 0) {
    request.walk = Walk::Strided;
    request.symbolicStride =
        *elements + Form(step.getConstant()[0] / event.bytes);
  }
  return request;
}

std::string arrc::lanes::describe(const Request &request, bool isShared,
                                  const Symbols &symbols) {
  switch (request.walk) {
  case Walk::Coalesced:
    return request.stride && *request.stride < 0 ? "coalesced, backwards"
                                                 : "coalesced";
  case Walk::Strided:
    if (request.stride)
      return "strided by " + std::to_string(*request.stride);
    return "strided by " + request.symbolicStride->str(symbols);
  case Walk::Parallel:
    return "conflict-free";
  case Walk::Conflicting:
    return std::to_string(request.ways) + "-way conflicts";
  default:
    return getName(request.walk).str();
  }
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

/// Whether `a` is worse than `b`.
static bool isWorse(const Request &a, const Request &b) {
  return std::tie(a.walk, a.pieces, a.ways) >
         std::tie(b.walk, b.pieces, b.ways);
}

std::vector<AccessVerdict> arrc::lanes::getAccessVerdicts(const Trace &trace) {
  llvm::MapVector<std::pair<Operation *, unsigned>, AccessVerdict> verdicts;
  for (const Event &event : trace.events) {
    if (event.isShadow || event.vector == 0)
      continue;
    AccessVerdict &verdict = verdicts[{event.op, event.buffer}];
    bool isNew = !verdict.op;
    verdict.op = event.op;
    verdict.buffer = event.buffer;
    verdict.isShared = trace.buffers[event.buffer].kind == Buffer::Shared;
    verdict.reads = event.reads;
    verdict.writes = event.writes;
    verdict.elementBytes = event.bytes;
    verdict.vector = std::max(verdict.vector, event.vector);
    verdict.times = verdict.times + event.times;
    int64_t times = 1;
    if (std::optional<Lanes> number = event.times.evaluate(trace.symbols))
      times = (*number)[0];
    else
      verdict.isOfUnknownNumber = true;
    for (size_t first = 0; first < trace.threads; first += kWarp) {
      std::optional<Request> request = getRequest(trace, event, first);
      if (!request)
        continue;
      if (isNew) {
        verdict.worst = *request;
        isNew = false;
      } else if (isWorse(*request, verdict.worst)) {
        verdict.isMixed |= request->walk != verdict.worst.walk ||
                           request->ways != verdict.worst.ways;
        verdict.worst = *request;
      } else if (request->walk != verdict.worst.walk ||
                 request->ways != verdict.worst.ways) {
        verdict.isMixed = true;
      }
      verdict.requests += times;
      verdict.pieces += times * request->pieces;
      verdict.leastPieces += times * request->leastPieces;
      verdict.bytes += times * request->bytes;
    }
  }
  std::vector<AccessVerdict> list;
  for (auto &[op, verdict] : verdicts)
    if (verdict.requests > 0)
      list.push_back(verdict);
  return list;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

std::vector<BranchVerdict> arrc::lanes::getBranchVerdicts(const Trace &trace) {
  struct Sum {
    BranchVerdict verdict;
    double lanes = 0, idle = 0;
  };
  llvm::MapVector<Operation *, Sum> sums;
  for (const BranchEvent &event : trace.branches) {
    Sum &sum = sums[event.op];
    BranchVerdict &verdict = sum.verdict;
    verdict.op = event.op;
    verdict.isData |= event.isData;
    if (!event.taken) {
      BranchVerdict::Kind kind =
          event.mayDifferInWarps ? BranchVerdict::MayDiverge
          : event.mayDiffer      ? BranchVerdict::UniformInWarp
                                 : BranchVerdict::UniformInBlock;
      if (verdict.kind != BranchVerdict::Divergent)
        verdict.kind = std::max(verdict.kind, kind);
      continue;
    }
    bool hasElse = false;
    for (Region &region : llvm::drop_begin(event.op->getRegions()))
      hasElse |= isa<scf::IfOp>(event.op) && !region.empty();
    int64_t takers = 0, others = 0;
    for (size_t first = 0; first < trace.threads; first += kWarp) {
      int64_t yes = 0, no = 0;
      for (size_t t = first; t < std::min(trace.threads, first + kWarp); ++t)
        if (event.mask->on[t])
          ++((*event.taken)[t] ? yes : no);
      takers += yes;
      others += no;
      if (!yes && !no)
        continue;
      // Where one way is empty, only those that go the other wait.
      bool diverges = yes && no;
      if (diverges)
        verdict.kind = BranchVerdict::Divergent;
      int64_t there = yes + no;
      if (hasElse) {
        sum.lanes += diverges ? 2 * there : there;
        sum.idle += diverges ? there : 0;
      } else if (yes) {
        sum.lanes += there;
        sum.idle += no;
      }
    }
    if (takers && others && verdict.kind == BranchVerdict::UniformInBlock)
      verdict.kind = BranchVerdict::UniformInWarp;
  }
  std::vector<BranchVerdict> list;
  for (auto &[op, sum] : sums) {
    sum.verdict.idle = sum.lanes > 0 ? sum.idle / sum.lanes : 0;
    list.push_back(sum.verdict);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

std::vector<CostRow> arrc::lanes::getCosts(const Trace &trace) {
  std::map<std::pair<int, std::string>, CostRow> rows;
  auto add = [&](int group, const std::string &name, const Form &times,
                 int64_t threads) {
    CostRow &row = rows[{group, name}];
    row.name = name;
    row.depth = row.depth + times;
    row.work = row.work + times * Form(threads);
  };
  auto threadsOf = [&](const Mask &mask) {
    return int64_t(kWarp) * trace.countWarps(mask);
  };
  for (const WorkEvent &event : trace.work)
    add(0, "operations", event.times, threadsOf(*event.mask));
  for (const BarrierEvent &event : trace.barriers)
    if (!event.isShadow)
      add(1, "barriers", event.times, int64_t(trace.threads));
  for (const Event &event : trace.events) {
    int64_t threads = threadsOf(*event.mask);
    if (event.isShadow || event.vector == 0 || threads == 0)
      continue;
    bool isShared = trace.buffers[event.buffer].kind == Buffer::Shared;
    // The class of the worst warp is that of all.
    std::optional<Request> worst;
    for (size_t first = 0; first < trace.threads; first += kWarp)
      if (auto request = getRequest(trace, event, first);
          request && (!worst || isWorse(*request, *worst)))
        worst = request;
    std::string name = isShared ? "shared " : "global ";
    name += event.reads && event.writes ? "updates"
            : event.writes              ? "writes"
                                        : "reads";
    name += ", " + (worst->walk == Walk::Parallel
                        ? "parallel"
                        : describe(*worst, isShared, trace.symbols));
    add(isShared ? 3 : 2, name, event.times, threads);
  }
  std::vector<CostRow> list;
  for (auto &[key, row] : rows)
    list.push_back(row);
  return list;
}
