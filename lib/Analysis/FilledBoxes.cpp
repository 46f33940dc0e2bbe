//===- FilledBoxes.cpp - Which boxes stores fill --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A box that a launch fills need not be fetched first, whatever it held. The
// index of a dimension is a number in mixed radix: an offset, and digits with
// weights 1, w1, w1 w2, .. each of which a loop counts through. Stores that
// expanded loops left beside each other are one store with a digit more.
// Conditions may only cut the end of a dimension off, as the masks of tails do;
// of two branches each must fill the same box.
//
//===----------------------------------------------------------------------===//

#include "IndexSet.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using Linear = IndexSet::Linear;

namespace {

/// Stores of one shape, that differ by constants.
struct Family {
  SmallVector<kernel::ForOp> loops;
  /// Of each dimension: the index without its constant, and ends.
  SmallVector<Linear> forms;
  SmallVector<SmallVector<Linear>> ends;
  /// Of each: whether a condition keeps it inside of the array.
  SmallVector<bool> isInside;
  /// The constants of each store.
  SmallVector<SmallVector<int64_t>> offsets;
};

class Filler {
public:
  Filler(kernel::LaunchOp launch, kernel::ForOp cut, BlockArgument argument)
      : launch(launch), cut(cut), argument(argument), set(launch, cut) {}

  std::optional<SmallVector<AccessBox>> run() {
    SmallVector<Family, 0> families;
    SmallVector<AccessBox> boxes;
    if (!collect(*launch.getBodyBlock(), families, boxes) ||
        !close(families, boxes))
      return std::nullopt;
    return boxes;
  }

private:
  /// The size of a dimension of the array.
  Linear getSize(unsigned dim) {
    OpFoldResult size = launch.getSize(argument, dim);
    if (auto value = dyn_cast<Value>(size))
      return set.get(value);
    Linear number;
    number.constant = *getConstantIntValue(size);
    return number;
  }
  /// Whether a store to the array is below `op`.
  bool hasStore(Operation *op) {
    return op
        ->walk([&](kernel::StoreOp store) {
          return store.getDest() == argument ? WalkResult::interrupt()
                                             : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool collect(Block &block, SmallVectorImpl<Family> &families,
               SmallVectorImpl<AccessBox> &boxes);
  bool addStore(kernel::StoreOp store, SmallVectorImpl<Family> &families);
  bool addBranches(scf::IfOp branch, SmallVectorImpl<AccessBox> &boxes);
  bool close(ArrayRef<Family> families, SmallVectorImpl<AccessBox> &boxes);
  std::optional<AccessBox> getBox(const Family &family);
  std::optional<Interval> getInterval(const Family &family, unsigned dim,
                                      SmallVectorImpl<kernel::ForOp> &used);

  kernel::LaunchOp launch;
  kernel::ForOp cut;
  BlockArgument argument;
  IndexSet set;
  SmallVector<kernel::ForOp> loops;
  SmallVector<Linear> facts;
};

} // namespace

bool Filler::collect(Block &block, SmallVectorImpl<Family> &families,
                     SmallVectorImpl<AccessBox> &boxes) {
  for (Operation &op : block) {
    if (auto store = dyn_cast<kernel::StoreOp>(op)) {
      if (store.getDest() == argument && !addStore(store, families))
        return false;
      continue;
    }
    if (op.getNumRegions() == 0 || !hasStore(&op))
      continue;
    if (auto loop = dyn_cast<kernel::ForOp>(op)) {
      loops.push_back(loop);
      bool done = collect(*loop.getBodyBlock(), families, boxes);
      loops.pop_back();
      if (!done)
        return false;
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return false;
    if (!branch.getElseRegion().empty()) {
      if (!addBranches(branch, boxes))
        return false;
      continue;
    }
    size_t before = facts.size();
    if (!set.addCondition(branch.getCondition(), true, facts))
      return false;
    bool done = collect(*branch.thenBlock(), families, boxes);
    facts.resize(before);
    if (!done)
      return false;
  }
  return true;
}

/// Whatever the condition is: each branch fills the same.
bool Filler::addBranches(scf::IfOp branch, SmallVectorImpl<AccessBox> &boxes) {
  SmallVector<AccessBox> filled[2];
  for (bool isElse : {false, true}) {
    SmallVector<Family, 0> families;
    if (!collect(isElse ? *branch.elseBlock() : *branch.thenBlock(), families,
                 filled[isElse]) ||
        !close(families, filled[isElse]))
      return false;
  }
  auto haveAll = [](ArrayRef<Bound> a, ArrayRef<Bound> b) {
    return llvm::all_of(
        a, [&](const Bound &bound) { return llvm::is_contained(b, bound); });
  };
  auto isSame = [&](const AccessBox &a, const AccessBox &b) {
    return llvm::all_of_zip(
        a.dims, b.dims, [&](const Interval &x, const Interval &y) {
          return haveAll(x.lowers, y.lowers) && haveAll(y.lowers, x.lowers) &&
                 haveAll(x.uppers, y.uppers) && haveAll(y.uppers, x.uppers);
        });
  };
  if (filled[0].size() != 1 || filled[1].size() != 1 ||
      !isSame(filled[0].front(), filled[1].front()))
    return false;
  // The branch of the interior has no conditions that say where the array ends.
  boxes.push_back(filled[0].front());
  for (auto [mine, other] :
       llvm::zip_equal(boxes.back().dims, filled[1].front().dims))
    mine.carries &= other.carries;
  return true;
}

bool Filler::addStore(kernel::StoreOp store,
                      SmallVectorImpl<Family> &families) {
  Family family;
  family.loops = loops;
  SmallVector<int64_t> offsets;
  SmallVector<Linear> limits = facts;
  if (store.getMask() && !set.addCondition(store.getMask(), true, limits))
    return false;
  for (Value index : store.getIndices()) {
    Linear form = set.get(index);
    offsets.push_back(form.constant);
    form.constant = 0;
    family.forms.push_back(form);
  }
  family.ends.resize(family.forms.size());
  family.isInside.resize(family.forms.size());
  for (const Linear &limit : limits) {
    // limit >= 0 is to be: index <= end, with an end of the host's. Or the
    // index without some of its digits is inside of the array: then so are all
    // that count, whatever those digits are.
    bool isFound = false;
    for (auto [dim, form, offset, ends] :
         llvm::enumerate(family.forms, offsets, family.ends)) {
      if (form.terms.empty())
        continue;
      Linear end = limit;
      end.add(form, 1);
      end.constant += offset;
      Linear rest = end, behind;
      for (kernel::ForOp loop : loops) {
        unsigned variable = set.getVariable(loop.getInductionVar());
        auto *it = rest.terms.find(variable);
        if (it != rest.terms.end() && it->second > 0)
          rest.terms.erase(it);
      }
      behind = getSize(dim);
      --behind.constant;
      if (rest == behind) {
        isFound = family.isInside[dim] = true;
        break;
      }
      if (!set.getExpr(end))
        continue;
      if (!llvm::is_contained(ends, end))
        ends.push_back(end);
      isFound = true;
      break;
    }
    if (!isFound)
      return false;
  }
  for (Family &other : families)
    if (other.loops == family.loops && other.forms == family.forms &&
        other.ends == family.ends && other.isInside == family.isInside) {
      if (!llvm::is_contained(other.offsets, offsets))
        other.offsets.push_back(offsets);
      return true;
    }
  family.offsets.push_back(offsets);
  families.push_back(family);
  return true;
}

std::optional<Interval>
Filler::getInterval(const Family &family, unsigned dim,
                    SmallVectorImpl<kernel::ForOp> &used) {
  struct Digit {
    int64_t weight, extent; // 0: not a number
    kernel::ForOp loop;
  };
  SmallVector<Digit> digits;
  Linear base;
  for (auto [variable, weight] : family.forms[dim].terms) {
    auto *loop = llvm::find_if(family.loops, [&](kernel::ForOp loop) {
      return set.getVariable(loop.getInductionVar()) == variable;
    });
    if (loop == family.loops.end()) {
      base.terms[variable] = weight;
      continue;
    }
    kernel::ForOp counter = *loop;
    auto extent = getConstantIntValue(counter.getMixedExtent());
    bool isNumber = extent && counter != cut;
    if (isNumber && *extent < 1)
      return std::nullopt;
    digits.push_back({weight, isNumber ? *extent : 0, counter});
    used.push_back(counter);
  }
  SmallVector<int64_t> offsets;
  for (ArrayRef<int64_t> each : family.offsets)
    offsets.push_back(each[dim]);
  llvm::sort(offsets);
  offsets.erase(llvm::unique(offsets), offsets.end());
  if (offsets.size() > 1) {
    int64_t step = offsets[1] - offsets[0];
    for (size_t i = 2; i < offsets.size(); ++i)
      if (offsets[i] - offsets[i - 1] != step)
        return std::nullopt;
    digits.push_back({step, static_cast<int64_t>(offsets.size()), nullptr});
  }
  // A digit of one value has any weight.
  llvm::erase_if(digits, [](const Digit &digit) { return digit.extent == 1; });
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    return a.weight < b.weight;
  });
  int64_t weight = 1;
  kernel::ForOp open;
  for (const Digit &digit : digits) {
    if (open || digit.weight != weight)
      return std::nullopt;
    if (digit.extent)
      weight *= digit.extent;
    else
      open = digit.loop;
  }
  if (!set.getExpr(base))
    return std::nullopt;
  AffineExpr start = set.getExpr(base);
  MLIRContext *context = launch->getContext();
  Interval interval;
  Bound lower{start, offsets.front()}, upper{start, offsets.front()};
  if (open && open == cut) {
    lower.expr = start + getAffineDimExpr(0, context) * weight;
    upper.expr = start + getAffineDimExpr(1, context) * weight;
  } else if (open) {
    AffineExpr extent = set.getExpr(set.get(open.getExtent()));
    if (!extent)
      return std::nullopt;
    upper.expr = start + extent * weight;
  } else {
    upper.constant += weight;
  }
  interval.lowers.push_back(lower);
  interval.uppers.push_back(upper);
  for (const Linear &end : family.ends[dim]) {
    Linear form = end;
    form.constant = 0;
    interval.uppers.push_back({set.getExpr(form), end.constant + 1});
  }
  return interval;
}

std::optional<AccessBox> Filler::getBox(const Family &family) {
  AccessBox box;
  box.argument = argument.getArgNumber();
  box.kind = AccessBox::Kind::Write;
  SmallVector<kernel::ForOp> used;
  size_t product = 1;
  for (size_t dim = 0; dim < family.forms.size(); ++dim) {
    auto interval = getInterval(family, dim, used);
    if (!interval)
      return std::nullopt;
    interval->carries = dim > 0 && !family.isInside[dim] &&
                        !isInside(*interval, launch, argument, dim);
    box.dims.push_back(*interval);
    llvm::SmallDenseSet<int64_t> values;
    for (ArrayRef<int64_t> each : family.offsets)
      values.insert(each[dim]);
    product *= values.size();
  }
  if (product != family.offsets.size())
    return std::nullopt;
  for (kernel::ForOp loop : family.loops) {
    auto uses = llvm::count(used, loop);
    if (uses > 1)
      return std::nullopt; // a diagonal
    // One that stores the same in all its iterations has some.
    auto extent = getConstantIntValue(loop.getMixedExtent());
    if (uses == 0 && loop != cut && (!extent || *extent < 1))
      return std::nullopt;
  }
  return box;
}

bool Filler::close(ArrayRef<Family> families,
                   SmallVectorImpl<AccessBox> &boxes) {
  for (const Family &family : families) {
    std::optional<AccessBox> box = getBox(family);
    if (!box)
      return false;
    boxes.push_back(*box);
  }
  return true;
}

std::optional<SmallVector<AccessBox>>
arrc::getFilledBoxes(kernel::LaunchOp launch, kernel::ForOp cut,
                     BlockArgument argument) {
  if (launch.getFlag())
    return std::nullopt; // or nothing at all
  return Filler(launch, cut, argument).run();
}
