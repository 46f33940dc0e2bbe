//===- Accesses.cpp - Element reads and writes of a launch ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// In lanes an access is one of
//   - a scalar one, if no index differs between lanes;
//   - `vector.load`, `vector.store`, or their masked forms, if only the last
//     index differs and goes up by one a lane (down by one: turned around);
//   - whole vectors that are rearranged, for lanes along rows of a few
//   elements:
//     StridedLoads.cpp;
//   - a gather or scatter with the offsets of the lanes.
// Whole lines of large arrays that the launch does not read are stored past the
// caches: an ordinary store reads the line first, and pushes out what others
// still need. The pool orders such stores before the end of a task: it counts
// tasks by a locked instruction.
//
// A bool in memory is a byte, while a vector of i1 would be read as bits: its
// arrays are read and written as i8.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

/// Bytes of a line of the caches: what is stored past them at a time.
static constexpr int64_t kLineBytes = 64;

/// An array of bools as the bytes that it is in memory; others as they are.
static Value asBytes(OpBuilder &b, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.getElementType().isInteger(1))
    return memref;
  auto bytes = MemRefType::Builder(type).setElementType(b.getI8Type());
  return UnrealizedConversionCastOp::create(b, loc, MemRefType(bytes), memref)
      .getResult(0);
}

/// `vector` with its lanes in the opposite order.
static Value reverse(OpBuilder &b, Location loc, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getDimSize(0);
  SmallVector<int64_t> order;
  for (int64_t l = lanes - 1; l >= 0; --l)
    order.push_back(l);
  return vector::ShuffleOp::create(b, loc, vector, vector, order);
}

static LaunchEmitter::Access getAccess(MemRefType type,
                                       ArrayRef<LaneValue> indices) {
  using Access = LaunchEmitter::Access;
  if (llvm::all_of(indices, [](LaneValue i) { return i.isUniform(); }))
    return Access::Uniform;
  LaneValue last = indices.back();
  if (!llvm::all_of(indices.drop_back(),
                    [](LaneValue i) { return i.isUniform(); }) ||
      last.isVector || !type.isLastDimUnitStride())
    return Access::Scattered;
  if (last.stride == 1)
    return Access::Forward;
  return last.stride == -1 ? Access::Backward : Access::Scattered;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

LaneValue LaunchEmitter::resolveEdge(Location loc, LaneValue index, Value size,
                                     kernel::EdgeMode mode) {
  using Predicate = arith::CmpIPredicate;
  LaneValue n{size}, zero = constantIndex(loc, 0), one = constantIndex(loc, 1);
  if (mode == kernel::EdgeMode::None)
    return index;
  if (mode == kernel::EdgeMode::Clamp) {
    LaneValue last = binary(loc, "arith.subi", n, one);
    return binary(loc, "arith.maxsi", binary(loc, "arith.minsi", index, last),
                  zero);
  }
  // The others repeat with a period; the remainder is made non-negative. Lanes
  // that are masked look for their place in empty arrays as well.
  LaneValue period = n;
  if (mode == kernel::EdgeMode::Mirror)
    period = binary(loc, "arith.addi", n, n);
  if (mode == kernel::EdgeMode::Reflect) {
    period = binary(loc, "arith.subi", binary(loc, "arith.addi", n, n),
                    constantIndex(loc, 2));
  }
  if (lanes || mode == kernel::EdgeMode::Reflect) // an array of one
    period = binary(loc, "arith.maxsi", period, one);
  auto modulo = [&](LaneValue i) {
    LaneValue rest = binary(loc, "arith.remsi", i, period);
    return select(loc, compare(loc, Predicate::slt, rest, zero),
                  binary(loc, "arith.addi", rest, period), rest);
  };
  // A division is slow, and an index is hardly ever more than one period away.
  LaneValue near =
      select(loc, compare(loc, Predicate::slt, index, zero),
             binary(loc, "arith.addi", index, period),
             select(loc, compare(loc, Predicate::sge, index, period),
                    binary(loc, "arith.subi", index, period), index));
  Value done = compare(loc, Predicate::ult, near, period).value;
  if (isa<VectorType>(done.getType()))
    done =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, done);
  auto branch = scf::IfOp::create(
      b, loc, done,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, near.value);
      },
      [&](OpBuilder &inner, Location) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(inner.saveInsertionPoint());
        LaneValue far = modulo(index);
        scf::YieldOp::create(b, loc,
                             near.isVector ? toVector(loc, far) : far.value);
      });
  LaneValue turned{branch.getResult(0), 0, near.isVector};
  if (mode == kernel::EdgeMode::Wrap)
    return turned;
  LaneValue top = period;
  if (mode == kernel::EdgeMode::Mirror)
    top = binary(loc, "arith.subi", period, one);
  return select(loc, compare(loc, Predicate::slt, turned, n), turned,
                binary(loc, "arith.subi", top, turned));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The scalars of lane 0.
static SmallVector<Value> firstLane(ArrayRef<LaneValue> indices) {
  SmallVector<Value> scalars;
  for (LaneValue index : indices)
    scalars.push_back(index.value);
  return scalars;
}

/// Where the lanes of a scattered access are: an element of `array` that all
/// lanes share, and the offsets of the lanes from there.
std::pair<SmallVector<Value>, Value>
LaunchEmitter::scatterOffsets(Location loc, Value array,
                              ArrayRef<LaneValue> indices, bool masked) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<Value> origin(indices.size());
  LaneValue offsets = constantIndex(loc, 0);
  // Strides of the outer dimensions; the last one's is 1.
  SmallVector<Value> strides;
  if (type.getRank() > 1) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
    strides.append(metadata.getStrides().begin(), metadata.getStrides().end());
  }
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (index.isUniform()) {
      origin[d] = index.value;
      continue;
    }
    // The first lane's element, which is one of the array's without a mask:
    // what is left is the same in all iterations.
    LaneValue step = index;
    origin[d] = constantIndex(loc, 0).value;
    if (!masked && !index.isVector) {
      origin[d] = index.value;
      step.value = constantIndex(loc, 0).value;
    }
    if (d + 1 < indices.size())
      step = binary(loc, "arith.muli", step, {strides[d]});
    offsets = binary(loc, "arith.addi", offsets, step);
  }
  return {origin, toVector(loc, offsets)};
}

Value LaunchEmitter::loadLanes(Location loc, Value array,
                               ArrayRef<LaneValue> indices, Access pattern,
                               Value mask) {
  if (pattern == Access::Uniform)
    return memref::LoadOp::create(b, loc, array, firstLane(indices));
  Type element = cast<MemRefType>(array.getType()).getElementType();
  Value bytes = asBytes(b, loc, array);
  Type stored = cast<MemRefType>(bytes.getType()).getElementType();
  auto type = VectorType::get({lanes}, stored);
  Value nothing = toVector(loc, {zero(loc, stored)});
  Value loaded;
  if (pattern == Access::Scattered) {
    auto [origin, offsets] =
        scatterOffsets(loc, bytes, indices, static_cast<bool>(mask));
    loaded = vector::GatherOp::create(b, loc, type, bytes, origin, offsets,
                                      mask ? mask : allOn(loc), nothing);
  } else {
    SmallVector<Value> first = firstLane(indices);
    bool turned = pattern == Access::Backward;
    if (turned) {
      Value back = constantIndex(loc, lanes - 1).value;
      first.back() = arith::SubIOp::create(b, loc, first.back(), back);
    }
    if (mask && turned)
      mask = reverse(b, loc, mask);
    loaded = mask ? Value(vector::MaskedLoadOp::create(b, loc, type, bytes,
                                                       first, mask, nothing))
                  : Value(vector::LoadOp::create(b, loc, type, bytes, first));
    if (turned)
      loaded = reverse(b, loc, loaded);
  }
  if (stored == element)
    return loaded;
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loaded,
                               nothing);
}

void LaunchEmitter::storeLanes(Location loc, Value array, LaneValue value,
                               ArrayRef<LaneValue> indices, Access pattern,
                               Value mask) {
  if (pattern == Access::Uniform) {
    memref::StoreOp::create(b, loc, value.value, array, firstLane(indices));
    return;
  }
  Type element = cast<MemRefType>(array.getType()).getElementType();
  Value bytes = asBytes(b, loc, array);
  Type stored = cast<MemRefType>(bytes.getType()).getElementType();
  Value vector = toVector(loc, value);
  if (stored != element)
    vector = arith::ExtUIOp::create(b, loc, VectorType::get({lanes}, stored),
                                    vector);
  if (pattern == Access::Scattered) {
    auto [origin, offsets] =
        scatterOffsets(loc, bytes, indices, static_cast<bool>(mask));
    vector::ScatterOp::create(b, loc, Type(), bytes, origin, offsets,
                              mask ? mask : allOn(loc), vector);
    return;
  }
  SmallVector<Value> first = firstLane(indices);
  if (pattern == Access::Backward) {
    Value back = constantIndex(loc, lanes - 1).value;
    first.back() = arith::SubIOp::create(b, loc, first.back(), back);
    vector = reverse(b, loc, vector);
    if (mask)
      mask = reverse(b, loc, mask);
  }
  if (mask) {
    vector::MaskedStoreOp::create(b, loc, bytes, first, mask, vector);
    return;
  }
  Value past = getsPastCaches(loc, array, bytes, first);
  if (!past) {
    vector::StoreOp::create(b, loc, vector, bytes, first);
    return;
  }
  scf::IfOp::create(
      b, loc, past,
      [&](OpBuilder &inner, Location) {
        vector::StoreOp::create(inner, loc, vector, bytes, first,
                                /*nontemporal=*/true,
                                llvm::MaybeAlign(kLineBytes));
        scf::YieldOp::create(inner, loc);
      },
      [&](OpBuilder &inner, Location) {
        vector::StoreOp::create(inner, loc, vector, bytes, first);
        scf::YieldOp::create(inner, loc);
      });
}

/// Whether the lanes that are stored from `first` on are a line of an array
/// that is too large for the caches; null if they never are.
Value LaunchEmitter::getsPastCaches(Location loc, Value array, Value bytes,
                                    ArrayRef<Value> first) {
  Value large = streams.lookup(array);
  Type element = cast<MemRefType>(bytes.getType()).getElementType();
  int64_t width = getElementBytes(element);
  if (!large || lanes * width != kLineBytes)
    return {};
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, bytes);
  Value place = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(first, metadata.getStrides()))
    place = arith::AddIOp::create(b, loc, place,
                                  arith::MulIOp::create(b, loc, index, stride));
  place = arith::MulIOp::create(b, loc, place, constantIndex(loc, width).value);
  place = arith::AddIOp::create(
      b, loc, place,
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, bytes));
  Value rest = arith::AndIOp::create(b, loc, place,
                                     constantIndex(loc, kLineBytes - 1).value);
  Value aligned = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                                        constantIndex(loc, 0).value);
  return arith::AndIOp::create(b, loc, large, aligned);
}

Value LaunchEmitter::loadForSome(Location loc, Value array,
                                 ArrayRef<LaneValue> indices, Value mask) {
  Type element = cast<MemRefType>(array.getType()).getElementType();
  LaneValue nothing{zero(loc, element)};
  Value any =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, mask);
  auto branch =
      scf::IfOp::create(b, loc, element, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, nothing.value);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc,
                       loadLanes(loc, array, indices, Access::Uniform, {}));
  b.setInsertionPointAfter(branch);
  return arith::SelectOp::create(b, loc, mask,
                                 toVector(loc, {branch.getResult(0)}),
                                 toVector(loc, nothing));
}

Value LaunchEmitter::loadWrapped(Location loc, Value array,
                                 ArrayRef<LaneValue> indices, Value mask) {
  using Predicate = arith::CmpIPredicate;
  LaneValue along = indices.back();
  Value size = memref::DimOp::create(b, loc, array, indices.size() - 1);
  LaneValue first =
      resolveEdge(loc, {along.value}, size, kernel::EdgeMode::Wrap);
  LaneValue span = constantIndex(loc, (lanes - 1) * along.stride);
  LaneValue last = binary(loc, "arith.addi", first, span);
  // Unsigned: not below 0 either. Lanes on both sides of the largest integer
  // are not next to each other.
  Value inside = compare(loc, Predicate::ult, last, {size}).value;
  Value together =
      compare(loc, along.stride > 0 ? Predicate::sge : Predicate::sle,
              binary(loc, "arith.addi", {along.value}, span), {along.value})
          .value;
  inside = arith::AndIOp::create(b, loc, inside, together);
  SmallVector<LaneValue> places(indices);
  Type element = cast<MemRefType>(array.getType()).getElementType();
  auto branch = scf::IfOp::create(b, loc, laneType(element), inside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  places.back() = {first.value, along.stride};
  scf::YieldOp::create(
      b, loc,
      loadLanes(loc, array, places,
                along.stride == 1 ? Access::Forward : Access::Backward, mask));
  b.setInsertionPointToStart(branch.elseBlock());
  places.back() = resolveEdge(loc, along, size, kernel::EdgeMode::Wrap);
  scf::YieldOp::create(b, loc,
                       loadLanes(loc, array, places, Access::Scattered, mask));
  return branch.getResult(0);
}

std::optional<LaneValue> LaunchEmitter::getMask(Location loc, Value mask,
                                                bool differs) {
  std::optional<LaneValue> given;
  if (mask)
    given = lookup(mask);
  // What all lanes have is there for those that do something.
  if (!active || (!differs && (!given || given->isUniform())))
    return given;
  LaneValue own{active, 0, /*isVector=*/true};
  return given ? make(loc, "arith.andi", {*given, own}, b.getI1Type()) : own;
}

void LaunchEmitter::emitLoad(kernel::LoadOp load) {
  Location loc = load.getLoc();
  Value array = lookupScalar(load.getSource());
  auto type = cast<MemRefType>(array.getType());
  SmallVector<LaneValue> indices = lookup(load.getIndices());
  kernel::EdgesAttr edge = load.getEdgeAttr();
  Access given = getAccess(type, indices);
  std::optional<LaneValue> mask =
      getMask(loc, load.getMask(), given != Access::Uniform);
  bool wraps = lanes && edge && !isa<ComplexType>(type.getElementType()) &&
               edge.getModes().back() == kernel::EdgeMode::Wrap &&
               (given == Access::Forward || given == Access::Backward);
  auto resolve = [&] {
    if (!edge)
      return;
    ArrayRef<kernel::EdgeMode> modes = edge.getModes();
    for (auto [d, mode] : llvm::enumerate(wraps ? modes.drop_back() : modes))
      if (mode != kernel::EdgeMode::None)
        indices[d] = resolveEdge(loc, indices[d],
                                 memref::DimOp::create(b, loc, array, d), mode);
  };
  if (lanes && isa<ComplexType>(type.getElementType()) &&
      ((mask && !mask->isUniform()) ||
       getAccess(type, indices) != Access::Uniform)) {
    resolve();
    set(load.getResult(), loadComplex(loc, array, indices,
                                      mask ? toVector(loc, *mask) : Value()));
    return;
  }
  if (!mask || !mask->isUniform()) {
    resolve();
    Access pattern = getAccess(type, indices);
    if (mask && pattern == Access::Uniform)
      return set(load.getResult(),
                 {loadForSome(loc, array, indices, toVector(loc, *mask)), 0,
                  /*isVector=*/true});
    Value forLanes = mask ? toVector(loc, *mask) : Value(), value;
    if (wraps)
      value = loadWrapped(loc, array, indices, forLanes);
    else if (!mask && pattern == Access::Scattered)
      value = loadColumn(loc, load.getSource(), array, indices);
    if (!value && !mask && pattern == Access::Scattered)
      value = loadSquare(load, array, indices);
    if (!value)
      value = loadLanes(loc, array, indices, pattern, forLanes);
    set(load.getResult(), {value, 0, pattern != Access::Uniform});
    return;
  }
  // One condition for all lanes.
  bool inLanes = lanes && getAccess(type, indices) != Access::Uniform;
  Type element = type.getElementType();
  auto branch = scf::IfOp::create(b, loc, inLanes ? laneType(element) : element,
                                  mask->value,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  LaneValue nothing{zero(loc, element)};
  scf::YieldOp::create(b, loc,
                       inLanes ? toVector(loc, nothing) : nothing.value);
  b.setInsertionPointToStart(branch.thenBlock());
  resolve();
  Access pattern = inLanes ? getAccess(type, indices) : Access::Uniform;
  LaneValue value{wraps ? loadWrapped(loc, array, indices, {})
                        : loadLanes(loc, array, indices, pattern, {}),
                  0, pattern != Access::Uniform};
  scf::YieldOp::create(b, loc, inLanes ? toVector(loc, value) : value.value);
  set(load.getResult(), {branch.getResult(0), 0, inLanes});
}

void LaunchEmitter::emitStore(kernel::StoreOp store) {
  Location loc = store.getLoc();
  columns.clear();
  Value array = lookupScalar(store.getDest());
  SmallVector<LaneValue> indices = lookup(store.getIndices());
  LaneValue value = lookup(store.getValue());
  auto type = cast<MemRefType>(array.getType());
  Access pattern = getAccess(type, indices);
  std::optional<LaneValue> mask =
      getMask(loc, store.getMask(), pattern != Access::Uniform);
  if (isa<ComplexType>(type.getElementType()) && pattern != Access::Uniform)
    return storeComplex(loc, array, value, indices,
                        mask ? toVector(loc, *mask) : Value());
  if (!mask)
    return storeLanes(loc, array, value, indices, pattern, {});
  if (!mask->isUniform())
    return storeLanes(loc, array, value, indices, pattern,
                      toVector(loc, *mask));
  auto branch =
      scf::IfOp::create(b, loc, mask->value, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  storeLanes(loc, array, value, indices, pattern, {});
}

/// Loops with updates of arrays that others see run in one task, or each of
/// several has a copy of them, so nothing more is needed than a load and a
/// store; but for arrays of which there is no copy.
void LaunchEmitter::emitUpdate(kernel::UpdateOp update) {
  Location loc = update.getLoc();
  columns.clear();
  Value array = lookupScalar(update.getDest());
  SmallVector<Value> indices = firstLane(lookup(update.getIndices()));
  if (Value copies = copyOf.lookup(update.getDest())) {
    array = copies;
    indices.insert(indices.begin(), copyNumber);
  }
  OpBuilder::InsertionGuard guard(b);
  if (update.getMask()) {
    auto branch = scf::IfOp::create(b, loc, lookupScalar(update.getMask()),
                                    /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  if ((sharesUpdates || !copyOf.empty()) && isIndivisible(update)) {
    memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi,
                                lookupScalar(update.getValue()), array,
                                indices);
    return;
  }
  LaneValue old{memref::LoadOp::create(b, loc, array, indices)};
  SmallVector<LaneValue> combined =
      combine(update.getCombiner(), {old}, {lookup(update.getValue())});
  memref::StoreOp::create(b, loc, combined.front().value, array, indices);
}
