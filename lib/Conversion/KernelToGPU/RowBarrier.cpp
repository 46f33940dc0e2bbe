//===- RowBarrier.cpp - Blocks that wait for the others of their row ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops at block side by side in a row (CooperativeRows.h): block b of the row
// has iteration b of each of them. Where one ends as a fold, each block leaves
// what it has folded in a state that the host clears before the launch, and
// takes what the others of the row have left:
//
//   number = counter++                    row number / B, part number % B
//   own = fold of the part
//   A[row, loop, b] = own
//   v of thread k = fold of A[row, loop, k], A[row, loop, k + T], ..
//   result = fold of v over the T threads
//
// Every block folds the same words in the same tree: the result is the same in
// all of them and on every run.
//
// It ends where B blocks are at work at the same time. Blocks take their
// numbers in the order in which they start. Of the first row that is not done
// all blocks that are missing start before any other, and there is room for
// them: the blocks of rows before have ended, those of later rows have larger
// numbers, which were taken later; so as long as one is missing all blocks at
// work are of this row, less than B.
//
// A word carries its own mark, as in LookBack.cpp. Nothing else passes between
// blocks: each touches the elements of its own iterations only.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;

/// Asks for so few registers that as many blocks run at the same time as were
/// planned to, and says how many multiprocessors must be there.
void KernelEmitter::setCooperativeLimits(gpu::GPUFuncOp function) {
  if (!plan.cooperative.empty())
    function->getParentOp()->setAttr(
        "arrc.units",
        b.getI32IntegerAttr(kernel::countCooperativeBlocks(plan.launch)));
  int64_t blocks = kernel::kCooperativeBlocks * kernel::kCooperativeThreads /
                   plan.getThreads();
  if (!plan.cooperative.empty() && plan.hasThreads())
    setBlocksPerUnit(function, blocks);
}

/// The iteration that this block has of one of the loops.
LogicalResult KernelEmitter::emitCooperative(kernel::ForOp loop) {
  kernel::ForOp first = plan.cooperative.front();
  if (loop != first)
    set(loop.getInductionVar(), lookup(first.getInductionVar()));
  digits.push_back(
      {loop.getDim(), lookup(loop.getInductionVar()), getExtent(loop)});
  LogicalResult done = emitBody(*loop.getBodyBlock());
  digits.pop_back();
  if (failed(done) || !loop.isReduce())
    return done;
  FailureOr<SmallVector<Value>> folded =
      combineAcrossBlocks(loop, lookup(loop.getYield().getValues()));
  if (failed(folded))
    return failure();
  SmallVector<Value> results =
      combine(loop.getCombiner(), lookup(loop.getSeeds()), *folded);
  for (auto [from, to] : llvm::zip(loop.getResults(), results))
    set(from, to);
  return success();
}

/// The fold of what all blocks of the row have.
FailureOr<SmallVector<Value>>
KernelEmitter::combineAcrossBlocks(kernel::ForOp loop, ArrayRef<Value> own) {
  Location loc = loop.getLoc();
  if (!isCommutativeCombiner(loop.getCombiner()) || !ctx.uniform)
    return refuse(
        loc,
        "blocks that share a row wait for each other where not all of their "
        "threads get to");
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, loc, x, y);
  };
  auto multiply = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, loc, x, y);
  };
  // Words of a row: those of all blocks for the first loop, then the next.
  Value row = index(loc, 0);
  for (kernel::ForOp outer : plan.nest)
    row = add(multiply(row, getExtent(outer)), lookup(outer.getInductionVar()));
  auto countWords = [](kernel::ForOp fold) {
    int64_t words = 0;
    for (Type type : fold.getResultTypes())
      words += KernelPlan::countWords(type);
    return words;
  };
  int64_t before = 0, width = countWords(loop);
  for (kernel::ForOp other : plan.cooperative) {
    if (other == loop)
      break;
    before += countWords(other);
  }
  Value blocks = getExtent(loop);
  Value words = multiply(row, index(loc, plan.countRowBarrierWords()));
  Value start = add(multiply(add(words, index(loc, before)), blocks),
                    index(loc, KernelPlan::stateHead));
  auto ofBlock = [&](Value block) {
    return add(start, multiply(block, index(loc, width)));
  };
  (void)emitIfTrue(loc, getWriter(loc), [&] {
    publish(loc, own, ofBlock(lookup(loop.getInductionVar())), 1);
    return success();
  });

  SmallVector<Value> neutrals = createNeutrals(loop);
  auto each = scf::ForOp::create(b, loc, linearId, blocks,
                                 index(loc, plan.getThreads()), neutrals);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = each.getBody();
    if (!body->empty())
      body->back().erase();
    b.setInsertionPointToEnd(body);
    SmallVector<Value> other =
        await(loc, loop.getResultTypes(), ofBlock(each.getInductionVar()), 1);
    scf::YieldOp::create(
        b, loc, combine(loop.getCombiner(), each.getRegionIterArgs(), other));
  }
  SmallVector<Value> values(each.getResults());
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (plan.blockSize[axis] == 1)
      continue;
    FailureOr<SmallVector<Value>> folded =
        foldAxis(loop, axis, std::move(values), neutrals);
    if (failed(folded))
      return failure();
    values = *folded;
  }
  return values;
}
