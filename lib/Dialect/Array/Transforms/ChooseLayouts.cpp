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
// Slices, rows and elements that are put into such an array go into arrays of
// components, each into its own:
//
//   tensor.insert_slice %row into %f[%i, 0] [1, 2]
//   // becomes
//   tensor.insert_slice %row0 into %a[%i] [1]
//   tensor.insert_slice %row1 into %b[%i] [1]
//
// Legal if all reads in the loop pick a component by a constant, constants say
// which components slices have, and what the loop carries on is an array of
// before or made component by component, in the sizes of before. Reads keep
// their points and values: no result changes.
//
// Pays for loops of the host, which repeat: two copies are made once. What a
// step saves and what the copies cost are sectors of memory, counted as where
// schedules are chosen (LayoutCost.h). A loop that is known to run too few
// times keeps its vectors, and so does a loop in another, which would copy in
// each step of that one. Arguments and results of exports keep the order of the
// program.
//
// Source: structure of arrays; the layout choice of lattice Boltzmann codes
// (Wellein et al., Computers & Fluids 2006).
//
//===----------------------------------------------------------------------===//

#include "LayoutCost.h"
#include "SplitComponents.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_CHOOSELAYOUTSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc::array;

/// Most components that are carried alone.
static constexpr int64_t kMaxComponents = 16;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether all uses of `array` are reads of single components, updates by
/// component, or ends of the loop, which are looked at by themselves.
static bool areUsesPicks(Value array, const HostLoop &loop) {
  int64_t last = cast<RankedTensorType>(array.getType()).getRank() - 1;
  return llvm::all_of(array.getUsers(), [&](Operation *user) {
    if (auto at = dyn_cast<AtOp>(user))
      return at.getInbounds() &&
             getConstantIntValue(at.getIndices()[last]).has_value();
    if (auto bind = dyn_cast<BindOp>(user))
      return areUsesPicks(bind.getResult(), loop);
    if (auto extend = dyn_cast<ExtendOp>(user))
      return extend.getMode(last) == BoundaryMode::None &&
             areUsesPicks(extend.getResult(), loop);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return insert.getDest() == array && insert.getSource() != array &&
             insert->getParentOp() == loop.op &&
             ComponentSlice::of(insert).has_value() &&
             areUsesPicks(insert.getResult(), loop);
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

/// Whether position `k` is an array of small vectors.
static bool isOfSmallVectors(const HostLoop &loop, unsigned k) {
  auto type = dyn_cast<RankedTensorType>(loop.getInit(k).getType());
  return type && type.getRank() >= 2 && !type.hasStaticShape() &&
         !type.isDynamicDim(type.getRank() - 1) &&
         type.getShape().back() <= kMaxComponents && type.getShape().back() > 1;
}

/// Whether `argument` of `region` is an array at a position of `chosen`.
static bool isChosenArg(BlockArgument argument, const HostLoop &loop,
                        unsigned region, const llvm::SmallBitVector &chosen) {
  return argument.getOwner() == &loop.getBlock(region) &&
         argument.getArgNumber() >= loop.firstArg &&
         chosen.test(argument.getArgNumber() - loop.firstArg);
}

/// Why position `k`, an array of small vectors, cannot be carried by component
/// if all of `chosen` are; "" if it can.
static StringRef getObstacle(const HostLoop &loop, unsigned k,
                             const llvm::SmallBitVector &chosen) {
  auto type = cast<RankedTensorType>(loop.getInit(k).getType());
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
    if (!getKnownSize(loop.getInit(k), dim))
      return "its sizes are not known before the loop";
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region) {
    if (!areUsesPicks(loop.getArg(region, k), loop))
      return "the loop uses more of it than components by constant numbers";
    Value carried = skipUpdates(loop.getCarried(region, k));
    if (auto argument = dyn_cast<BlockArgument>(carried)) {
      if (!isChosenArg(argument, loop, region, chosen))
        return "it becomes an array that is carried whole";
      continue;
    }
    if (!isMadeOfComponents(carried, loop.getInit(k), loop))
      return "a step does not make it by component, in the sizes of before";
  }
  // Where it is carried to another place, that must be taken apart as well.
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region)
    for (unsigned other = 0; other < chosen.size(); ++other) {
      Value root = skipUpdates(loop.getCarried(region, other));
      if (!chosen.test(other) &&
          (root == skipUpdates(loop.getCarried(region, k)) ||
           root == loop.getArg(region, k)))
        return "it becomes an array that is carried whole, too";
    }
  return "";
}

/// Whether a body that reads at `point` goes over all of the array that is not
/// components: each index changes with it.
static bool isWalk(AtOp at) {
  Operation *outermost = nullptr;
  for (Operation *op = at; op; op = op->getParentOp())
    if (isa<IndexSpaceOpInterface>(op))
      outermost = op;
  return outermost &&
         llvm::all_of(at.getIndices().drop_back(), [&](Value index) {
           return outermost->isAncestor(
                      index.getParentRegion()->getParentOp()) &&
                  !getConstantIntValue(index);
         });
}

/// How many components `insert` puts into all of an array but its margins: none
/// if it puts one element or row of a dimension.
static int64_t countUpdates(tensor::InsertSliceOp insert) {
  bool isWide = llvm::none_of(
      ArrayRef(insert.getMixedSizes()).drop_back(),
      [](OpFoldResult size) { return getConstantIntValue(size).has_value(); });
  return isWide ? ComponentSlice::of(insert)->count : 0;
}

/// How often a step goes over the components of what position `k` carries, to
/// read or to write them. A row or an element of it is nothing beside that.
static int64_t countAccesses(const HostLoop &loop, unsigned k) {
  int64_t components =
      cast<RankedTensorType>(loop.getInit(k).getType()).getShape().back();
  auto countUses = [](Value array, auto &&self) -> int64_t {
    int64_t count = 0;
    for (Operation *user : array.getUsers()) {
      if (auto at = dyn_cast<AtOp>(user))
        count += isWalk(at);
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
        count += countUpdates(insert);
      if (isa<BindOp, ExtendOp, tensor::InsertSliceOp>(user))
        count += self(user->getResult(0), self);
    }
    return count;
  };
  int64_t count = 0;
  for (unsigned region = 0; region < loop.op->getNumRegions(); ++region) {
    count += countUses(loop.getArg(region, k), countUses);
    Value carried = skipUpdates(loop.getCarried(region, k));
    if (!isa<BlockArgument>(carried))
      count += components + countUses(carried, countUses);
  }
  return count;
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
    auto options =
        remark::RemarkOpts::name("CarryComponents").category("choose-layouts");
    llvm::SmallBitVector chosen(count);
    for (unsigned k = 0; k < count; ++k)
      chosen[k] = isOfSmallVectors(loop, k);
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned k : chosen.set_bits())
        if (StringRef why = getObstacle(loop, k, chosen); !why.empty()) {
          remark::missed(op->getLoc(), options)
              << remark::reason("an array of vectors stays whole: {0}", why);
          chosen.reset(k);
          changed = true;
          break;
        }
    }
    if (chosen.none())
      return;
    int64_t cost = 0, saved = 0;
    for (unsigned k : chosen.set_bits()) {
      auto type = cast<RankedTensorType>(loop.getInit(k).getType());
      LayoutCost layout(type.getElementType(), type.getShape().back());
      cost += layout.getWalk() * countWalks(loop.getInit(k), op->getResult(k));
      saved += layout.getSavedByStep(countAccesses(loop, k));
    }
    std::optional<int64_t> steps = getMostSteps(op);
    if (saved == 0 ||
        (steps && *steps <= cost / saved && *steps * saved < cost)) {
      remark::missed(op->getLoc(), options) << remark::reason(
          "copying to components and back costs {0} sectors for 32 points, and "
          "a step saves {1}: too much for {2} steps",
          cost, saved, steps.value_or(0));
      return;
    }
    remark::passed(op->getLoc(), options) << remark::add(
        "carries {0} arrays of small vectors by component: a step saves {1} "
        "sectors for 32 points",
        chosen.count(), saved);
    IRRewriter rewriter(&getContext());
    splitComponents(rewriter, loop, chosen);
  }
};
} // namespace
