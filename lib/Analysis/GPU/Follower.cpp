//===- Follower.cpp - The way of the threads through a kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Follower.h"

#include "arrc/Analysis/SourceNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

/// Operations that are followed at most.
static constexpr int64_t kMostSteps = 400000;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

LaunchFacts LaunchFacts::of(gpu::GPUFuncOp kernel) {
  LaunchFacts facts;
  bool isSaid = false;
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize()) {
    for (auto [d, extent] : llvm::enumerate(*size))
      facts.threads[d] = extent;
    isSaid = facts.isBlockKnown = true;
  }
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownGridSize())
    for (auto [d, extent] : llvm::enumerate(*size))
      facts.blocks[d] = extent;
  auto module = kernel->getParentOfType<ModuleOp>();
  if (!module)
    return facts;
  bool isFirst = true, isConstant = true;
  SymbolTableCollection symbols;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (symbols.lookupNearestSymbolFrom(launch, launch.getKernel()) !=
        kernel.getOperation())
      return;
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    auto number = [](Value value) -> std::optional<int64_t> {
      APInt n;
      if (matchPattern(value, m_ConstantInt(&n)))
        return n.getSExtValue();
      return std::nullopt;
    };
    SmallVector<Value> extents{block.x, block.y, block.z},
        counts{grid.x, grid.y, grid.z};
    for (auto [d, value] : llvm::enumerate(extents))
      if (auto n = number(value); !isSaid && isFirst) {
        if (n)
          facts.threads[d] = *n;
        isConstant &= n.has_value();
      } else if (!isSaid) {
        isConstant &= n == facts.threads[d];
      }
    for (auto [d, value] : llvm::enumerate(counts)) {
      auto n = number(value);
      if (isFirst)
        facts.blocks[d] = n;
      else if (facts.blocks[d] != n)
        facts.blocks[d] = std::nullopt;
    }
    isFirst = false;
  });
  facts.isBlockKnown |= !isFirst && isConstant;
  return facts;
}

unsigned Trace::countWarps(const Mask &mask) const {
  if (mask.on.isUniform())
    return mask.on[0] ? getWarps() : 0;
  unsigned count = 0;
  for (size_t first = 0; first < threads; first += 32) {
    size_t t = first, end = std::min(threads, first + 32);
    while (t < end && !mask.on[t])
      ++t;
    count += t < end;
  }
  return count;
}

Trace::Trace(gpu::GPUFuncOp kernel, const LaunchFacts &facts)
    : kernel(kernel), facts(facts) {
  threads = facts.threads[0] * facts.threads[1] * facts.threads[2];
  if (threads == 0 || threads > 1024) {
    problem = "blocks of " + std::to_string(threads) + " threads do not run";
    return;
  }
  if (!kernel.getBody().hasOneBlock()) {
    problem = "branches between blocks of operations are not followed";
    return;
  }
  Follower(*this).run();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

const Content &Follower::get(Value value) {
  auto found = contents.find(value);
  if (found != contents.end())
    return found->second;
  return contents[value];
}

Content Follower::makeUnknown(Type type, Variance variance, bool isData,
                              StringRef name) {
  Content content;
  content.isData = isData;
  content.variance = variance;
  if (variance == Variance::Block && type.isIntOrIndex()) {
    Symbol symbol;
    symbol.name = name.str();
    symbol.isOfBlock = symbol.isData = isData;
    if (type.isInteger(1))
      symbol.range = {0, 1};
    content.form = Form::ofSymbol(trace.symbols.add(symbol));
  }
  return content;
}

std::optional<Lanes> Follower::decide(const Content &condition) {
  if (!condition.form)
    return std::nullopt;
  if (condition.form->isNumbers())
    return condition.form->getConstant();
  if (std::optional<Lanes> lanes = condition.form->evaluate(trace.symbols)) {
    trace.isOfOneBlock = true;
    return lanes;
  }
  return std::nullopt;
}

void Follower::noteBranch(Operation *op, const Content &condition,
                          std::optional<Lanes> taken) {
  if (!notes() || shadow)
    return;
  BranchEvent event;
  event.op = op;
  event.mask = mask;
  event.taken = taken;
  if (!taken) {
    event.mayDiffer = condition.form ? !condition.form->isUniform()
                                     : condition.variance != Variance::Block;
    event.mayDifferInWarps = condition.form
                                 ? !condition.form->isUniformInWarps()
                                 : condition.variance == Variance::Thread;
  }
  event.isData = condition.isData;
  event.times = times;
  trace.branches.push_back(std::move(event));
}

std::shared_ptr<const Mask> Follower::narrow(const Content &condition,
                                             bool isThen,
                                             std::optional<Lanes> taken) {
  auto inner = std::make_shared<Mask>(*mask);
  if (taken) {
    inner->on = Lanes::zip(mask->on, *taken, [&](int64_t on, int64_t x) {
      return int64_t(on && bool(x) == isThen);
    });
    return inner;
  }
  inner->isExact = false;
  if (condition.hasGuards && isThen)
    inner->guards.insert(inner->guards.end(), condition.guards.begin(),
                         condition.guards.end());
  else if (condition.hasGuards && condition.guards.size() == 1 &&
           !condition.guards.front().isEquality)
    inner->guards.push_back({Form(-1) - condition.guards.front().form, false});
  return inner;
}

Content Follower::merge(const std::optional<Lanes> &taken,
                        const Content &condition, const Content &a,
                        const Content &b, Type type) {
  Content content;
  content.isData = a.isData || b.isData || condition.isData;
  if (taken && a.form && b.form) {
    content.form = Form::select(*taken, *a.form, *b.form);
    return content;
  }
  if (a.form && b.form && *a.form == *b.form)
    return a;
  if (taken && taken->isUniform())
    return (*taken)[0] ? a : b;
  Variance variance = std::max(
      {a.getVariance(), b.getVariance(),
       taken ? (taken->isUniformInWarps() ? Variance::Warp : Variance::Thread)
             : condition.getVariance()});
  return makeUnknown(type, variance, content.isData, "value");
}

void Follower::followIf(scf::IfOp op) {
  Content condition = get(op.getCondition());
  std::optional<Lanes> taken = decide(condition);
  noteBranch(op, condition, taken);
  auto before = mask;
  unsigned firstEpoch = epoch;
  bool mayDiffer =
      taken ? !taken->isUniform()
            : (condition.form ? !condition.form->isUniform()
                              : condition.variance != Variance::Block);
  // Threads that left earlier make a barrier divergent, too.
  divergent += mayDiffer;
  SmallVector<SmallVector<Content>, 2> yielded(2);
  for (bool isThen : {true, false}) {
    Region &region = isThen ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      continue;
    mask = narrow(condition, isThen, taken);
    if (trace.countWarps(*mask) > 0)
      follow(region.front());
    if (op.getNumResults())
      for (Value value : region.front().getTerminator()->getOperands())
        yielded[!isThen].push_back(get(value));
    mask = before;
  }
  divergent -= mayDiffer;
  // Barriers of one arm need not be come by.
  if (epoch != firstEpoch && !(taken && taken->isUniform()) && notes())
    trace.joins.push_back({firstEpoch, epoch});
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    set(result, merge(taken, condition, yielded[0][i], yielded[1][i],
                      result.getType()));
}

void Follower::followUnknownRegions(Operation *op) {
  if (notes())
    trace.opaque.push_back(op);
  auto before = mask;
  auto inner = std::make_shared<Mask>(*mask);
  inner->isExact = false;
  mask = inner;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      follow(block);
  mask = before;
}

//===----------------------------------------------------------------------===//
// Blocks of operations
//===----------------------------------------------------------------------===//

void Follower::follow(Block &block) {
  unsigned outer = run_;
  run_ = ++runs;
  for (Operation &op : block.without_terminator()) {
    steps += !isa<gpu::BarrierOp>(op);
    if (steps > kMostSteps) {
      trace.problem = "the kernel is too long to be followed";
      break;
    }
    llvm::TypeSwitch<Operation *, void>(&op)
        .Case<scf::IfOp>([&](auto inner) { followIf(inner); })
        .Case<scf::ForOp>([&](auto inner) { followFor(inner); })
        .Case<scf::WhileOp>([&](auto inner) { followWhile(inner); })
        .Default([&](Operation *) { followOp(op); });
    // What follows a branch or a loop is no neighbour of what is before it.
    if (op.getNumRegions())
      run_ = ++runs;
  }
  run_ = outer;
}

void Follower::run() {
  for (BlockArgument argument : trace.kernel.getArguments())
    setArgument(argument, argument.getArgNumber());
  for (auto [i, own] : llvm::enumerate(trace.kernel.getWorkgroupAttributions()))
    getView(own);
  for (BlockArgument own : trace.kernel.getPrivateAttributions())
    getView(own);
  follow(trace.kernel.getBody().front());
  trace.epochs = epoch + 1;
}
