//===- PermuteResults.cpp - Store results in the order they are read ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What a body yields as an array comes last among the dimensions of a
// result: the scan of each column of a matrix gives a matrix of scans, turned.
// If the one launch that reads the result turns it back, the first one can
// store it so, and where the second does nothing else it goes.
//
// Before   %s = launch { for j { for i scan { .. store %p, %S[%j, %i] } } }
//          %y = launch { for i { for j { store (load %S[%j, %i]), %Y[%i, %j] }
//          } }
// After    %y = launch { for j { for i scan { .. store %p, %S[%i, %j] } } }
//
// Legal: the result has no other use, and its destination holds nothing yet.
// Pays where the first launch reads along the dimension that becomes the last
// one; a result that is read as it is stored is turned on the way out instead,
// by tiles on chip.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PERMUTERESULTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

namespace {

/// A launch that reads a result in another order of its dimensions.
struct Reader {
  LaunchOp launch;
  BlockArgument array;
  SmallVector<LoadOp> loads;
  /// Dimension `d` of the array in the new order is `order[d]` of the old one.
  SmallVector<unsigned> order;
  /// All that it does is to copy.
  bool isCopy = false;
};

} // namespace

/// The perfect nest of parallel loops that `launch` is, and nothing else.
static SmallVector<ForOp> getMapNest(LaunchOp launch) {
  SmallVector<ForOp> nest;
  Block *block = launch.getBodyBlock();
  while (true) {
    ForOp only;
    for (Operation &op : block->without_terminator()) {
      auto loop = dyn_cast<ForOp>(op);
      if (loop && only)
        return {};
      if (loop)
        only = loop;
    }
    if (!only)
      return nest;
    // Constants may stand between.
    for (Operation &op : block->without_terminator())
      if (&op != only && !op.hasTrait<OpTrait::ConstantLike>())
        return {};
    if (!only.isParallel() || only.getLevelAttr())
      return {};
    nest.push_back(only);
    block = only.getBodyBlock();
  }
}

/// How the one user of `result` reads it.
static std::optional<Reader> getReader(OpResult result) {
  if (!result.hasOneUse())
    return std::nullopt;
  OpOperand &use = *result.use_begin();
  Reader reader;
  reader.launch = dyn_cast<LaunchOp>(use.getOwner());
  if (!reader.launch || reader.launch.isDpsInit(&use) ||
      reader.launch->getBlock() != result.getOwner()->getBlock())
    return std::nullopt;
  reader.array = reader.launch.getArgumentOf(use);
  SmallVector<ForOp> nest = getMapNest(reader.launch);
  if (!reader.array || nest.empty())
    return std::nullopt;
  unsigned rank = cast<MemRefType>(reader.array.getType()).getRank();
  if (nest.size() != rank || rank < 2)
    return std::nullopt;
  for (Operation *user : reader.array.getUsers()) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load)
      return std::nullopt;
    SmallVector<unsigned> order;
    for (ForOp loop : nest) {
      auto place = llvm::find(load.getIndices(), loop.getInductionVar());
      if (load.getEdge() || place == load.getIndices().end())
        return std::nullopt;
      order.push_back(std::distance(load.getIndices().begin(), place));
    }
    if (reader.loads.empty())
      reader.order = order;
    if (order != reader.order)
      return std::nullopt;
    reader.loads.push_back(load);
  }
  if (reader.loads.empty() || llvm::is_sorted(reader.order))
    return std::nullopt;
  // A copy: one load, and a store at the indices of the loops in their order.
  Block *body = nest.back().getBodyBlock();
  auto store = dyn_cast_or_null<StoreOp>(body->getTerminator()->getPrevNode());
  reader.isCopy =
      reader.launch.getOuts().size() == 1 && !reader.launch.getFlag() &&
      reader.loads.size() == 1 && store && !store.getMask() &&
      !reader.loads.front().getMask() &&
      store.getValue() == reader.loads.front().getResult() &&
      &body->front() == reader.loads.front() &&
      body->front().getNextNode() == store &&
      store.getIndices().size() == nest.size() &&
      llvm::all_of(llvm::zip(store.getIndices(), nest), [](auto pair) {
        return std::get<0>(pair) == std::get<1>(pair).getInductionVar();
      });
  // It copies all of the result if its loops run over the sizes of it.
  for (auto [d, loop] : llvm::enumerate(nest))
    reader.isCopy &= reader.launch.getSize(reader.array, reader.order[d]) ==
                     loop.getMixedExtent();
  return reader;
}

/// Whether the launch reads along what the order makes the last dimension of
/// its out `array`, and not along what is the last one now.
static bool pays(LaunchOp launch, BlockArgument array,
                 ArrayRef<unsigned> order) {
  Value along, now;
  for (Operation *user : array.getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store || (along && store.getIndices()[order.back()] != along))
      return false;
    along = store.getIndices()[order.back()];
    now = store.getIndices().back();
  }
  if (!along || along == now)
    return false;
  bool agrees = false, opposes = false;
  launch.getBody().walk([&](LoadOp load) {
    if (load.getIndices().size() < 2)
      return;
    Access access(load);
    agrees |= access.indices.back().getCoefficient(along) != 0;
    opposes |= access.indices.back().getCoefficient(now) != 0;
  });
  return agrees && !opposes;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

template <typename Range>
static auto permute(Range &&range, ArrayRef<unsigned> order) {
  using Element = std::decay_t<decltype(range[0])>;
  SmallVector<Element> result;
  for (unsigned from : order)
    result.push_back(range[from]);
  return result;
}

/// Brings the brackets and the type of an argument into the new order.
static void permuteArgument(LaunchOp launch, BlockArgument argument,
                            ArrayRef<unsigned> order) {
  OpBuilder b(launch);
  SmallVector<Attribute> sizes(launch.getSizes().getValue());
  unsigned number = argument.getArgNumber();
  sizes[number] =
      b.getDenseI64ArrayAttr(permute(launch.getSizesOf(number), order));
  launch.setSizesAttr(b.getArrayAttr(sizes));
  auto type = cast<MemRefType>(argument.getType());
  argument.setType(
      MemRefType::get(permute(type.getShape(), order), type.getElementType()));
}

/// Permutes `result` if it may be and pays; `gone` gets the reader if nothing
/// is left of it.
static void permuteResult(IRRewriter &rewriter, OpResult result,
                          llvm::SmallPtrSetImpl<Operation *> &gone) {
  auto launch = cast<LaunchOp>(result.getOwner());
  OpOperand &out = *launch.getTiedOpOperand(result);
  auto empty = out.get().getDefiningOp<tensor::EmptyOp>();
  BlockArgument array = launch.getArgumentOf(out);
  std::optional<Reader> reader = getReader(result);
  if (!empty || !array || !reader || launch.getFlag() ||
      launch.getScheduleAttr() || launch.getVersionsAttr() ||
      !cast<MemRefType>(array.getType()).getLayout().isIdentity() ||
      !pays(launch, array, reader->order))
    return;
  ArrayRef<unsigned> order = reader->order;
  // The destination.
  rewriter.setInsertionPoint(launch);
  auto type = cast<RankedTensorType>(result.getType());
  Value destination = tensor::EmptyOp::create(
      rewriter, empty.getLoc(), permute(empty.getMixedSizes(), order),
      type.getElementType());
  out.set(destination);
  result.setType(cast<RankedTensorType>(destination.getType()));
  permuteArgument(launch, array, order);
  for (Operation *user : array.getUsers()) {
    auto store = cast<StoreOp>(user);
    store.getIndicesMutable().assign(permute(store.getIndices(), order));
  }
  if (reader->isCopy &&
      reader->launch.getResult(0).getType() == result.getType()) {
    gone.insert(reader->launch);
    return rewriter.replaceOp(reader->launch, result);
  }
  permuteArgument(reader->launch, reader->array, order);
  for (LoadOp load : reader->loads)
    load.getIndicesMutable().assign(permute(load.getIndices(), order));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct PermuteResultsPass
    : public arrc::kernel::impl::PermuteResultsPassBase<PermuteResultsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      if (launch->getNumResults())
        launches.push_back(launch);
    });
    // Earlier launches are not erased by later ones: only readers go.
    llvm::SmallPtrSet<Operation *, 8> gone;
    for (LaunchOp launch : launches)
      if (!gone.contains(launch))
        for (OpResult result : launch->getResults())
          permuteResult(rewriter, result, gone);
  }
};

} // namespace
