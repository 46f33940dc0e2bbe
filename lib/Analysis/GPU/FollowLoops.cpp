//===- FollowLoops.cpp - Loops of a kernel --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Follower.h"

#include "arrc/Analysis/SourceNames.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

/// Operations that are followed before loops are no longer taken apart, and
/// iterations that are followed one by one.
static constexpr int64_t kSteps = 40000, kIterations = 1024;

/// Barriers are not counted: where they stand does not decide what is followed.
static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *inner) { count += !isa<gpu::BarrierOp>(inner); });
  return count;
}

/// Whether a barrier stands below.
static bool hasBarrier(Operation *op) {
  return op->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

std::optional<Lanes> Follower::countTrips(const Form &low, const Form &high,
                                          const Form &step) const {
  std::optional<Lanes> first = low.evaluate(trace.symbols),
                       last = high.evaluate(trace.symbols),
                       by = step.evaluate(trace.symbols);
  if (!first || !last || !by || by->getMin() <= 0)
    return std::nullopt;
  Lanes trips = Lanes::zip(
      Lanes::zip(*last, *first, [](int64_t a, int64_t b) { return a - b; }),
      *by, [](int64_t distance, int64_t s) {
        return distance <= 0 ? 0 : (distance - 1) / s + 1;
      });
  // Threads that are not there do not count.
  return Lanes::zip(trips, mask->on,
                    [](int64_t n, int64_t on) { return on ? n : 0; });
}

bool Follower::tryIterations(scf::ForOp op) {
  const Content &low = get(op.getLowerBound()), &high = get(op.getUpperBound()),
                &step = get(op.getStep());
  if (!low.form || !high.form || !step.form)
    return false;
  std::optional<Lanes> counted = countTrips(*low.form, *high.form, *step.form);
  if (!counted)
    return false;
  Lanes trips = *counted;
  int64_t most = trips.getMax();
  int64_t cost = most * countOps(op);
  if (most > kIterations || steps + cost > kSteps)
    return false;
  if (!low.form->isNumbers() || !high.form->isNumbers() ||
      !step.form->isNumbers())
    trace.isOfOneBlock |= low.form->differsBetweenBlocks(trace.symbols) ||
                          high.form->differsBetweenBlocks(trace.symbols);
  Form counter = *low.form, increment = *step.form;
  SmallVector<Content> carried;
  for (Value value : op.getInitArgs())
    carried.push_back(get(value));
  auto before = mask;
  if (!trips.isUniform()) {
    Content condition = Content::of(Form(trips));
    noteBranch(op, condition, trips);
  }
  divergent += !trips.isUniform();
  for (int64_t k = 0; k < most; ++k) {
    Lanes goes = Lanes::zip(
        trips, k, [](int64_t n, int64_t at) { return int64_t(at < n); });
    mask = before;
    mask = narrow(Content(), true, goes);
    set(op.getInductionVar(), Content::of(counter));
    for (auto [argument, content] : llvm::zip(op.getRegionIterArgs(), carried))
      set(argument, content);
    follow(*op.getBody());
    for (auto [i, value] :
         llvm::enumerate(op.getBody()->getTerminator()->getOperands()))
      carried[i] = merge(goes, Content::of(Form(goes)), get(value), carried[i],
                         value.getType());
    counter = counter + increment;
  }
  divergent -= !trips.isUniform();
  mask = before;
  for (auto [result, content] : llvm::zip(op.getResults(), carried))
    set(result, content);
  return true;
}

std::vector<Content>
Follower::generalize(ArrayRef<Content> initial, Block::BlockArgListType carried,
                     const Form &counter,
                     llvm::function_ref<ValueRange()> body) {
  std::vector<Content> guesses, general;
  SmallVector<std::optional<unsigned>> placeholders;
  for (auto [start, argument] : llvm::zip(initial, carried)) {
    Content guess = start;
    std::optional<unsigned> placeholder;
    if (guess.form && argument.getType().isIntOrIndex()) {
      Symbol symbol;
      symbol.name = "carried";
      placeholder = trace.symbols.add(symbol);
      guess.form = *guess.form + Form::ofSymbol(*placeholder);
    }
    placeholders.push_back(placeholder);
    set(argument, guess);
    guesses.push_back(guess);
  }
  ++dry;
  ValueRange next = body();
  --dry;
  for (auto [i, start] : llvm::enumerate(initial)) {
    Content after = get(next[i]), before = start;
    Type type = carried[i].getType();
    if (guesses[i].form && after.form) {
      Form step = *after.form - *guesses[i].form;
      if (step.isUniform() && step.isNumbers()) {
        general.push_back(Content::of(*before.form + step * counter));
        continue;
      }
    }
    bool isUniform = before.form && before.form->isUniform() && after.form &&
                     after.form->isUniform();
    bool isSame = !before.form && !after.form &&
                  std::max(before.variance, after.variance) == Variance::Block;
    general.push_back(makeUnknown(
        type, isUniform || isSame ? Variance::Block : Variance::Thread,
        before.isData || after.isData, "carried"));
  }
  return general;
}

void Follower::followOnce(scf::ForOp op) {
  Content low = get(op.getLowerBound()), high = get(op.getUpperBound()),
          step = get(op.getStep());
  Content bound;
  bound.isData = low.isData || high.isData;
  bool mayDiffer = !low.form || !high.form || !low.form->isUniform() ||
                   !high.form->isUniform();
  if (mayDiffer) {
    bound.variance = (low.form || low.variance == Variance::Block) &&
                             (high.form || high.variance == Variance::Block) &&
                             !(low.form && !low.form->isUniformInWarps()) &&
                             !(high.form && !high.form->isUniformInWarps())
                         ? Variance::Warp
                         : Variance::Thread;
    noteBranch(op, bound, std::nullopt);
  }
  // How many iterations there are, as far as threads agree.
  Form trips;
  Symbol k;
  k.name = ("k" + Twine(trace.symbols.size())).str();
  k.range = {0, Span::kHigh};
  k.isCounter = true;
  std::optional<int64_t> by = step.form ? step.form->getNumber() : std::nullopt;
  if (low.form && high.form && by && *by > 0) {
    bool isAssumed = false;
    Form span = *high.form - *low.form;
    std::optional<Form> count = lanes::apply(
        Binary::DivCeil, Form(span), Form(*by), trace.symbols, isAssumed);
    if (count && count->isUniform()) {
      trips = *count;
      Span range = trips.getRange(trace.symbols);
      k.range.high = std::max<int64_t>(0, range.high - 1);
      if (std::optional<Lanes> value = trips.evaluate(trace.symbols))
        k.range.high = std::max<int64_t>(0, (*value)[0] - 1);
    }
  }
  if (trips.getTerms().empty()) {
    Symbol count;
    count.name = "trips";
    if (FileLineColLoc place = findPlace(op.getLoc()))
      count.name += "@" + std::to_string(place.getLine());
    count.range.low = 0;
    // Where threads have different numbers of them, others wait for the most.
    if (low.form && high.form && step.form)
      if (std::optional<Lanes> lanes =
              countTrips(*low.form, *high.form, *step.form))
        count.value = lanes->getMax();
    trips = Form::ofSymbol(trace.symbols.add(count));
  }
  // Bounds that are known let accesses in the middle be looked at.
  if (low.form && low.form->evaluate(trace.symbols)) {
    if (k.range.high < Span::kHigh)
      k.value = k.range.high / 2;
    else if (std::optional<Lanes> count = trips.evaluate(trace.symbols))
      k.value = std::max<int64_t>((*count)[0] - 1, 0) / 2;
  }
  std::string name = k.name;
  Form counter = Form::ofSymbol(trace.symbols.add(k));
  auto setCounter = [&](const Form &at) {
    Content content;
    if (low.form && by)
      content = Content::of(*low.form + Form(*by) * at);
    else
      content = makeUnknown(op.getInductionVar().getType(), Variance::Thread,
                            low.isData, name);
    set(op.getInductionVar(), content);
  };
  auto before = mask;
  Form outer = times;
  auto inner = std::make_shared<Mask>(*mask);
  inner->isExact &= !mayDiffer && trips.getRange(trace.symbols).low > 0;
  if (low.form && high.form && by)
    inner->guards.push_back(
        {*high.form - *low.form - Form(*by) * counter - Form(1), false});
  mask = inner;
  divergent += mayDiffer;
  unsigned firstEpoch = epoch;
  setCounter(counter);
  SmallVector<Content> initial;
  for (Value value : op.getInitArgs())
    initial.push_back(get(value));
  std::vector<Content> general =
      generalize(initial, op.getRegionIterArgs(), counter, [&] {
        follow(*op.getBody());
        return ValueRange(op.getBody()->getTerminator()->getOperands());
      });
  times = outer * trips;
  auto setCarried = [&] {
    for (auto [argument, content] : llvm::zip(op.getRegionIterArgs(), general))
      set(argument, content);
  };
  setCarried();
  follow(*op.getBody());
  SmallVector<Content> last;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    last.push_back(get(value));
  if (notes()) {
    // Another iteration, for what meets what it did before: the next one
    // where barriers stand between them, else any.
    ++shadow;
    Form other = counter + Form(1);
    if (!hasBarrier(op)) {
      Symbol any = k;
      any.name += "'";
      any.value.reset();
      other = Form::ofSymbol(trace.symbols.add(any));
    }
    auto guarded = std::make_shared<Mask>(*before);
    guarded->isExact = false;
    if (low.form && high.form && by)
      guarded->guards.push_back(
          {*high.form - *low.form - Form(*by) * other - Form(1), false});
    mask = guarded;
    setCounter(other);
    setCarried();
    follow(*op.getBody());
    --shadow;
  }
  divergent -= mayDiffer;
  mask = before;
  times = outer;
  // It may have no iteration, and with it no barrier.
  bool mayBeEmpty = trips.getRange(trace.symbols).low <= 0 || mayDiffer;
  if (epoch != firstEpoch && notes() && mayBeEmpty)
    trace.joins.push_back({firstEpoch, epoch});
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    set(result,
        makeUnknown(result.getType(),
                    last[i].form && last[i].form->isUniform()
                        ? Variance::Block
                        : (last[i].form ? Variance::Thread : last[i].variance),
                    last[i].isData, "result"));
}

void Follower::followFor(scf::ForOp op) {
  if (!tryIterations(op))
    followOnce(op);
}

void Follower::followWhile(scf::WhileOp op) {
  auto before = mask;
  SmallVector<Content> carried;
  for (Value value : op.getInits())
    carried.push_back(get(value));
  auto condition = [&] {
    return cast<scf::ConditionOp>(op.getBeforeBody()->getTerminator());
  };
  Lanes goes = mask->on;
  SmallVector<Content> results(op.getNumResults());
  int64_t size = countOps(op), count = 0;
  Form outer = times;
  // Iteration by iteration, as long as it is known who goes on.
  while (true) {
    for (auto [argument, content] : llvm::zip(op.getBeforeArguments(), carried))
      set(argument, content);
    ++dry;
    follow(*op.getBeforeBody());
    --dry;
    Content go = get(condition().getCondition());
    std::optional<Lanes> taken = decide(go);
    if (!taken || ++count > kIterations || steps + size > kSteps)
      break;
    follow(*op.getBeforeBody());
    Lanes next = Lanes::zip(mask->on, *taken, [](int64_t on, int64_t x) {
      return int64_t(on && x);
    });
    bool mayDiffer = !(next == mask->on) && next.getMax() > 0;
    if (mayDiffer)
      noteBranch(op, go, taken);
    for (auto [i, value] : llvm::enumerate(condition().getArgs())) {
      results[i] = count == 1 ? get(value)
                              : merge(goes, Content::of(Form(goes)), get(value),
                                      results[i], value.getType());
      set(op.getAfterArguments()[i], get(value));
    }
    if (next.getMax() == 0) {
      mask = before;
      for (auto [result, content] : llvm::zip(op.getResults(), results))
        set(result, content);
      return;
    }
    auto inner = std::make_shared<Mask>(*mask);
    inner->on = next;
    mask = inner;
    goes = next;
    divergent += !next.isUniform();
    follow(*op.getAfterBody());
    divergent -= !next.isUniform();
    for (auto [i, value] :
         llvm::enumerate(op.getAfterBody()->getTerminator()->getOperands()))
      carried[i] = get(value);
  }
  // Once, for any iteration.
  Symbol k;
  k.name = ("k" + Twine(trace.symbols.size())).str();
  k.range = {0, Span::kHigh};
  k.isCounter = true;
  Form counter = Form::ofSymbol(trace.symbols.add(k));
  Symbol trips;
  trips.name = "trips";
  if (FileLineColLoc place = findPlace(op.getLoc()))
    trips.name += "@" + std::to_string(place.getLine());
  trips.range.low = 0;
  auto inner = std::make_shared<Mask>(*mask);
  inner->isExact = false;
  mask = inner;
  unsigned firstEpoch = epoch;
  auto pass = [&] {
    follow(*op.getBeforeBody());
    for (auto [argument, value] :
         llvm::zip(op.getAfterArguments(), condition().getArgs()))
      set(argument, get(value));
    follow(*op.getAfterBody());
    return ValueRange(op.getAfterBody()->getTerminator()->getOperands());
  };
  std::vector<Content> general =
      generalize(carried, op.getBeforeArguments(), counter, pass);
  times = outer * Form::ofSymbol(trace.symbols.add(trips));
  for (unsigned round = 0; round < 2; ++round) {
    for (auto [argument, content] : llvm::zip(op.getBeforeArguments(), general))
      set(argument, content);
    if (round == 0) {
      ++dry;
      follow(*op.getBeforeBody());
      --dry;
      Content go = get(condition().getCondition());
      noteBranch(op, go, std::nullopt);
      bool mayDiffer =
          go.form ? !go.form->isUniform() : go.variance != Variance::Block;
      divergent += mayDiffer;
      pass();
      divergent -= mayDiffer;
      if (!notes())
        break;
      ++shadow;
    } else {
      pass();
      --shadow;
    }
  }
  for (auto [result, value] : llvm::zip(op.getResults(), condition().getArgs()))
    set(result, makeUnknown(result.getType(),
                            get(value).form && get(value).form->isUniform()
                                ? Variance::Block
                                : (get(value).form ? Variance::Thread
                                                   : get(value).variance),
                            get(value).isData, "result"));
  mask = before;
  times = outer;
  if (epoch != firstEpoch && notes())
    trace.joins.push_back({firstEpoch, epoch});
}
