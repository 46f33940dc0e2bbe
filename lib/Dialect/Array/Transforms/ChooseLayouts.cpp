//===- ChooseLayouts.cpp - Carried arrays of small vectors by component ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A time loop carries an array of small vectors, `f32[n, m, 9]` or
// `f32[n, 3]`. In memory order the components of a point are neighbours: points
// that are computed side by side, in lanes or threads, read and write with a
// stride. So the loop carries one array a component, and the vectors are taken
// apart before it and put together after it:
//
//   %f1 = scf.for .. iter_args(%f = %f0) -> (tensor<?x2xf32>) {
//     %g = array.map (%i) .. { .. array.at %f[%i, 1] ..
//                              array.yield %v : tensor<2xf32> }
//     scf.yield %g }
//   // becomes
//   %a0, %b0 = array.map (%i) .. { array.at %f0[%i, 0], array.at %f0[%i, 1] ..
//   } %a1, %b1 = scf.for .. iter_args(%a = %a0, %b = %b0) {
//     %c, %d = array.map (%i) .. { .. array.at %b[%i] .. array.yield %v0, %v1 }
//     scf.yield %c, %d }
//   %f1 = array.map (%i) .. { tensor.from_elements %a1[%i], %b1[%i] .. }
//
// Legal if all reads in the loop pick a component by a constant, and what the
// loop carries on is made component by component, in the sizes of before.
// Reads keep their points and values: no result changes.
//
// Pays for loops of the host, which repeat: two copies are made once. A loop
// that is known to run too few times for them keeps its vectors, and so does a
// loop in another, which would copy in each step of that one. Arguments and
// results of exports keep the order of the program.
//
// Source: structure of arrays; the layout choice of lattice Boltzmann codes
// (Wellein et al., Computers & Fluids 2006).
//
//===----------------------------------------------------------------------===//

#include "LayoutCost.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_CHOOSELAYOUTSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc::array;

/// Most components that are carried alone.
static constexpr int64_t kMaxComponents = 16;

namespace {
/// A host loop with the parts that `scf.for` and `scf.while` have in common:
/// position `k` of the initial values is argument, result and carried value
/// `k`.
struct HostLoop {
  Operation *op;
  unsigned firstInit; ///< operands before the initial values
  unsigned firstArg;  ///< arguments before the carried ones, in every region

  explicit HostLoop(Operation *op)
      : op(op), firstInit(isa<scf::ForOp>(op) ? 3 : 0),
        firstArg(isa<scf::ForOp>(op) ? 1 : 0) {}

  Value getInit(unsigned k) const { return op->getOperand(firstInit + k); }
  Block &getBlock(unsigned region) const {
    return op->getRegion(region).front();
  }
  Value getArg(unsigned region, unsigned k) const {
    return getBlock(region).getArgument(firstArg + k);
  }
  /// The terminator of a region, and its operands before the carried values.
  Operation *getEnd(unsigned region) const {
    return getBlock(region).getTerminator();
  }
  unsigned getFirstEnd(unsigned region) const {
    return isa<scf::ConditionOp>(getEnd(region)) ? 1 : 0;
  }
  Value getCarried(unsigned region, unsigned k) const {
    return getEnd(region)->getOperand(getFirstEnd(region) + k);
  }
};
} // namespace

static Value skipBinds(Value array) {
  while (auto bind = array.getDefiningOp<BindOp>())
    array = bind.getSource();
  return array;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether all uses of `array` are reads of components in bodies, or ends of
/// the loop, which are looked at by themselves.
static bool areUsesPicks(Value array, const HostLoop &loop) {
  int64_t last = cast<RankedTensorType>(array.getType()).getRank() - 1;
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    if (auto at = dyn_cast<AtOp>(user))
      return at.getInbounds() &&
             getConstantIntValue(at.getIndices()[last]).has_value() &&
             at->getParentOfType<IndexSpaceOpInterface>();
    if (auto bind = dyn_cast<BindOp>(user))
      return areUsesPicks(bind.getResult(), loop);
    if (auto extend = dyn_cast<ExtendOp>(user))
      return extend.getMode(last) == BoundaryMode::None &&
             areUsesPicks(extend.getResult(), loop);
    return user->getParentOp() == loop.op &&
           user->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Whether `array` is made component by component, with the sizes of `init`.
static bool isMadeOfComponents(Value array, Value init, const HostLoop &loop) {
  Operation *op = array.getDefiningOp();
  auto space = dyn_cast_if_present<IndexSpaceOpInterface>(op);
  if (!space || !isa<MapOp, StencilOp>(op) || op->getParentOp() != loop.op)
    return false;
  Value yielded =
      space.getYield().getValues()[cast<OpResult>(array).getResultNumber()];
  if (!yielded.getDefiningOp<tensor::FromElementsOp>() ||
      cast<RankedTensorType>(yielded.getType()).getRank() != 1)
    return false;
  for (auto [dim, extent] : llvm::enumerate(space.getMixedExtents())) {
    OpFoldResult size = getKnownSize(init, dim);
    if (!size || !isEqualConstantIntOrValue(size, extent))
      return false;
  }
  return areUsesPicks(array, loop);
}

/// Whether position `k` can be carried by component, if all of `chosen` are.
static bool canSplit(const HostLoop &loop, unsigned k,
                     const llvm::SmallBitVector &chosen) {
  auto type = dyn_cast<RankedTensorType>(loop.getInit(k).getType());
  if (!type || type.getRank() < 2 || type.hasStaticShape() ||
      type.isDynamicDim(type.getRank() - 1) ||
      type.getShape().back() > kMaxComponents || type.getShape().back() < 2)
    return false;
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
    if (!getKnownSize(loop.getInit(k), dim))
      return false;
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region) {
    if (!areUsesPicks(loop.getArg(region, k), loop))
      return false;
    Value carried = skipBinds(loop.getCarried(region, k));
    if (auto argument = dyn_cast<BlockArgument>(carried)) {
      if (argument.getOwner() != &loop.getBlock(region) ||
          argument.getArgNumber() < loop.firstArg ||
          !chosen.test(argument.getArgNumber() - loop.firstArg))
        return false;
      continue;
    }
    if (!isMadeOfComponents(carried, loop.getInit(k), loop))
      return false;
  }
  // Where it is carried to another place, that must be taken apart as well.
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region)
    for (unsigned other = 0; other < chosen.size(); ++other)
      if (!chosen.test(other) && skipBinds(loop.getCarried(region, other)) ==
                                     skipBinds(loop.getCarried(region, k)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Takes the chosen positions of one loop apart.
class Splitter {
public:
  Splitter(RewriterBase &rewriter, HostLoop loop, llvm::SmallBitVector chosen)
      : rewriter(rewriter), loop(loop), chosen(std::move(chosen)) {}

  void run();

private:
  /// The components of the initial value at position `k`, read in one map.
  SmallVector<Value> takeApart(unsigned k);
  /// The array of the components, made in one map.
  Value putTogether(ValueRange parts, unsigned k);
  /// Lets the reads of `array` read `parts`.
  void readParts(Value array, ValueRange parts);
  /// Erases the views of `array` that nothing reads any more.
  void eraseViews(Value array);
  /// Adds results for components to the maps that make carried arrays.
  void splitMaps(unsigned region);
  void splitMap(Operation *op, const llvm::SmallBitVector &results);
  /// The sizes of the initial value at position `k` but the last.
  SmallVector<OpFoldResult> getSizes(unsigned k) {
    SmallVector<OpFoldResult> sizes;
    auto type = cast<RankedTensorType>(loop.getInit(k).getType());
    for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
      sizes.push_back(getKnownSize(loop.getInit(k), dim));
    return sizes;
  }
  int64_t getCount(unsigned k) {
    return cast<RankedTensorType>(loop.getInit(k).getType()).getShape().back();
  }

  RewriterBase &rewriter;
  HostLoop loop;
  llvm::SmallBitVector chosen;
  /// Maps that were made again; their results end in the terminator.
  SmallVector<Operation *> replaced;
  /// The components of arguments and results that were taken apart.
  llvm::DenseMap<Value, SmallVector<Value>> parts;
};
} // namespace

SmallVector<Value> Splitter::takeApart(unsigned k) {
  Value array = loop.getInit(k);
  auto map = MapOp::create(
      rewriter, loop.op->getLoc(), getSizes(k), ArrayRef<StringRef>(),
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        SmallVector<Value> values, point(indices);
        point.push_back(Value());
        for (int64_t c = 0; c < getCount(k); ++c) {
          point.back() = arith::ConstantIndexOp::create(b, loc, c);
          values.push_back(
              AtOp::create(b, loc, array, point, /*inbounds=*/true));
        }
        YieldOp::create(b, loc, values);
      });
  return SmallVector<Value>(map.getResults());
}

Value Splitter::putTogether(ValueRange components, unsigned k) {
  auto map = MapOp::create(
      rewriter, loop.op->getLoc(), getSizes(k), ArrayRef<StringRef>(),
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        SmallVector<Value> values;
        for (Value component : components)
          values.push_back(
              AtOp::create(b, loc, component, indices, /*inbounds=*/true));
        Value point = tensor::FromElementsOp::create(b, loc, values);
        YieldOp::create(b, loc, point);
      });
  return map->getResult(0);
}

void Splitter::readParts(Value array, ValueRange components) {
  for (Operation *user : llvm::make_early_inc_range(array.getUsers())) {
    rewriter.setInsertionPoint(user);
    if (auto at = dyn_cast<AtOp>(user)) {
      int64_t which = *getConstantIntValue(at.getIndices().back());
      rewriter.replaceOpWithNewOp<AtOp>(at, components[which],
                                        at.getIndices().drop_back(),
                                        /*inbounds=*/true);
      continue;
    }
    SmallVector<Value> views;
    if (auto bind = dyn_cast<BindOp>(user)) {
      SmallVector<OpFoldResult> sizes = bind.getMixedSizes();
      sizes.pop_back();
      for (Value component : components)
        views.push_back(
            BindOp::create(rewriter, bind.getLoc(), component, sizes));
    } else if (auto extend = dyn_cast<ExtendOp>(user)) {
      SmallVector<BoundaryMode> modes = extend.getModeList();
      modes.pop_back();
      for (Value component : components)
        views.push_back(ExtendOp::create(rewriter, extend.getLoc(), component,
                                         modes, extend.getFills()));
    } else {
      continue; // an end of the loop
    }
    readParts(user->getResult(0), views);
    if (user->use_empty())
      rewriter.eraseOp(user);
  }
}

void Splitter::eraseViews(Value array) {
  for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
    if (isa<BindOp, ExtendOp>(user)) {
      eraseViews(user->getResult(0));
      if (user->use_empty())
        rewriter.eraseOp(user);
    }
}

void Splitter::splitMap(Operation *op, const llvm::SmallBitVector &results) {
  auto space = cast<IndexSpaceOpInterface>(op);
  YieldOp yield = space.getYield();
  SmallVector<Type> types;
  SmallVector<Value> values;
  SmallVector<unsigned> counts;
  for (auto [r, value] : llvm::enumerate(yield.getValues())) {
    if (!results.test(r)) {
      values.push_back(value);
      types.push_back(op->getResult(r).getType());
      counts.push_back(1);
      continue;
    }
    auto made = value.getDefiningOp<tensor::FromElementsOp>();
    llvm::append_range(values, made.getElements());
    counts.push_back(made.getElements().size());
    types.append(counts.back(), getArrayOf(space.getStaticExtentList(),
                                           made.getType().getElementType()));
  }
  rewriter.modifyOpInPlace(yield,
                           [&] { yield.getGivenMutable().assign(values); });
  rewriter.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), types,
                       op->getAttrs());
  state.addRegion()->takeBody(op->getRegion(0));
  Operation *copy = rewriter.create(state);
  unsigned next = 0;
  for (auto [r, count] : llvm::enumerate(counts)) {
    ValueRange made = copy->getResults().slice(next, count);
    next += count;
    if (!results.test(r)) {
      rewriter.replaceAllUsesWith(op->getResult(r), made.front());
      continue;
    }
    parts[op->getResult(r)] = SmallVector<Value>(made);
    readParts(op->getResult(r), made);
  }
  replaced.push_back(op);
}

void Splitter::splitMaps(unsigned region) {
  llvm::MapVector<Operation *, llvm::SmallBitVector> results;
  for (unsigned k : chosen.set_bits()) {
    auto result = dyn_cast<OpResult>(skipBinds(loop.getCarried(region, k)));
    if (!result)
      continue;
    auto &bits = results[result.getOwner()];
    bits.resize(result.getOwner()->getNumResults());
    bits.set(result.getResultNumber());
  }
  for (auto &[op, bits] : results)
    splitMap(op, bits);
}

void Splitter::run() {
  rewriter.setInsertionPoint(loop.op);
  SmallVector<Value> operands(
      loop.op->getOperands().take_front(loop.firstInit));
  SmallVector<Value> initParts;
  SmallVector<Type> types;
  for (unsigned k = 0; k < chosen.size(); ++k) {
    if (chosen.test(k)) {
      llvm::append_range(initParts, takeApart(k));
    } else {
      operands.push_back(loop.getInit(k));
      types.push_back(loop.getInit(k).getType());
    }
  }
  llvm::append_range(operands, initParts);
  llvm::append_range(types, ValueRange(initParts).getTypes());

  // Components follow what is carried whole, everywhere.
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region) {
    Block &block = loop.getBlock(region);
    for (unsigned k : chosen.set_bits()) {
      Value argument = loop.getArg(region, k);
      auto type = cast<RankedTensorType>(argument.getType());
      auto component = RankedTensorType::get(type.getShape().drop_back(),
                                             type.getElementType());
      SmallVector<Value> components;
      for (int64_t c = 0; c < getCount(k); ++c)
        components.push_back(block.addArgument(component, argument.getLoc()));
      readParts(argument, components);
      parts[argument] = components;
    }
    splitMaps(region);
    Operation *end = loop.getEnd(region);
    SmallVector<Value> ends(
        end->getOperands().take_front(loop.getFirstEnd(region))),
        last;
    for (unsigned k = 0; k < chosen.size(); ++k) {
      Value carried = loop.getCarried(region, k);
      if (chosen.test(k))
        llvm::append_range(last, parts.lookup(skipBinds(carried)));
      else
        ends.push_back(carried);
    }
    llvm::append_range(ends, last);
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(ends); });
    for (Operation *op : replaced) {
      for (Value result : op->getResults())
        eraseViews(result);
      rewriter.eraseOp(op);
    }
    replaced.clear();
  }

  rewriter.setInsertionPoint(loop.op);
  OperationState state(loop.op->getLoc(), loop.op->getName(), operands, types,
                       loop.op->getAttrs());
  for (Region &region : loop.op->getRegions()) {
    Block &block = region.front();
    llvm::BitVector gone(block.getNumArguments());
    for (unsigned k : chosen.set_bits())
      gone.set(loop.firstArg + k);
    for (unsigned k : chosen.set_bits())
      eraseViews(block.getArgument(loop.firstArg + k));
    block.eraseArguments(gone);
    state.addRegion()->takeBody(region);
  }
  Operation *copy = rewriter.create(state);
  SmallVector<Value> results;
  unsigned whole = 0;
  ValueRange components =
      copy->getResults().drop_front(chosen.size() - chosen.count());
  for (unsigned k = 0; k < chosen.size(); ++k) {
    if (!chosen.test(k)) {
      results.push_back(copy->getResult(whole++));
      continue;
    }
    ValueRange own = components.take_front(getCount(k));
    components = components.drop_front(getCount(k));
    results.push_back(loop.op->getResult(k).use_empty() ? Value()
                                                        : putTogether(own, k));
  }
  for (auto [result, value] : llvm::zip(loop.op->getResults(), results))
    if (value)
      rewriter.replaceAllUsesWith(result, value);
  rewriter.eraseOp(loop.op);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ChooseLayoutsPass
    : arrc::array::impl::ChooseLayoutsPassBase<ChooseLayoutsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<IndexSpaceOpInterface>(op))
        return WalkResult::skip();
      if (!isa<scf::ForOp, scf::WhileOp>(op))
        return WalkResult::advance();
      loops.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *op : loops)
      chooseFor(op);
  }

  void chooseFor(Operation *op) {
    HostLoop loop(op);
    unsigned count = op->getNumResults();
    if (count == 0 || op->getNumOperands() != loop.firstInit + count)
      return;
    for (unsigned region = 0; region < op->getNumRegions(); ++region)
      if (loop.getBlock(region).getNumArguments() != loop.firstArg + count ||
          loop.getEnd(region)->getNumOperands() !=
              loop.getFirstEnd(region) + count)
        return;
    llvm::SmallBitVector chosen(count, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned k : chosen.set_bits())
        if (!canSplit(loop, k, chosen)) {
          chosen.reset(k);
          changed = true;
          break;
        }
    }
    if (chosen.none())
      return;
    auto options =
        remark::RemarkOpts::name("CarryComponents").category("choose-layouts");
    int64_t cost = 0;
    for (unsigned k : chosen.set_bits())
      cost += getConversionCost(loop.getInit(k), op->getResult(k));
    std::optional<int64_t> steps = getMostSteps(op);
    if (steps && *steps * kSavedByStep * int64_t(chosen.count()) < cost) {
      remark::missed(op->getLoc(), options) << remark::reason(
          "{0} steps save less than copying to components and back", *steps);
      return;
    }
    remark::passed(op->getLoc(), options) << remark::add(
        "carries {0} arrays of small vectors by component", chosen.count());
    IRRewriter rewriter(&getContext());
    Splitter(rewriter, loop, chosen).run();
  }
};
} // namespace
