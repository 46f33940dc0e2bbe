//===- LookBack.cpp - Scans over the blocks of a grid ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One pass over memory: block t has tile t of a scan, folds it, and needs the
// fold of the tiles before. Blocks take their tiles from a counter, in the
// order in which they start, and leave words for each other in a state that the
// host clears before the launch:
//
//   A[t]  the fold of tile t
//   P[g]  the fold of all tiles before group g of G neighbouring tiles
//
//   number = counter++                        tile t, in group g = t / G
//   A[t] = fold of the tile
//   v of thread 0 = P[g], the seeds for the first group
//   v of thread k = A[g G + k - 1] of the tiles of the group before t, else the
//                   neutral element
//   prefix = fold of v over the threads       the tree of every fold
//   P[g + 1] = op(prefix, A[t])               by the last tile of a group
//
// with G one less than the number of threads that look back, which wait for one
// word each: all threads of a block, or those along some axes where the others
// have scans of their own.
//
// What is counted has another look-back (CountLookBack.cpp).
//
// The same bits on every run. A look-back that takes whichever sums it finds
// adds floats in an order that depends on timing. Here P[g] is a chain over
// groups and a prefix a tree of fixed shape over P[g] and the folds of single
// tiles: no choice is left to time. It costs what the chain costs: one hop, of
// about a microsecond, for G tiles; in that time the memory moves fewer than
// 255 tiles of 8192 floats, so that the chain runs ahead of it.
//
// Few threads have short groups, and the chain many hops, which is what takes
// the time where there are few chains. Then groups have groups of their own
// (KernelPlan::getLookBackGroups), for a fold more in each tile:
//
//   S[g]  the fold of group g, by its last tile, which waits for tiles alone
//   P[s]  the fold of all tiles before the groups s G' to s G' + G' - 1
//
//   a = fold over the threads of A of the tiles of the group before t
//   S[g] = op(a, A[t])                        by the last tile of a group
//   prefix = op(fold over the threads of P[s] and S of the groups before g, a)
//   P[s + 1] = op(prefix, A[t])               by the last tile of all these
//
// which is a hop for the square of the number of threads.
//
// It ends. A block waits for words of tiles with smaller numbers only, whose
// blocks have started, and which publish A before they wait; S waits for these,
// P[g + 1] for P[g] and for folds, which by induction come. Devices that do not
// promise that blocks which have started go on get three launches instead
// (kernel-split-launches).
//
// A word has 32 bits of a value below a bit that says that it is there, so that
// one relaxed store publishes both and nothing else is ordered by it; larger
// values are several words, each with its own bit.
//
// A scan below parallel loops (the columns of a matrix) has a chain for each
// iteration of the block loops around and a lane for each iteration of the
// loops between: threads that share a tile have words of their own.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Takes `value` apart into words of 32 bits.
void KernelEmitter::toWords(Location loc, Value value,
                            SmallVectorImpl<Value> &words) {
  Type type = value.getType(), i32 = b.getI32Type();
  if (isa<ComplexType>(type)) {
    toWords(loc, complex::ReOp::create(b, loc, value), words);
    toWords(loc, complex::ImOp::create(b, loc, value), words);
    return;
  }
  if (type.isIndex())
    value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  else if (isa<FloatType>(type))
    value = arith::BitcastOp::create(
        b, loc, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width < 32)
    value = arith::ExtUIOp::create(b, loc, i32, value);
  if (width <= 32)
    return words.push_back(value);
  Value half = arith::ConstantIntOp::create(b, loc, 32, 64);
  words.push_back(arith::TruncIOp::create(b, loc, i32, value));
  value = arith::ShRUIOp::create(b, loc, value, half);
  words.push_back(arith::TruncIOp::create(b, loc, i32, value));
}

/// The value of `type` whose words come next.
Value KernelEmitter::fromWords(Location loc, Type type,
                               ArrayRef<Value> &words) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value re = fromWords(loc, complex.getElementType(), words);
    Value im = fromWords(loc, complex.getElementType(), words);
    return complex::CreateOp::create(b, loc, type, re, im);
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width), i64 = b.getI64Type();
  Value value = words.front();
  words = words.drop_front();
  if (width > 32) {
    Value half = arith::ConstantIntOp::create(b, loc, 32, 64);
    Value high = arith::ExtUIOp::create(b, loc, i64, words.front());
    words = words.drop_front();
    high = arith::ShLIOp::create(b, loc, high, half);
    value = arith::ExtUIOp::create(b, loc, i64, value);
    value = arith::OrIOp::create(b, loc, high, value);
  } else if (width < 32) {
    value = arith::TruncIOp::create(b, loc, bits, value);
  }
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  return isa<FloatType>(type)
             ? Value(arith::BitcastOp::create(b, loc, type, value))
             : value;
}

void KernelEmitter::makeVisible(Operation *access) {
  access->setAttr(kDeviceAccessAttr, UnitAttr::get(access->getContext()));
}

/// Stores `values` as words from `at` on, `stride` apart.
void KernelEmitter::publish(Location loc, ArrayRef<Value> values, Value at,
                            int64_t stride) {
  SmallVector<Value> words;
  for (Value value : values)
    toWords(loc, value, words);
  Value there = arith::ConstantIntOp::create(b, loc, int64_t(1) << 32, 64);
  for (auto [number, word] : llvm::enumerate(words)) {
    Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), word);
    wide = arith::OrIOp::create(b, loc, wide, there);
    Value place =
        arith::AddIOp::create(b, loc, at, index(loc, number * stride));
    makeVisible(memref::StoreOp::create(b, loc, wide, state, place));
  }
}

/// Waits for the words from `at` on, `stride` apart, that make up values of
/// `types`.
SmallVector<Value> KernelEmitter::await(Location loc, TypeRange types, Value at,
                                        int64_t stride) {
  int64_t count = 0;
  for (Type type : types)
    count += KernelPlan::countWords(type);
  SmallVector<Type> results(count, b.getI64Type());
  auto loop = scf::WhileOp::create(b, loc, results, ValueRange());
  b.createBlock(&loop.getAfter(), {}, results,
                SmallVector<Location>(count, loc));
  scf::YieldOp::create(b, loc);
  b.createBlock(&loop.getBefore());
  Value half = arith::ConstantIntOp::create(b, loc, 32, 64);
  SmallVector<Value> words;
  Value all;
  for (int64_t number = 0; number < count; ++number) {
    Value place =
        arith::AddIOp::create(b, loc, at, index(loc, number * stride));
    auto load = memref::LoadOp::create(b, loc, state, place);
    makeVisible(load);
    words.push_back(load);
    all = all ? Value(arith::AndIOp::create(b, loc, all, load)) : load;
  }
  Value flags = arith::ShRUIOp::create(b, loc, all, half);
  Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
  Value waits =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, flags, none);
  scf::ConditionOp::create(b, loc, waits, words);
  b.setInsertionPointAfter(loop);
  SmallVector<Value> low;
  for (Value word : loop.getResults())
    low.push_back(arith::TruncIOp::create(b, loc, b.getI32Type(), word));
  ArrayRef<Value> rest(low);
  SmallVector<Value> values;
  for (Type type : types)
    values.push_back(fromWords(loc, type, rest));
  return values;
}

//===----------------------------------------------------------------------===//
// The look-back
//===----------------------------------------------------------------------===//

/// The number of this block, in the order in which blocks start.
FailureOr<Value> KernelEmitter::takeNumber(Location loc) {
  Value zero = index(loc, 0), lead = getLead(loc);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  auto take = [&]() -> Value {
    return memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, one,
                                       state, zero);
  };
  Value number;
  if (lead) {
    int64_t offset = 0;
    Value shared = getScratch(loc, 1, b.getI64Type(), offset)[0];
    if (failed(touch(loc, &sharedBytes, /*written=*/true)))
      return failure();
    (void)emitIfTrue(loc, lead, [&] {
      memref::StoreOp::create(b, loc, take(), shared, zero);
      return success();
    });
    if (failed(emitBarrier(loc)))
      return failure();
    number = memref::LoadOp::create(b, loc, shared, zero);
    if (failed(touch(loc, &sharedBytes, /*written=*/false)))
      return failure();
  } else {
    number = take();
  }
  return Value(arith::IndexCastOp::create(b, loc, b.getIndexType(), number));
}

/// The iteration that this block has of the scan over blocks.
LogicalResult KernelEmitter::emitLookBackLoop(kernel::ForOp loop) {
  digits.push_back(
      {loop.getDim(), lookup(loop.getInductionVar()), getExtent(loop)});
  scans.push_back({loop, Value(), {}, {}});
  LogicalResult done = emitBody(*loop.getBodyBlock());
  Scan scan = scans.pop_back_val();
  digits.pop_back();
  if (failed(done))
    return failure();
  for (auto [from, to] : llvm::zip(loop.getResults(), scan.next))
    set(from, to);
  return success();
}

/// The body of the nest where this block has one; the totals of a scan at the
/// root are its seeds where it has not.
LogicalResult KernelEmitter::emitInside(Location loc, Value inside) {
  kernel::ForOp scan = plan.nest.empty() ? plan.lookBack : kernel::ForOp();
  if (!scan || !inside || scan.use_empty())
    return emitIfTrue(loc, inside, [&] { return emitNestBody(); });
  auto branch = scf::IfOp::create(b, loc, scan.getResultTypes(), inside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  if (failed(emitNestBody()))
    return failure();
  scf::YieldOp::create(b, loc, lookup(scan.getResults()));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, lookup(scan.getSeeds()));
  for (auto [from, to] : llvm::zip(scan.getResults(), branch.getResults()))
    set(from, to);
  return success();
}

/// The number of this thread among those that look back together.
Value KernelEmitter::getLookBackNumber(Location loc) {
  SmallVector<unsigned> axes = plan.getLookBackAxes();
  if (axes.size() == 3)
    return linearId;
  Value number;
  int64_t stride = 1;
  for (unsigned axis : axes) {
    Value part = threadId[axis];
    if (stride > 1)
      part = arith::MulIOp::create(b, loc, part, index(loc, stride));
    number = number ? Value(arith::AddIOp::create(b, loc, number, part)) : part;
    stride *= plan.blockSize[axis];
  }
  return number;
}

/// Folds what the threads that look back bring: the words at `place`, `stride`
/// apart, where one `waits`, else the values `otherwise`.
FailureOr<SmallVector<Value>>
KernelEmitter::collectWords(kernel::ForOp loop, Value waits, Value place,
                            int64_t stride, ArrayRef<Value> otherwise,
                            ArrayRef<Value> neutrals) {
  Location loc = loop.getLoc();
  SmallVector<Type> types(loop.getResultTypes());
  auto branch =
      scf::IfOp::create(b, loc, types, waits, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc, await(loc, types, place, stride));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, otherwise);
  }
  SmallVector<Value> folded(branch.getResults());
  for (unsigned axis : plan.getLookBackAxes()) {
    if (plan.blockSize[axis] == 1)
      continue;
    FailureOr<SmallVector<Value>> of =
        foldAxis(loop, axis, std::move(folded), neutrals);
    if (failed(of))
      return failure();
    folded = *of;
  }
  return folded;
}

LogicalResult KernelEmitter::emitLookBack(kernel::PrefixOp prefix, Scan &scan) {
  if (countsBlocks(prefix))
    return emitCountLookBack(prefix, scan);
  Location loc = prefix.getLoc();
  kernel::ForOp loop = scan.loop;
  SmallVector<Value> own = lookup(prefix.getValues());
  SmallVector<Value> neutrals = createNeutrals(loop);
  SmallVector<Value> seeds = lookup(loop.getSeeds());
  SmallVector<Type> types(loop.getResultTypes());
  // The threads along axes that are not bound look back together.
  SmallVector<unsigned> axes = plan.getLookBackAxes();
  int64_t threads = plan.getLookBackThreads();
  for (unsigned axis : axes)
    if (plan.blockSize[axis] > 1 && !(getUnbound() & (1u << axis)))
      return refuse(loc, "threads that look back have different tiles");
  Value tile = lookup(loop.getInductionVar()), tiles = getExtent(loop);

  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, loc, x, y);
  };
  auto multiply = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, loc, x, y);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  // Words: the head, then those of all tiles, then those of all groups; of a
  // tile the first one of each lane, then the second: lanes read neighbours.
  int64_t words = 0;
  for (Type type : types)
    words += KernelPlan::countWords(type);
  Value chain = index(loc, 0), chains = index(loc, 1);
  for (kernel::ForOp outer : plan.nest) {
    Value extent = getExtent(outer);
    chain = add(multiply(chain, extent), lookup(outer.getInductionVar()));
    chains = multiply(chains, extent);
  }
  int64_t lanes = 1;
  Value lane = index(loc, KernelPlan::stateHead);
  for (kernel::ForOp between : llvm::reverse(plan.between)) {
    lane = add(lane,
               multiply(lookup(between.getInductionVar()), index(loc, lanes)));
    lanes *= *between.getStaticExtent();
  }
  Value each = index(loc, lanes * words);
  Value width = multiply(chains, each);
  Value mine = add(multiply(chain, each), lane);
  /// Where word `at` lies among those from `base` on.
  auto locate = [&](Value base, Value at) {
    return add(multiply(at, width), base);
  };
  Value number = getLookBackNumber(loc);
  Value zero = index(loc, 0), one = index(loc, 1), writer = getWriter(loc);
  auto publishIf = [&](Value condition, ArrayRef<Value> values, Value place) {
    (void)emitIfTrue(loc, condition, [&] {
      publish(loc, values, place, lanes);
      return success();
    });
  };
  auto collect = [&](Value waits, Value place, ArrayRef<Value> otherwise) {
    return collectWords(loop, waits, place, lanes, otherwise, neutrals);
  };

  auto [group, groups] = plan.getLookBackGroups();
  if (group > 1)
    publishIf(writer, own, locate(mine, tile));
  Value size = index(loc, group);
  Value here = arith::DivUIOp::create(b, loc, tile, size);
  Value first = multiply(here, size);
  Value count = arith::SubIOp::create(b, loc, tile, first);
  Value isLast =
      compare(arith::CmpIPredicate::eq, count, index(loc, group - 1));
  Value base = mine, next = locate(mine, tiles);
  SmallVector<Value> within;
  if (groups) {
    FailureOr<SmallVector<Value>> folded =
        collect(compare(arith::CmpIPredicate::ult, number, count),
                locate(mine, add(first, number)), neutrals);
    if (failed(folded))
      return failure();
    within = *folded;
    publishIf(both(loc, writer, isLast),
              combine(loop.getCombiner(), within, own), locate(next, here));
    // On with groups in place of tiles.
    base = next;
    next = locate(base, arith::CeilDivUIOp::create(b, loc, tiles, size));
    size = index(loc, groups);
    Value group = here;
    here = arith::DivUIOp::create(b, loc, group, size);
    first = multiply(here, size);
    count = arith::SubIOp::create(b, loc, group, first);
    isLast =
        both(loc, isLast,
             compare(arith::CmpIPredicate::eq, count, index(loc, groups - 1)));
  }
  // What this thread brings.
  Value waits = compare(arith::CmpIPredicate::ne, here, zero);
  Value place = locate(next, here);
  SmallVector<Value> otherwise = seeds;
  if (threads > 1) {
    Value isLead = compare(arith::CmpIPredicate::eq, number, zero);
    Value earlier = arith::SubIOp::create(b, loc, add(first, number), one);
    place =
        arith::SelectOp::create(b, loc, isLead, place, locate(base, earlier));
    Value has = compare(arith::CmpIPredicate::ule, number, count);
    waits = arith::SelectOp::create(b, loc, isLead, waits, has);
    for (auto [value, neutral] : llvm::zip(otherwise, neutrals))
      value = arith::SelectOp::create(b, loc, isLead, value, neutral);
  }
  FailureOr<SmallVector<Value>> folded = collect(waits, place, otherwise);
  if (failed(folded))
    return failure();
  SmallVector<Value> before = *folded;
  if (!within.empty())
    before = combine(loop.getCombiner(), before, within);
  SmallVector<Value> upTo = combine(loop.getCombiner(), before, own);
  publishIf(both(loc, writer, isLast), upTo, locate(next, add(here, one)));
  scan.next = upTo;
  for (auto [from, to] :
       llvm::zip(prefix.getResults(), prefix.getExclusive() ? before : upTo))
    set(from, to);
  return success();
}
