//===- Dependences.cpp - Threads that meet in memory ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Dependences.h"

#include "Epochs.h"
#include "Sets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace arrc::lanes;

/// Pairs of accesses that are asked, and sets that are.
static constexpr size_t kMostPairs = 2000;
static constexpr unsigned kMostSets = 40;

//===----------------------------------------------------------------------===//
// One pair
//===----------------------------------------------------------------------===//

/// The least and the greatest address of threads that take part.
static Span getRange(const Event &event, const Lanes &numbers) {
  if (numbers.isUniform())
    return {numbers[0], numbers[0]};
  const Lanes &on = event.mask->on;
  Span range{Span::kHigh, Span::kLow};
  Lanes::zip(numbers, on, [&](int64_t x, int64_t here) -> int64_t {
    if (here) {
      range.low = std::min(range.low, x);
      range.high = std::max(range.high, x);
    }
    return 0;
  });
  return range;
}

/// Whether the factors of all that varies have a divisor that the rest lacks.
static bool isApartByDivisor(const Trace &trace, const Event &a,
                             const Event &b) {
  std::optional<Affine> x = Affine::of(*a.address, trace.facts),
                        y = Affine::of(*b.address, trace.facts);
  if (!x || !y || a.bytes != b.bytes)
    return false;
  int64_t divisor = 0;
  auto take = [&](int64_t factor) { divisor = std::gcd(divisor, factor); };
  for (const Affine *side : {&*x, &*y})
    for (int64_t factor : side->ids)
      take(factor);
  for (const auto &[product, factor] : x->symbols) {
    auto other = y->symbols.find(product);
    take(other == y->symbols.end() ? factor : factor - other->second);
  }
  for (const auto &[product, factor] : y->symbols)
    if (!x->symbols.count(product))
      take(factor);
  int64_t distance = x->constant - y->constant;
  // Elements overlap unless they are whole ones apart.
  if (divisor == 0 || divisor % a.bytes != 0)
    return false;
  int64_t rest = ((distance % divisor) + divisor) % divisor;
  return rest >= a.bytes && divisor - rest >= b.bytes;
}

/// Whether the distance cannot be 0 as it is between two numbers.
static bool isApartByBounds(const Trace &trace, const Event &a,
                            const Event &b) {
  Form difference = a.address->getSymbolic() - b.address->getSymbolic();
  Span symbolic = difference.getRange(trace.symbols);
  Span x = getRange(a, a.address->getConstant()),
       y = getRange(b, b.address->getConstant());
  Span distance = symbolic + x + Span{-y.high, -y.low};
  return distance.low >= b.bytes || distance.high <= -a.bytes;
}

/// Whether a bit of the places is known, and not the same.
static bool isApartByBits(const Trace &trace, const Event &a, const Event &b) {
  if (a.bytes != b.bytes || (a.bytes & (a.bytes - 1)))
    return false;
  int64_t power = std::min(a.address->getSymbolicAlignment(),
                           b.address->getSymbolicAlignment());
  // Ones and zeros that all threads have.
  auto bitsOf = [&](const Event &event) {
    int64_t ones = -1, zeros = -1;
    Lanes::zip(event.address->getConstant(), event.mask->on,
               [&](int64_t x, int64_t on) -> int64_t {
                 if (on) {
                   ones &= x;
                   zeros &= ~x;
                 }
                 return 0;
               });
    return std::pair(ones, zeros);
  };
  auto [onesA, zerosA] = bitsOf(a);
  auto [onesB, zerosB] = bitsOf(b);
  // Elements are aligned: what is below their size is the same.
  if (((onesA | zerosA) & (a.bytes - 1)) != a.bytes - 1 ||
      ((onesB | zerosB) & (a.bytes - 1)) != a.bytes - 1 ||
      ((onesA ^ onesB) & (a.bytes - 1)))
    return false;
  return (((onesA & zerosB) | (zerosA & onesB)) & (power - 1)) != 0;
}

/// Every thread with every other one, where both stand on the same symbols.
static std::optional<Meeting> enumerate(const Trace &trace, const Event &a,
                                        const Event &b) {
  Form symbolic = a.address->getSymbolic();
  if (!(symbolic == b.address->getSymbolic()) || !symbolic.isUniform())
    return std::nullopt;
  Lanes x = a.address->getConstant(), y = b.address->getConstant();
  // Whole elements are compared as such, all else byte by byte.
  int64_t step = 1;
  if (a.bytes == b.bytes) {
    auto rest = [&](const Lanes &places) {
      return Lanes::zip(places, a.bytes,
                        [](int64_t p, int64_t n) { return p % n; });
    };
    if (rest(x).isZero() && rest(y).isZero())
      step = a.bytes;
  }
  // Up to two threads that touch a byte.
  llvm::DenseMap<int64_t, std::pair<int64_t, int64_t>> owners;
  for (int64_t t = 0; t < int64_t(trace.threads); ++t)
    if (a.mask->on[t])
      for (int64_t k = 0; k < a.bytes; k += step) {
        auto [place, isNew] = owners.try_emplace(x[t] + k, t, -1);
        if (!isNew && place->second.first != t)
          place->second.second = t;
      }
  Meeting meeting;
  meeting.test = "enumerated";
  meeting.kind = Meeting::Never;
  for (int64_t t = 0; t < int64_t(trace.threads); ++t) {
    if (!b.mask->on[t])
      continue;
    for (int64_t k = 0; k < b.bytes; k += step) {
      auto found = owners.find(y[t] + k);
      if (found == owners.end())
        continue;
      auto [one, other] = found->second;
      int64_t who = one != t ? one : other;
      if (who < 0 || who == t)
        continue;
      meeting.kind =
          a.mask->isExact && b.mask->isExact ? Meeting::Surely : Meeting::Maybe;
      meeting.first = who;
      meeting.second = t;
      return meeting;
    }
  }
  return meeting;
}

/// Adds that the two accesses overlap. False if they are not affine.
static bool addOverlap(PointSet &set, const Event &a, unsigned one,
                       const Event &b, unsigned other) {
  return set.add({{&*a.address, one, 1}, {&*b.address, other, -1}}, a.bytes - 1,
                 false) &&
         set.add({{&*a.address, one, -1}, {&*b.address, other, 1}}, b.bytes - 1,
                 false);
}

static thread_local unsigned setsAsked = 0;

/// Whether no two threads of a block meet; nothing if that is no question of
/// sets.
static std::optional<bool> isApartBySets(const Trace &trace, const Event &a,
                                         const Event &b) {
  if (!Affine::of(*a.address, trace.facts) ||
      !Affine::of(*b.address, trace.facts) || ++setsAsked > kMostSets)
    return std::nullopt;
  // Different threads: the first id that differs is less, or greater.
  for (unsigned d = 0; d < 3; ++d) {
    if (trace.facts.threads[d] <= 1)
      continue;
    for (bool isFirst : {true, false}) {
      PointSet set(trace);
      unsigned one = set.addThread(*a.mask), other = set.addThread(*b.mask);
      addOverlap(set, a, one, b, other);
      for (unsigned e = 0; e < d; ++e)
        set.addIdEqual(one, other, e);
      set.addIdLess(isFirst ? one : other, isFirst ? other : one, d);
      if (!set.isEmpty())
        return false;
    }
  }
  return true;
}

/// Whether the two may touch one array.
static bool mayShareArray(const Trace &trace, const Event &a, const Event &b) {
  const Buffer &one = trace.buffers[a.buffer], &other = trace.buffers[b.buffer];
  return a.buffer == b.buffer ||
         ((one.isAny || other.isAny) && one.kind == other.kind);
}

/// Whether the addresses of the two count from the same place, where they may
/// touch one array.
static bool haveOneOrigin(const Trace &trace, const Event &a, const Event &b) {
  return a.buffer == b.buffer && (&a == &b || !trace.buffers[a.buffer].isAny);
}

Meeting arrc::lanes::meet(const Trace &trace, const Event &a, const Event &b) {
  Meeting meeting;
  if (!mayShareArray(trace, a, b)) {
    meeting.kind = Meeting::Never;
    meeting.test = "arrays";
    return meeting;
  }
  if (trace.threads == 1) {
    meeting.kind = Meeting::Never;
    meeting.test = "one thread";
    return meeting;
  }
  if (!a.address || !b.address || !haveOneOrigin(trace, a, b))
    return meeting;
  auto never = [&](StringRef test) {
    meeting.kind = Meeting::Never;
    meeting.test = test;
    return meeting;
  };
  if (isApartByDivisor(trace, a, b))
    return never("gcd");
  if (isApartByBounds(trace, a, b))
    return never("banerjee");
  if (isApartByBits(trace, a, b))
    return never("bits");
  std::optional<bool> isApart = isApartBySets(trace, a, b);
  if (isApart.value_or(false))
    return never("presburger");
  if (std::optional<Meeting> found = enumerate(trace, a, b)) {
    // That a set has a point is found by it, too; who it is, here.
    if (isApart && found->kind != Meeting::Never)
      found->test = "presburger";
    return *found;
  }
  return meeting;
}

Meeting arrc::lanes::meetAcrossBlocks(const Trace &trace, const Event &a,
                                      const Event &b) {
  Meeting meeting;
  if (!mayShareArray(trace, a, b)) {
    meeting.kind = Meeting::Never;
    meeting.test = "arrays";
    return meeting;
  }
  if (!a.address || !b.address || trace.isOfOneBlock || setsAsked > kMostSets ||
      !haveOneOrigin(trace, a, b))
    return meeting;
  for (const Event *event : {&a, &b})
    if (!Affine::of(*event->address, trace.facts))
      return meeting;
  for (unsigned d = 0; d < 3; ++d) {
    std::optional<int64_t> blocks = trace.facts.blocks[d];
    if (blocks && *blocks <= 1)
      continue;
    // A dimension that nobody asks for is taken to have one block.
    if (trace.blockIds[d] == ~0u)
      continue;
    for (bool isFirst : {true, false}) {
      ++setsAsked;
      PointSet set(trace);
      unsigned one = set.addThread(*a.mask, 1),
               other = set.addThread(*b.mask, 2);
      addOverlap(set, a, one, b, other);
      set.addBlockLess(isFirst ? one : other, isFirst ? other : one, d);
      if (!set.isEmpty())
        return meeting;
    }
  }
  meeting.kind = Meeting::Never;
  meeting.test = "presburger";
  return meeting;
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Whether it matters in which order the two are.
static bool areOrdered(const Trace &trace, const Event &a, const Event &b) {
  return (a.writes || b.writes) && !(a.isAtomic && b.isAtomic) &&
         mayShareArray(trace, a, b);
}

static bool isWorse(const Meeting &a, const Meeting &b) {
  auto rank = [](Meeting::Kind kind) {
    return kind == Meeting::Surely ? 2 : kind == Meeting::Maybe ? 1 : 0;
  };
  return rank(a.kind) > rank(b.kind);
}

std::vector<RaceVerdict> arrc::lanes::getRaceVerdicts(const Trace &trace) {
  setsAsked = 0;
  llvm::MapVector<std::pair<std::pair<Operation *, Operation *>, unsigned>,
                  RaceVerdict>
      verdicts;
  Epochs epochs(trace);
  size_t pairs = 0;
  auto note = [&](const Event &a, const Event &b, bool isAcross,
                  Meeting meeting) {
    // The same number by all is no race.
    if (a.op == b.op && a.storesSame && !a.reads &&
        meeting.kind != Meeting::Never)
      return;
    RaceVerdict &verdict = verdicts[{{a.op, b.op}, unsigned(isAcross)}];
    bool isNew = !verdict.a;
    if (!isNew && !isWorse(meeting, verdict.meeting))
      return;
    verdict = {&a, &b, isAcross, meeting};
  };
  const std::vector<Event> &events = trace.events;
  for (size_t i = 0; i < events.size(); ++i)
    for (size_t j = i; j < events.size(); ++j) {
      const Event &a = events[i], &b = events[j];
      if (!areOrdered(trace, a, b) || (a.isShadow && b.isShadow))
        continue;
      bool isGlobal = trace.buffers[a.buffer].kind == Buffer::Global;
      bool together = epochs.meet(a.epoch, b.epoch);
      if (!together && !isGlobal)
        continue;
      if (++pairs > kMostPairs) {
        note(a, b, false, Meeting());
        continue;
      }
      if (together) {
        Meeting meeting = meet(trace, a, b);
        // A barrier that need not be come by may be.
        if (!epochs.areOne(a.epoch, b.epoch) && meeting.kind == Meeting::Surely)
          meeting.kind = Meeting::Maybe;
        note(a, b, false, meeting);
      }
      if (isGlobal && !a.isShadow && !b.isShadow)
        note(a, b, true, meetAcrossBlocks(trace, a, b));
    }
  std::vector<RaceVerdict> list;
  for (auto &[key, verdict] : verdicts)
    list.push_back(verdict);
  return list;
}

std::optional<std::vector<UnorderedPair>>
arrc::lanes::getUnorderedPairs(const Trace &trace, size_t mostPairs) {
  setsAsked = 0;
  Epochs epochs(trace);
  std::vector<UnorderedPair> list;
  const std::vector<Event> &events = trace.events;
  size_t first = 0, pairs = 0;
  for (size_t j = 0; j < events.size(); ++j)
    for (size_t i = j + 1; i-- > first;) {
      const Event &a = events[i], &b = events[j];
      if (!areOrdered(trace, a, b) || (a.isShadow && b.isShadow) ||
          (i == j && a.storesSame && !a.reads) ||
          !epochs.meet(a.epoch, b.epoch))
        continue;
      if (++pairs > mostPairs)
        return std::nullopt;
      // Whoever asks this can wait longer than one who prints.
      if (pairs < kMostPairs)
        setsAsked = 0;
      Meeting meeting = meet(trace, a, b);
      if (meeting.kind == Meeting::Never)
        continue;
      list.push_back({i, j, meeting});
      if (i != j) {
        first = j;
        break;
      }
    }
  return list;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

std::vector<BarrierVerdict>
arrc::lanes::getBarrierVerdicts(const Trace &trace) {
  setsAsked = 0;
  llvm::MapVector<Operation *, std::vector<const BarrierEvent *>> barriers;
  for (const BarrierEvent &event : trace.barriers)
    barriers[event.op].push_back(&event);
  std::map<unsigned, std::vector<const Event *>> byEpoch;
  for (const Event &event : trace.events)
    byEpoch[event.epoch].push_back(&event);
  Epochs epochs(trace);
  size_t pairs = 0;
  std::vector<BarrierVerdict> list;
  for (auto &[op, events] : barriers) {
    BarrierVerdict verdict;
    verdict.op = op;
    for (const BarrierEvent *event : events) {
      if (event->isShadow)
        continue;
      ++verdict.times;
      bool isWhole = event->mask->on.isUniform();
      verdict.isDivergent |= event->mask->isExact && !isWhole;
      verdict.mayBeDivergent |= event->isDivergent;
    }
    auto isNeeded = [&](const BarrierEvent &event) {
      // Of loops that are not taken apart neighbouring iterations are known;
      // without the barrier others would meet.
      if (!trace.opaque.empty() || !(event.times == Form(1)))
        return true;
      auto before = epochs.around(event.epoch),
           after = epochs.around(event.epoch + 1);
      for (unsigned x : before)
        for (unsigned y : after)
          for (const Event *a : byEpoch[x])
            for (const Event *b : byEpoch[y]) {
              if (a == b)
                continue;
              // What is indivisible orders other things.
              bool orders = a->isAtomic || b->isAtomic;
              if (!orders && !areOrdered(trace, *a, *b))
                continue;
              Meeting meeting;
              if (!orders && ++pairs < kMostPairs)
                meeting = meet(trace, *a, *b);
              if (meeting.kind == Meeting::Never)
                continue;
              if (!verdict.before || meeting.kind == Meeting::Surely) {
                verdict.before = a;
                verdict.after = b;
                verdict.test = meeting.test;
              }
              return true;
            }
      return false;
    };
    bool anyNeeded = false;
    for (const BarrierEvent *event : events) {
      bool needed = isNeeded(*event);
      anyNeeded |= needed;
      verdict.needed += needed && !event->isShadow;
    }
    verdict.isNeedless = !anyNeeded && trace.problem.empty();
    // In a loop all go, or none.
    if (verdict.isNeedless)
      for (const BarrierEvent *event : events)
        epochs.open(event->epoch);
    list.push_back(verdict);
  }
  return list;
}
