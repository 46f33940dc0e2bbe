//===- Folds.cpp - Folds over the threads of a block ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The tree is the same on every device: neighbours, then neighbouring pairs,
// and so on. Steps between threads of one sub-group are shuffles,
//
//   v = op(v, shuffle xor 1 of v), then xor 2, 4, ..
//
// the others go through shared memory: each thread (or the first of each group
// that shuffled) stores its value, all wait, and all read and fold what is
// there, in rounds of at most sixteen values. At the end every thread has the
// result. An operator that may not commute takes the lower thread's value as
// its left side.
//
// Threads without an iteration give the neutral element: the seed, for an
// operator that is not known.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace arrc;

/// Values that one thread reads from shared memory in one round.
static constexpr int64_t roundSize = 16;

int64_t KernelEmitter::getAxisStride(unsigned axis) const {
  int64_t stride = 1;
  for (unsigned lower = 0; lower < axis; ++lower)
    stride *= plan.blockSize[lower];
  return stride;
}

SmallVector<Value> KernelEmitter::createNeutrals(kernel::ForOp loop) {
  SmallVector<Value> result = kernel::createNeutrals(b, loop);
  for (auto [value, seed] : llvm::zip(result, kernel::getFirstSeeds(loop)))
    if (value == seed)
      value = lookup(seed);
  return result;
}

SmallVector<Value> KernelEmitter::combine(Region &combiner, ValueRange lhs,
                                          ValueRange rhs) {
  Block &block = combiner.front();
  for (auto [argument, value] :
       llvm::zip(block.getArguments().take_front(lhs.size()), lhs))
    set(argument, value);
  for (auto [argument, value] :
       llvm::zip(block.getArguments().drop_front(lhs.size()), rhs))
    set(argument, value);
  for (Operation &op : block.without_terminator())
    if (failed(emitInContext(&op)))
      return SmallVector<Value>(lhs); // refused: nothing of this is kept
  return lookup(block.getTerminator()->getOperands());
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Takes `value` apart into words of 32 bits, moves them, and puts it together
/// again.
Value KernelEmitter::shuffle(Location loc, Value value, Value offset,
                             gpu::ShuffleMode mode) {
  Type type = value.getType();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value re = complex::ReOp::create(b, loc, value);
    Value im = complex::ImOp::create(b, loc, value);
    return complex::CreateOp::create(b, loc, complex,
                                     shuffle(loc, re, offset, mode),
                                     shuffle(loc, im, offset, mode));
  }
  if (type.isIndex()) {
    Type word = indexBits == 32 ? i32 : i64;
    Value bits = arith::IndexCastOp::create(b, loc, word, value);
    return arith::IndexCastOp::create(b, loc, type,
                                      shuffle(loc, bits, offset, mode));
  }
  if (isa<FloatType>(type)) {
    Type word = b.getIntegerType(type.getIntOrFloatBitWidth());
    Value bits = arith::BitcastOp::create(b, loc, word, value);
    return arith::BitcastOp::create(b, loc, type,
                                    shuffle(loc, bits, offset, mode));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (width > 32) {
    Value half = arith::ConstantIntOp::create(b, loc, 32, 64);
    Value low = arith::TruncIOp::create(b, loc, i32, value);
    Value up = arith::ShRUIOp::create(b, loc, value, half);
    Value high = arith::TruncIOp::create(b, loc, i32, up);
    low = shuffle(loc, low, offset, mode);
    high = shuffle(loc, high, offset, mode);
    low = arith::ExtUIOp::create(b, loc, i64, low);
    high = arith::ExtUIOp::create(b, loc, i64, high);
    high = arith::ShLIOp::create(b, loc, high, half);
    return arith::OrIOp::create(b, loc, high, low);
  }
  if (width < 32) {
    Value word = arith::ExtUIOp::create(b, loc, i32, value);
    return arith::TruncIOp::create(b, loc, type,
                                   shuffle(loc, word, offset, mode));
  }
  Value lanes = arith::ConstantIntOp::create(b, loc, plan.subgroup, 32);
  return gpu::ShuffleOp::create(b, loc, value, offset, lanes, mode)
      .getShuffleResult();
}

Value KernelEmitter::shuffle(Location loc, Value value, int64_t offset,
                             gpu::ShuffleMode mode) {
  return shuffle(loc, value, arith::ConstantIntOp::create(b, loc, offset, 32),
                 mode);
}

/// Folds `count` neighbours (a power of two) that are `stride` lanes apart.
void KernelEmitter::foldLanes(kernel::ForOp loop, int64_t count, int64_t stride,
                              SmallVectorImpl<Value> &values) {
  Location loc = loop.getLoc();
  bool commutes = isCommutativeCombiner(loop.getCombiner());
  for (int64_t step = 1; step < count; step *= 2) {
    SmallVector<Value> others;
    for (Value value : values)
      others.push_back(
          shuffle(loc, value, step * stride, gpu::ShuffleMode::XOR));
    if (commutes) {
      values = combine(loop.getCombiner(), values, others);
      continue;
    }
    Value bit =
        arith::AndIOp::create(b, loc, linearId, index(loc, step * stride));
    Value lower = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bit,
                                        index(loc, 0));
    SmallVector<Value> lhs, rhs;
    for (auto [mine, other] : llvm::zip(values, others)) {
      lhs.push_back(arith::SelectOp::create(b, loc, lower, mine, other));
      rhs.push_back(arith::SelectOp::create(b, loc, lower, other, mine));
    }
    values = combine(loop.getCombiner(), lhs, rhs);
  }
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::getScratch(Location loc, int64_t count,
                                             TypeRange types, int64_t &offset) {
  SmallVector<Value> result;
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  for (Type type : types) {
    Type stored = getStoredType(type);
    auto memory = MemRefType::get({count}, stored, AffineMap(), space);
    result.push_back(memref::ViewOp::create(b, loc, memory, dynamicShared,
                                            index(loc, localBytes + offset),
                                            ValueRange()));
    offset += llvm::alignTo(count * getStoredBytes(stored), 16);
  }
  sharedBytes = std::max(sharedBytes, localBytes + offset);
  return result;
}

Value KernelEmitter::getOthers(Location loc, unsigned axis) {
  Value result;
  int64_t stride = 1;
  for (unsigned other = 0; other < 3; ++other) {
    if (other == axis || !(used & (1u << other)))
      continue;
    Value part = threadId[other];
    if (stride > 1)
      part = arith::MulIOp::create(b, loc, part, index(loc, stride));
    result = result ? Value(arith::AddIOp::create(b, loc, result, part)) : part;
    stride *= plan.blockSize[other];
  }
  return result ? result : index(loc, 0);
}

/// Folds the values of the groups of `group` threads along the axis, each of
/// which has folded its own already.
LogicalResult KernelEmitter::foldShared(kernel::ForOp loop, unsigned axis,
                                        int64_t group,
                                        SmallVectorImpl<Value> &values,
                                        ArrayRef<Value> neutrals) {
  Location loc = loop.getLoc();
  int64_t threads = plan.blockSize[axis];
  int64_t rows = plan.getThreads() / threads;
  int64_t count = llvm::divideCeil(threads, group);
  Value number = threadId[axis], row = getOthers(loc, axis);
  SmallVector<Type> types(loop.getResultTypes());

  // Only the first of each group stores; later rounds by the first threads.
  Value writer, place = number;
  if (group > 1) {
    Value size = index(loc, group);
    Value rest = arith::RemUIOp::create(b, loc, number, size);
    writer = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                                   index(loc, 0));
    place = arith::DivUIOp::create(b, loc, number, size);
  }
  int64_t offset = 0;
  if (failed(touch(loc, &sharedBytes, /*written=*/true)))
    return failure();
  while (true) {
    SmallVector<Value> scratch = getScratch(loc, count * rows, types, offset);
    // Neighbours along x touch neighbours, whichever axis is folded.
    auto locate = [&](Value at) -> Value {
      bool along = axis == 0;
      Value start = arith::MulIOp::create(b, loc, along ? row : at,
                                          index(loc, along ? count : rows));
      return arith::AddIOp::create(b, loc, start, along ? at : row);
    };
    (void)emitIfTrue(loc, writer, [&] {
      Value at = locate(place);
      for (auto [value, memory] : llvm::zip(values, scratch))
        storeElement(loc, value, memory, at);
      return success();
    });
    if (failed(emitBarrier(loc)))
      return failure();
    if (failed(touch(loc, &sharedBytes, /*written=*/false)))
      return failure();
    bool last = count <= roundSize;
    int64_t next = llvm::divideCeil(count, roundSize);
    // The values that this thread folds.
    Value start = index(loc, 0);
    if (!last) {
      Value mine = arith::MinUIOp::create(b, loc, number, index(loc, next - 1));
      start = arith::MulIOp::create(b, loc, mine, index(loc, roundSize));
    }
    SmallVector<SmallVector<Value>> tree;
    for (int64_t k = 0; k < std::min(count, roundSize); ++k) {
      Value at = arith::AddIOp::create(b, loc, start, index(loc, k));
      Value inside;
      if (!last && count % roundSize != 0) {
        inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                                       index(loc, count));
        at = arith::MinUIOp::create(b, loc, at, index(loc, count - 1));
      }
      Value element = locate(at);
      SmallVector<Value> &read = tree.emplace_back();
      for (auto [type, memory, neutral] : llvm::zip(types, scratch, neutrals)) {
        Value value = loadElement(loc, memory, element, type);
        if (inside)
          value = arith::SelectOp::create(b, loc, inside, value, neutral);
        read.push_back(value);
      }
    }
    while (tree.size() > 1) {
      SmallVector<SmallVector<Value>> half;
      for (size_t k = 0; k + 1 < tree.size(); k += 2)
        half.push_back(combine(loop.getCombiner(), tree[k], tree[k + 1]));
      if (tree.size() % 2)
        half.push_back(tree.back());
      tree = std::move(half);
    }
    values.assign(tree.front().begin(), tree.front().end());
    if (last)
      return success();
    count = next;
    writer = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number,
                                   index(loc, count));
    place = number;
  }
}

int64_t KernelEmitter::getLaneGroup(unsigned axis) {
  int64_t stride = getAxisStride(axis), threads = plan.blockSize[axis];
  // Whole groups of threads in one sub-group, so that every partner exists.
  if (plan.subgroup <= 0 || !llvm::isPowerOf2_64(stride) ||
      stride >= plan.subgroup || !ctx.subgroupUniform)
    return 1;
  int64_t lanes = plan.subgroup / stride;
  if (threads % lanes == 0)
    return lanes;
  return threads < lanes && llvm::isPowerOf2_64(threads) ? threads : 1;
}

FailureOr<SmallVector<Value>>
KernelEmitter::foldAxis(kernel::ForOp loop, unsigned axis,
                        SmallVector<Value> values, ArrayRef<Value> neutrals) {
  int64_t stride = getAxisStride(axis), threads = plan.blockSize[axis];
  int64_t group = getLaneGroup(axis);
  if (group > 1)
    foldLanes(loop, group, stride, values);
  if (group < threads &&
      failed(foldShared(loop, axis, group, values, neutrals)))
    return failure();
  return values;
}

SmallVector<Value> KernelEmitter::maskValues(Location loc, Value isIn,
                                             SmallVector<Value> values,
                                             ArrayRef<Value> neutrals) {
  if (isIn)
    for (auto [value, neutral] : llvm::zip(values, neutrals))
      value = arith::SelectOp::create(b, loc, isIn, value, neutral);
  return values;
}

LogicalResult KernelEmitter::emitThreadFold(kernel::ForOp loop, Value isIn,
                                            const Context &outer) {
  Location loc = loop.getLoc();
  if (failed(emitBody(*loop.getBodyBlock())))
    return failure();
  SmallVector<Value> values = lookup(loop.getYield().getValues());
  ctx = outer;
  SmallVector<Value> neutrals = createNeutrals(loop);
  values = maskValues(loc, isIn, std::move(values), neutrals);
  FailureOr<SmallVector<Value>> total = foldAxis(
      loop, loop.getLevelAttr().getAxis(), std::move(values), neutrals);
  if (failed(total))
    return failure();
  SmallVector<Value> results =
      combine(loop.getCombiner(), lookup(loop.getSeeds()), *total);
  for (auto [from, to] : llvm::zip(loop.getResults(), results))
    set(from, to);
  return success();
}
