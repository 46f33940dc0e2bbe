//===- SplitComponents.cpp - Carried arrays by component ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SplitComponents.h"

#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"

using namespace mlir;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Slices of vectors
//===----------------------------------------------------------------------===//

std::optional<ComponentSlice> ComponentSlice::of(tensor::InsertSliceOp insert) {
  int64_t last = insert.getType().getRank() - 1;
  auto first = getConstantIntValue(insert.getMixedOffsets()[last]);
  auto stride = getConstantIntValue(insert.getMixedStrides()[last]);
  auto count = getConstantIntValue(insert.getMixedSizes()[last]);
  if (!first || !stride || !count)
    return std::nullopt;
  return ComponentSlice{*first, *stride, *count,
                        insert.getDroppedDims().test(last)};
}

/// Whether all uses of vectors are reads of components by constants, and
/// `insert`.
static bool isPickedOrPut(Value vectors, tensor::InsertSliceOp insert) {
  return llvm::all_of(vectors.getUses(), [&](OpOperand &use) {
    if (auto at = dyn_cast<AtOp>(use.getOwner()))
      return at.getInbounds() &&
             getConstantIntValue(at.getIndices().back()).has_value();
    if (auto bind = dyn_cast<BindOp>(use.getOwner()))
      return isPickedOrPut(bind.getResult(), insert);
    return use == insert.getSourceMutable();
  });
}

IndexSpaceOpInterface arrc::array::findVectorMap(tensor::InsertSliceOp insert) {
  Value vectors = skipBinds(insert.getSource());
  auto space = vectors.getDefiningOp<IndexSpaceOpInterface>();
  if (!space || !isa<MapOp, StencilOp>(space.getOperation()) ||
      space->getNumResults() != 1 || space->getBlock() != insert->getBlock())
    return {};
  Value yielded = space.getYield().getValues().front();
  if (!yielded.getDefiningOp<tensor::FromElementsOp>() ||
      cast<RankedTensorType>(yielded.getType()).getRank() != 1 ||
      !isPickedOrPut(vectors, insert))
    return {};
  return space;
}

Value arrc::array::skipUpdates(Value array) {
  for (;;) {
    array = skipBinds(array);
    auto insert = array.getDefiningOp<tensor::InsertSliceOp>();
    if (!insert)
      return array;
    array = insert.getDest();
  }
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
  /// The components of `array`, read in one map over `sizes`.
  SmallVector<Value> takeApart(Value array, ArrayRef<OpFoldResult> sizes,
                               int64_t count);
  /// The array of the components, made in one map.
  Value putTogether(ValueRange parts, unsigned k);
  /// Lets the reads of `array` read `parts`.
  void readParts(Value array, ValueRange parts);
  /// Lets `insert` put its components into those of `dest`.
  void splitInsert(tensor::InsertSliceOp insert, ValueRange dest);
  /// The components of `slice`, which `insert` puts into an array.
  SmallVector<Value> getSliceParts(tensor::InsertSliceOp insert,
                                   const ComponentSlice &slice);
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
  /// Maps and updates that were made again, each behind its uses; their results
  /// may end in the terminator.
  SmallVector<Operation *> replaced;
  /// The components of arguments and results that were taken apart.
  llvm::DenseMap<Value, SmallVector<Value>> parts;
};
} // namespace

SmallVector<Value>
Splitter::takeApart(Value array, ArrayRef<OpFoldResult> sizes, int64_t count) {
  auto map = MapOp::create(
      rewriter, loop.op->getLoc(), sizes, ArrayRef<StringRef>(),
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        SmallVector<Value> values, point(indices);
        point.push_back(Value());
        for (int64_t c = 0; c < count; ++c) {
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
      auto read = AtOp::create(rewriter, at.getLoc(), components[which],
                               at.getIndices().drop_back(), /*inbounds=*/true);
      keepGuard(at, read);
      rewriter.replaceOp(at, read);
      continue;
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user)) {
      // Where it is the slice, the array has taken its components.
      if (insert.getDest() == array)
        splitInsert(insert, components);
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

SmallVector<Value> Splitter::getSliceParts(tensor::InsertSliceOp insert,
                                           const ComponentSlice &slice) {
  Value source = insert.getSource();
  Location loc = insert.getLoc();
  if (slice.isDropped)
    return {source};
  auto type = insert.getSourceType();
  auto part =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  if (type.getRank() == 1) {
    auto elements = source.getDefiningOp<tensor::FromElementsOp>();
    SmallVector<Value> parts;
    for (int64_t k = 0; k < slice.count; ++k) {
      Value element =
          elements
              ? elements.getElements()[k]
              : AtOp::create(rewriter, loc, source,
                             arith::ConstantIndexOp::create(rewriter, loc, k)
                                 .getResult(),
                             /*inbounds=*/true);
      parts.push_back(
          tensor::FromElementsOp::create(rewriter, loc, part, element));
    }
    return parts;
  }
  // The slice has the dimensions of the array that are not dropped.
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<OpFoldResult> sizes;
  for (auto [d, size] :
       llvm::enumerate(ArrayRef(insert.getMixedSizes()).drop_back()))
    if (!dropped.test(d))
      sizes.push_back(size);
  return takeApart(source, sizes, slice.count);
}

void Splitter::splitInsert(tensor::InsertSliceOp insert, ValueRange dest) {
  ComponentSlice slice = *ComponentSlice::of(insert);
  SmallVector<Value> made;
  IndexSpaceOpInterface space;
  if (!slice.isDropped && (space = findVectorMap(insert))) {
    splitMap(space, llvm::SmallBitVector(1, true));
    made = parts.lookup(space->getResult(0));
  }
  rewriter.setInsertionPoint(insert);
  if (!space)
    made = getSliceParts(insert, slice);
  SmallVector<Value> components(dest);
  for (auto [k, part] : llvm::enumerate(made)) {
    Value &component = components[slice.first + k * slice.stride];
    component = tensor::InsertSliceOp::create(
        rewriter, insert.getLoc(), part, component,
        ArrayRef(insert.getMixedOffsets()).drop_back(),
        ArrayRef(insert.getMixedSizes()).drop_back(),
        ArrayRef(insert.getMixedStrides()).drop_back());
  }
  parts[insert.getResult()] = components;
  readParts(insert.getResult(), components);
  replaced.push_back(insert);
  // `splitMap` has put it in front.
  if (space) {
    llvm::erase(replaced, space.getOperation());
    replaced.push_back(space);
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
    auto result = dyn_cast<OpResult>(skipUpdates(loop.getCarried(region, k)));
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
      llvm::append_range(initParts,
                         takeApart(loop.getInit(k), getSizes(k), getCount(k)));
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

void arrc::array::splitComponents(RewriterBase &rewriter, HostLoop loop,
                                  const llvm::SmallBitVector &chosen) {
  Splitter(rewriter, loop, chosen).run();
}
