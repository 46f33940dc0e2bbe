//===- ElementOperator.cpp - Operators on rows, an element at a time ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An operator on rows works element by element if what it yields at a place is
// made of scalars and of elements at that place. It is followed backwards from
// what it yields: through element-wise operations, maps that read at their own
// index, branches, and other names of an array. Anything else that is read of a
// row (another element, a fold of it) ends the search.
//
//===----------------------------------------------------------------------===//

#include "ElementOperator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

static bool isRow(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether a view is another name of its source's elements, place by place.
static bool keepsPlaces(ViewOp view) { return view.getMap().isIdentity(); }

/// The array that `op` names again, or null.
static Value findRenamed(Operation *op) {
  if (auto bind = dyn_cast<BindOp>(op))
    return bind.getSource();
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return cast.getSource();
  if (auto view = dyn_cast<ViewOp>(op); view && keepsPlaces(view))
    return view.getSource();
  return {};
}

/// The yielded value that is result `k` of a map.
static Value getYielded(IndexSpaceOpInterface map, Value result) {
  return map.getYield().getValues()[cast<OpResult>(result).getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
class Follower {
public:
  explicit Follower(Region &combiner)
      : combiner(combiner), count(combiner.getNumArguments() / 2),
        needed(count) {}

  /// Whether an element of accumulator `k` needs nothing but `needed`.
  bool run(unsigned k) {
    return follow(combiner.front().getTerminator()->getOperand(k));
  }
  const llvm::BitVector &getNeeded() const { return needed; }

private:
  bool isLocal(Value value) {
    return combiner.isAncestor(value.getParentRegion());
  }
  bool follow(Value value);
  bool followRow(Value row);
  bool followOperands(Operation *op, IndexSpaceOpInterface map);

  Region &combiner;
  unsigned count;
  llvm::BitVector needed;
  /// Everything that has been asked for.
  llvm::SmallDenseSet<Value> seen;
};
} // namespace

/// What `op`, in the body of `map` or in none, reads.
bool Follower::followOperands(Operation *op, IndexSpaceOpInterface map) {
  bool fits = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      // Of the operation itself.
      if (!isLocal(operand) ||
          (map ? map.getBodyBlock()->getParent()->isAncestor(
                     operand.getParentRegion())
               : op->isAncestor(operand.getParentRegion()->getParentOp())))
        continue;
      if (!isRow(operand)) {
        fits &= follow(operand);
        continue;
      }
      auto at = dyn_cast<AtOp>(inner);
      fits &= map && at && llvm::equal(at.getIndices(), map.getIndices()) &&
              follow(operand);
    }
    return fits ? WalkResult::advance() : WalkResult::interrupt();
  });
  return fits;
}

bool Follower::followRow(Value row) {
  Operation *op = row.getDefiningOp();
  if (!op)
    return false;
  if (Value source = findRenamed(op))
    return follow(source);
  if (isa<MapOp, StencilOp>(op)) {
    auto map = cast<IndexSpaceOpInterface>(op);
    // Elements that are rows themselves stand at longer places.
    if (isRow(getYielded(map, row)))
      return false;
    return llvm::all_of(*map.getBodyBlock(), [&](Operation &inner) {
      return followOperands(&inner, map);
    });
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned k = cast<OpResult>(row).getResultNumber();
    return follow(branch.getCondition()) &&
           follow(branch.thenYield().getOperand(k)) &&
           follow(branch.elseYield().getOperand(k));
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return follow(splat.getInput());
  return OpTrait::hasElementwiseMappableTraits(op) && !op->getNumRegions() &&
         op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return follow(operand); });
}

bool Follower::follow(Value value) {
  if (!isLocal(value) || !seen.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &combiner.front()) {
    unsigned k = argument.getArgNumber() % count;
    if (needed.test(k))
      return true;
    needed.set(k);
    return run(k);
  }
  if (isRow(value))
    return followRow(value);
  Operation *op = value.getDefiningOp();
  return op && followOperands(op, {});
}

std::optional<llvm::BitVector>
arrc::array::findElementOperator(Region &combiner, unsigned k) {
  Follower follower(combiner);
  if (!follower.run(k))
    return std::nullopt;
  llvm::BitVector needed = follower.getNeeded();
  needed.set(k);
  return needed;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
class Emitter {
public:
  Emitter(OpBuilder &builder, Region &combiner, ValueRange point)
      : builder(builder), combiner(combiner), point(point) {}

  /// The element of a row, or the scalar itself.
  Value emit(Value value);
  IRMapping known;

private:
  bool isLocal(Value value) {
    return combiner.isAncestor(value.getParentRegion());
  }
  Value emitRow(Value row);
  void cloneInto(Operation &op, IRMapping &mapping);
  Value emitScalar(Value scalar);

  OpBuilder &builder;
  Region &combiner;
  ValueRange point;
};
} // namespace

/// Clones an operation whose operands are in `mapping` or known or outside.
void Emitter::cloneInto(Operation &op, IRMapping &mapping) {
  auto at = dyn_cast<AtOp>(op);
  if (at && isLocal(at.getSource()) && !mapping.contains(at.getSource())) {
    mapping.map(at.getResult(), emit(at.getSource()));
    return;
  }
  for (Value operand : op.getOperands())
    if (isLocal(operand) && !mapping.contains(operand))
      mapping.map(operand, emit(operand));
  Operation *copy = op.cloneWithoutRegions(mapping);
  builder.insert(copy);
  for (auto [from, to] : llvm::zip(op.getRegions(), copy->getRegions())) {
    // What is made in a region is not known behind it.
    IRMapping outer = known;
    OpBuilder::InsertionGuard guard(builder);
    for (Block &block : from) {
      Block *target = builder.createBlock(&to);
      for (BlockArgument argument : block.getArguments())
        mapping.map(argument,
                    target->addArgument(argument.getType(), argument.getLoc()));
      IRMapping inner = mapping;
      for (Operation &nested : block)
        cloneInto(nested, inner);
    }
    known = outer;
  }
  for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults()))
    mapping.map(from, to);
}

Value Emitter::emitScalar(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  IRMapping mapping;
  cloneInto(*op, mapping);
  for (Value result : op->getResults())
    known.map(result, mapping.lookup(result));
  return known.lookup(scalar);
}

Value Emitter::emitRow(Value row) {
  Operation *op = row.getDefiningOp();
  Location loc = op->getLoc();
  if (Value source = findRenamed(op))
    return emit(source);
  if (isa<MapOp, StencilOp>(op)) {
    auto map = cast<IndexSpaceOpInterface>(op);
    IRMapping mapping;
    mapping.map(map.getIndices(), point);
    for (Operation &inner : map.getBodyBlock()->without_terminator())
      cloneInto(inner, mapping);
    for (Value result : op->getResults()) {
      Value yielded = getYielded(map, result);
      if (!isRow(yielded))
        known.map(result, mapping.contains(yielded) ? mapping.lookup(yielded)
                                                    : emit(yielded));
    }
    return known.lookup(row);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned k = cast<OpResult>(row).getResultNumber();
    Value condition = emit(branch.getCondition());
    IRMapping outer = known;
    auto yield = [&](Value value) {
      Value element = emit(value);
      scf::YieldOp::create(builder, loc, element);
      known = outer;
    };
    auto element = cast<RankedTensorType>(row.getType()).getElementType();
    auto made = scf::IfOp::create(builder, loc, element, condition,
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&made.getThenRegion().front());
    yield(branch.thenYield().getOperand(k));
    builder.setInsertionPointToStart(&made.getElseRegion().front());
    yield(branch.elseYield().getOperand(k));
    return made.getResult(0);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(builder, loc,
                                     splat.getSplatValue<TypedAttr>());
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return emit(splat.getInput());
  OperationState state(loc, op->getName());
  for (Value operand : op->getOperands())
    state.addOperands(emit(operand));
  state.addTypes(cast<RankedTensorType>(row.getType()).getElementType());
  state.addAttributes(op->getAttrs());
  return builder.create(state)->getResult(0);
}

Value Emitter::emit(Value value) {
  if (Value made = known.lookupOrNull(value))
    return made;
  Value made;
  if (!isLocal(value))
    made = isRow(value)
               ? AtOp::create(builder, value.getLoc(), value, point).getResult()
               : value;
  else
    made = isRow(value) ? emitRow(value) : emitScalar(value);
  known.map(value, made);
  return made;
}

SmallVector<Value> arrc::array::emitElementOperator(OpBuilder &builder,
                                                    Region &combiner,
                                                    ArrayRef<unsigned> wanted,
                                                    ValueRange args,
                                                    ValueRange point) {
  Emitter emitter(builder, combiner, point);
  for (auto [from, to] : llvm::zip(combiner.getArguments(), args))
    if (to)
      emitter.known.map(from, to);
  SmallVector<Value> results;
  for (unsigned k : wanted) {
    Value whole = combiner.front().getTerminator()->getOperand(k);
    results.push_back(emitter.emit(whole));
  }
  return results;
}
