//===- MergeDims.cpp - Neighbouring dimensions become one -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Arrays lie in memory in the order of their dimensions. Where a nest of
// loops walks neighbouring dimensions of all its arrays together, it walks one
// dimension of as many elements:
//
//   for i in N { for j in 8 {              for i_j in N * 8 {
//     v = X[i, j]                    ->      v = X'[i_j]
//     Y[i, j] = f(v) } }                     Y'[i_j] = f(v) }
//
// X' is X as an array of one dimension, a view. So elementwise work of any rank
// is a loop over one dimension, a sum over axes one over [K, R] or [K0, R, K1],
// and no plan needs to know of shapes like (n, 2, 2, 2), whose rows are shorter
// than a vector.
//
// Legal if the outer loop does nothing but the inner one, of the same kind and
// operator, and both indices are subscripts of arrays only: of neighbouring
// dimensions, in this order, the inner one with the extent of the inner loop,
// without boundary. All accesses of an array must agree, for its sizes change.
// Arrays lie without gaps (views with strides stay as they are); a product of
// sizes is the number of elements, or a part of it, and fits. Sizes that are
// different values stay apart. An index that is a value (in a check, or in the
// result) keeps its dimension: messages name the indices of the program. Folds
// keep the order of their elements.
//
// Pays always: fewer indices to compute, and accesses as wide as the machine's.
//
// On formed launches in memory, not on array operations: there a sum over one
// dimension would no longer meet the stencil over two that it shares its loops
// with, and a reshaped tensor may be copied. Here launches are what they will
// be, and a view of a buffer is free.
//
// Source: loop collapsing (Polychronopoulos, "Loop coalescing", ICPP 1987).
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_MERGEDIMSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Sizes and subscripts
//===----------------------------------------------------------------------===//

/// The argument or number that `size` is, whatever is known about it.
static OpFoldResult getRoot(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return Builder(size.getContext()).getIndexAttr(*number);
  auto value = cast<Value>(size);
  while (auto fact = value.getDefiningOp<array::AssumeOp>())
    value = fact.getValue();
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Builder(value.getContext()).getIndexAttr(*number);
  return value;
}

/// Whether `size` is the same number in the whole launch and outside of it.
static bool isOuterSize(OpFoldResult size) {
  if (isa<Attribute>(size))
    return true;
  auto argument = dyn_cast<BlockArgument>(cast<Value>(size));
  return argument && isa<LaunchOp>(argument.getOwner()->getParentOp());
}

static MutableOperandRange getSubscripts(Operation *access) {
  return TypeSwitch<Operation *, MutableOperandRange>(access)
      .Case<LoadOp, StoreOp, UpdateOp>(
          [](auto op) { return op.getIndicesMutable(); });
}

static Value getArray(Operation *access) {
  return TypeSwitch<Operation *, Value>(access)
      .Case<LoadOp>([](auto op) { return op.getSource(); })
      .Case<StoreOp, UpdateOp>([](auto op) { return op.getDest(); });
}

/// The loop whose index `value` is, or null.
static ForOp getLoopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument
             ? dyn_cast_if_present<ForOp>(argument.getOwner()->getParentOp())
             : ForOp();
}

/// The only loop in `outer`, if all else is scalars that do not mind where they
/// are computed; else null.
static ForOp getOnlyLoop(ForOp outer) {
  ForOp inner;
  for (Operation &op : outer.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op); loop && !inner)
      inner = loop;
    else if (!isScalarOp(&op) || inner)
      return {};
  }
  return inner;
}

namespace {

/// Nothing to explain: a fold in a map, or a map in a fold.
constexpr llvm::StringLiteral kFold = "one is a fold";

/// Two dimensions by name, outer first.
using DimPair = std::pair<StringAttr, StringAttr>;

/// An array of the launch: arguments that are one operand, or a local.
struct Memory {
  SmallVector<Value, 1> names;
  SmallVector<Operation *> accesses;
  /// Whether its dimensions may be joined at all.
  bool isPlain = true;
  /// joined[d]: dimensions d and d + 1 become one.
  SmallVector<bool, 4> joined;
};

class DimMerger {
public:
  explicit DimMerger(LaunchOp launch) : launch(launch) {}

  /// Merges what it can and says so.
  void run(RewriterBase &rewriter);

private:
  // Legality.
  void findPairs();
  std::string whyNotNested(ForOp outer, StringAttr innerName);
  void findMemories();
  void settle();
  bool areSubscripts(Operation *access, unsigned dim);
  std::string whyUsesForbid(ForOp loop, bool isOuter);

  // Rewrite.
  OpFoldResult getProduct(RewriterBase &rewriter, ArrayRef<OpFoldResult> sizes);
  void mergeLoops(RewriterBase &rewriter, ForOp outermost);
  void joinMemory(RewriterBase &rewriter, Memory &memory);
  void rewriteAccess(RewriterBase &rewriter, Operation *access, Value array,
                     const Memory &memory);
  void eraseUnusedSizes();

  /// The dimension that `inner` loops merge into, or null.
  ForOp getOuterOf(ForOp inner) {
    auto outer = dyn_cast<ForOp>(inner->getParentOp());
    return outer && pairs.contains({outer.getDimAttr(), inner.getDimAttr()})
               ? outer
               : ForOp();
  }

  LaunchOp launch;
  llvm::MapVector<StringAttr, SmallVector<ForOp>> loops;
  llvm::SetVector<DimPair> pairs;
  llvm::MapVector<Value, Memory> memories;
  /// The key of `memories` for each name of an array.
  llvm::DenseMap<Value, Value> keys;
  SmallVector<std::pair<DimPair, std::string>> refused;
  /// Arguments that were added, with their factors.
  SmallVector<std::pair<SmallVector<OpFoldResult>, Value>> products;
  /// The merged dimension by its first one.
  llvm::DenseMap<StringAttr, StringAttr> mergedNames;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Why `outer` is not just a loop around one over `innerName`; empty if it is.
std::string DimMerger::whyNotNested(ForOp outer, StringAttr innerName) {
  ForOp inner = getOnlyLoop(outer);
  if (!inner || inner.getDimAttr() != innerName)
    return "there is work between the loops";
  if (outer.isScan() || inner.isScan())
    return "a scan keeps its dimension";
  if (outer.getKind() != inner.getKind())
    return kFold.str();
  if (!isOuterSize(getRoot(inner.getMixedExtent())))
    return "the extent is computed in the kernel";
  if (outer.isParallel())
    return "";
  if (!haveSameOperator(outer, inner) ||
      !llvm::equal(outer.getYield().getValues(), inner.getResults()))
    return "they fold by different operators";
  // The inner seeds go: what the outer loop starts from is then all there is.
  for (auto [first, second] : llvm::zip(outer.getSeeds(), inner.getSeeds())) {
    Attribute a, b;
    bool same =
        first == second || (matchPattern(first, m_Constant(&a)) &&
                            matchPattern(second, m_Constant(&b)) && a == b);
    if (!same)
      return "they start from different values";
  }
  return "";
}

/// Pairs of dimensions whose loops are nests everywhere in the launch.
void DimMerger::findPairs() {
  launch.getBody().walk<WalkOrder::PreOrder>(
      [&](ForOp loop) { loops[loop.getDimAttr()].push_back(loop); });
  llvm::SetVector<DimPair> nested;
  for (auto &[name, all] : loops)
    for (ForOp loop : all)
      if (auto outer = dyn_cast<ForOp>(loop->getParentOp()))
        nested.insert({outer.getDimAttr(), name});
  for (DimPair pair : nested) {
    std::string why;
    if (pair.first == pair.second)
      continue;
    OpFoldResult extents[2] = {getRoot(loops[pair.first][0].getMixedExtent()),
                               getRoot(loops[pair.second][0].getMixedExtent())};
    for (ForOp loop : loops[pair.first]) {
      if (why.empty())
        why = whyNotNested(loop, pair.second);
      if (getRoot(loop.getMixedExtent()) != extents[0])
        why = "their extents differ between loops";
    }
    for (ForOp loop : loops[pair.second]) {
      auto outer = dyn_cast<ForOp>(loop->getParentOp());
      if (why.empty() && (!outer || outer.getDimAttr() != pair.first))
        why = "the inner one stands alone elsewhere";
      if (getRoot(loop.getMixedExtent()) != extents[1])
        why = "their extents differ between loops";
    }
    if (why.empty())
      pairs.insert(pair);
    else if (why != kFold)
      refused.push_back({pair, why});
  }
}

void DimMerger::findMemories() {
  auto add = [&](Value name, Value key) {
    keys[name] = key;
    Memory &memory = memories[key];
    memory.names.push_back(name);
    auto type = cast<MemRefType>(name.getType());
    memory.isPlain &= type.getLayout().isIdentity() && type.getRank() > 1;
    for (Operation *user : name.getUsers()) {
      memory.isPlain &= Access::isAccess(user);
      memory.accesses.push_back(user);
    }
  };
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (isa<MemRefType>(argument.getType())) {
      Value operand = launch.getOperandOf(argument).get();
      add(argument, operand);
      memories[operand].isPlain &=
          cast<MemRefType>(operand.getType()).getLayout().isIdentity();
    }
  launch.getBody().walk([&](LocalOp local) {
    add(local.getResult(), local.getResult());
    memories[local.getResult()].isPlain &=
        llvm::all_of(local.getSizes(),
                     [](Value size) { return isOuterSize(getRoot(size)); });
  });
  for (auto &[key, memory] : memories) {
    int64_t rank = cast<MemRefType>(key.getType()).getRank();
    memory.joined.assign(rank, false);
    if (memory.isPlain)
      std::fill_n(memory.joined.begin(), rank - 1, true);
  }
}

/// Whether `access` walks dimensions `dim` and `dim + 1` by the two loops of a
/// pair, all of the inner one.
bool DimMerger::areSubscripts(Operation *access, unsigned dim) {
  auto subscripts = getSubscripts(access);
  ForOp outer = getLoopOf(subscripts[dim].get());
  ForOp inner = getLoopOf(subscripts[dim + 1].get());
  if (!outer || !inner || getOuterOf(inner) != outer)
    return false;
  if (auto load = dyn_cast<LoadOp>(access); load && load.getEdge())
    for (unsigned d : {dim, dim + 1})
      if (load.getEdge()->getModes()[d] != EdgeMode::None)
        return false;
  // Arguments that are one buffer have the same sizes under other names.
  Value array = getArray(access);
  OpFoldResult size;
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim + 1))
    size = Builder(launch.getContext()).getIndexAttr(type.getDimSize(dim + 1));
  else if (auto local = array.getDefiningOp<LocalOp>())
    size = local.getSizes()[type.getDynamicDimIndex(dim + 1)];
  else
    size = launch.getSize(cast<BlockArgument>(array), dim + 1);
  return getRoot(size) == getRoot(inner.getMixedExtent());
}

/// Why the index of `loop`, outer or inner one of a pair, is needed by itself;
/// empty if it is not.
std::string DimMerger::whyUsesForbid(ForOp loop, bool isOuter) {
  for (OpOperand &use : loop.getInductionVar().getUses()) {
    Operation *user = use.getOwner();
    if (!Access::isAccess(user))
      return isa<CheckOp>(user) ? "a check names the index"
                                : "the index is computed with";
    auto subscripts = getSubscripts(user);
    unsigned number = use.getOperandNumber();
    unsigned first = subscripts.empty() ? 0 : subscripts[0].getOperandNumber();
    if (subscripts.empty() || number < first ||
        number >= first + subscripts.size())
      return "the index is a value";
    unsigned dim = number - first;
    const Memory &memory = memories[keys[getArray(user)]];
    if (isOuter ? !memory.joined[dim] : dim == 0 || !memory.joined[dim - 1])
      return "not every array is walked along both, without gaps and "
             "boundaries";
    // The neighbour is the other loop of this very pair.
    ForOp other = getLoopOf(subscripts[isOuter ? dim + 1 : dim - 1].get());
    if ((isOuter ? getOuterOf(other) : getOuterOf(loop)) !=
        (isOuter ? loop : other))
      return "an array is walked in another order";
  }
  return "";
}

/// Takes away pairs and joined dimensions until they need each other only.
void DimMerger::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[key, memory] : memories)
      for (unsigned dim = 0; dim < memory.joined.size(); ++dim)
        if (memory.joined[dim] &&
            !llvm::all_of(memory.accesses, [&](Operation *access) {
              return areSubscripts(access, dim);
            })) {
          memory.joined[dim] = false;
          changed = true;
        }
    for (DimPair pair : llvm::to_vector(pairs)) {
      std::string why;
      for (ForOp loop : loops[pair.first])
        why = why.empty() ? whyUsesForbid(loop, true) : why;
      for (ForOp loop : loops[pair.second])
        why = why.empty() ? whyUsesForbid(loop, false) : why;
      if (why.empty())
        continue;
      pairs.remove(pair);
      refused.push_back({pair, why});
      changed = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Where values of the host that depend on `operands` are computed: in front of
/// the loops in which these do not change.
static Operation *getPlaceOutsideOfLoops(Operation *op, ValueRange operands) {
  Operation *place = op;
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (!llvm::all_of(operands, [&](Value value) {
          return !parent->isAncestor(value.getParentBlock()->getParentOp());
        }))
      break;
    if (isa<LoopLikeOpInterface>(parent))
      place = parent;
  }
  return place;
}

/// The product of `sizes`, arguments of the launch and numbers: a number, or an
/// argument that the host computes.
OpFoldResult DimMerger::getProduct(RewriterBase &rewriter,
                                   ArrayRef<OpFoldResult> sizes) {
  int64_t factor = 1;
  SmallVector<Value> values;
  for (OpFoldResult size : sizes) {
    OpFoldResult root = getRoot(size);
    if (auto value = dyn_cast<Value>(root))
      values.push_back(value);
    else
      factor *= *getConstantIntValue(root);
  }
  if (values.empty())
    return rewriter.getIndexAttr(factor);
  if (values.size() == 1 && factor == 1)
    return values[0];
  SmallVector<OpFoldResult> key(values.begin(), values.end());
  key.push_back(rewriter.getIndexAttr(factor));
  for (auto &[known, product] : products)
    if (known == key)
      return product;
  SmallVector<Value> operands;
  for (Value value : values)
    operands.push_back(launch.getOperandOf(cast<BlockArgument>(value)).get());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(getPlaceOutsideOfLoops(launch, operands));
  Location loc = launch.getLoc();
  Value product = operands[0];
  for (Value operand : ArrayRef(operands).drop_front())
    product = arith::MulIOp::create(rewriter, loc, product, operand);
  if (factor != 1)
    product = arith::MulIOp::create(
        rewriter, loc, product,
        arith::ConstantIndexOp::create(rewriter, loc, factor));
  BlockArgument argument = launch.addInput(product);
  products.push_back({key, argument});
  return argument;
}

/// Makes one loop of the nest of pairs that starts at `outermost`.
void DimMerger::mergeLoops(RewriterBase &rewriter, ForOp outermost) {
  SmallVector<ForOp> nest{outermost};
  for (ForOp inner = getOnlyLoop(outermost);
       inner && getOuterOf(inner) == nest.back(); inner = getOnlyLoop(inner))
    nest.push_back(inner);
  SmallVector<OpFoldResult> extents;
  SmallVector<Location> locs;
  std::string text;
  for (ForOp loop : nest) {
    extents.push_back(getRoot(loop.getMixedExtent()));
    locs.push_back(loop.getLoc());
    text += (text.empty() ? "" : "_") + loop.getDim().str();
  }
  StringAttr &name = mergedNames[outermost.getDimAttr()];
  if (!name) {
    name = rewriter.getStringAttr(text);
    for (unsigned k = 1; loops.contains(name); ++k)
      name = rewriter.getStringAttr(text + "_" + Twine(k));
    loops.insert({name, {}});
    remark::passed(launch.getLoc(),
                   remark::RemarkOpts::name("MergeDims").category("merge-dims"))
        << remark::add("the dimensions of '{0}' are walked as one", name);
  }

  // What the kernel computes itself is multiplied there.
  OpFoldResult extent;
  rewriter.setInsertionPoint(outermost);
  if (isOuterSize(extents[0])) {
    extent = getProduct(rewriter, extents);
  } else {
    OpFoldResult rest =
        getProduct(rewriter, ArrayRef<OpFoldResult>(extents).drop_front());
    extent = arith::MulIOp::create(rewriter, outermost.getLoc(),
                                   cast<Value>(extents[0]),
                                   toValue(rewriter, outermost.getLoc(), rest))
                 .getResult();
  }
  // Scalars between the loops are the same for all iterations.
  for (ForOp loop : ArrayRef(nest).drop_back())
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBodyBlock()->without_terminator()))
      if (!isa<ForOp>(op))
        rewriter.moveOpBefore(&op, outermost);
  ForOp innermost = nest.back();
  rewriter.setInsertionPoint(outermost);
  ForOp loop = createLoopLike(rewriter, outermost, name, extent,
                              outermost.getSeeds(), LevelAttr());
  loop->setLoc(rewriter.getFusedLoc(locs));
  Block *body = loop.getBodyBlock();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  body->getOperations().splice(body->end(),
                               innermost.getBodyBlock()->getOperations());
  rewriter.replaceAllUsesWith(outermost.getResults(), loop.getResults());
  for (ForOp old : nest)
    old.getInductionVar().replaceAllUsesWith(loop.getInductionVar());
  rewriter.eraseOp(outermost);
}

/// Gives `access` one subscript for dimensions that are joined. Each of the
/// old ones is the index of the merged loop by now.
void DimMerger::rewriteAccess(RewriterBase &rewriter, Operation *access,
                              Value array, const Memory &memory) {
  SmallVector<Value> subscripts;
  SmallVector<EdgeMode> modes;
  auto load = dyn_cast<LoadOp>(access);
  MutableOperandRange range = getSubscripts(access);
  for (unsigned dim = 0; dim < memory.joined.size(); ++dim) {
    if (dim > 0 && memory.joined[dim - 1])
      continue;
    subscripts.push_back(range[dim].get());
    if (load && load.getEdge())
      modes.push_back(load.getEdge()->getModes()[dim]);
  }
  rewriter.modifyOpInPlace(access, [&] {
    range.assign(subscripts);
    access->replaceUsesOfWith(getArray(access), array);
    if (!modes.empty())
      load.setEdgeAttr(EdgesAttr::get(load.getContext(), modes));
  });
}

/// Lets the arguments, or the local, have one dimension for those joined.
void DimMerger::joinMemory(RewriterBase &rewriter, Memory &memory) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < memory.joined.size(); ++dim) {
    if (dim == 0 || !memory.joined[dim - 1])
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  Location loc = launch.getLoc();
  Value view;
  for (Value name : memory.names) {
    auto type = cast<MemRefType>(name.getType());
    SmallVector<int64_t> shape;
    SmallVector<OpFoldResult> sizes;
    auto local = name.getDefiningOp<LocalOp>();
    for (const ReassociationIndices &group : groups) {
      SmallVector<OpFoldResult> factors;
      for (int64_t dim : group) {
        if (!type.isDynamicDim(dim))
          factors.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
        else if (local)
          factors.push_back(local.getSizes()[type.getDynamicDimIndex(dim)]);
        else
          factors.push_back(launch.getSize(cast<BlockArgument>(name), dim));
      }
      bool isNumber = llvm::none_of(
          group, [&](int64_t dim) { return type.isDynamicDim(dim); });
      sizes.push_back(group.size() == 1 ? factors[0]
                                        : getProduct(rewriter, factors));
      int64_t number = 1;
      for (int64_t dim : group)
        number *= isNumber ? type.getDimSize(dim) : 1;
      shape.push_back(isNumber ? number : ShapedType::kDynamic);
    }
    auto joined = MemRefType::get(shape, type.getElementType(), AffineMap(),
                                  type.getMemorySpace());
    if (local) {
      rewriter.setInsertionPoint(local);
      SmallVector<Value> dynamic;
      for (auto [dim, size] : llvm::enumerate(sizes))
        if (joined.isDynamicDim(dim))
          dynamic.push_back(toValue(rewriter, loc, size));
      auto copy = LocalOp::create(rewriter, local.getLoc(), joined, dynamic,
                                  local.getLocalNameAttr());
      for (Operation *access : memory.accesses)
        rewriteAccess(rewriter, access, copy.getResult(), memory);
      rewriter.eraseOp(local);
      return;
    }
    auto argument = cast<BlockArgument>(name);
    unsigned number = argument.getArgNumber();
    if (!view) {
      Value operand = launch.getOperandOf(argument).get();
      rewriter.setInsertionPoint(
          getPlaceOutsideOfLoops(launch, ValueRange(operand)));
      view = memref::CollapseShapeOp::create(rewriter, loc, operand, groups);
    }
    SmallVector<int64_t> list;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (!joined.isDynamicDim(dim)) {
        list.push_back(shape[dim]);
        continue;
      }
      // A product of numbers is one by now, whatever the type says.
      auto known = dyn_cast<Value>(size);
      assert(known && "a dynamic size is an argument");
      list.push_back(cast<BlockArgument>(known).getArgNumber());
    }
    SmallVector<Attribute> lists(launch.getSizes().getValue());
    lists[number] = rewriter.getDenseI64ArrayAttr(list);
    launch.setSizesAttr(rewriter.getArrayAttr(lists));
    launch.getOperandOf(argument).set(view);
    argument.setType(joined);
  }
  for (Operation *access : memory.accesses)
    rewriteAccess(rewriter, access, getArray(access), memory);
}

/// Sizes that only the loops and arrays of before had are no arguments any
/// more.
void DimMerger::eraseUnusedSizes() {
  unsigned count = launch.getBodyBlock()->getNumArguments();
  llvm::BitVector unused(count);
  for (unsigned i = 0; i < launch.getNumInputs(); ++i) {
    BlockArgument argument = launch.getArgument(i);
    if (argument.getType().isIndex() && argument.use_empty())
      unused.set(i);
  }
  for (unsigned i = 0; i < count; ++i)
    if (auto type = dyn_cast<MemRefType>(launch.getArgument(i).getType()))
      for (auto [dim, size] : llvm::enumerate(launch.getSizesOf(i)))
        if (type.isDynamicDim(dim))
          unused.reset(size);
  if (unused.any())
    launch.eraseArguments(unused);
}

void DimMerger::run(RewriterBase &rewriter) {
  findPairs();
  if (!pairs.empty()) {
    findMemories();
    settle();
  }
  for (auto &[pair, why] : refused)
    remark::missed(launch.getLoc(),
                   remark::RemarkOpts::name("MergeDims").category("merge-dims"))
        << remark::reason("'{0}' and '{1}' stay apart: {2}",
                          pair.first.getValue(), pair.second.getValue(), why);
  if (pairs.empty())
    return;
  SmallVector<ForOp> outermost;
  for (DimPair pair : pairs)
    for (ForOp loop : loops[pair.first])
      if (!getOuterOf(loop))
        outermost.push_back(loop);
  for (ForOp loop : outermost)
    mergeLoops(rewriter, loop);
  for (auto &[key, memory] : memories)
    if (llvm::is_contained(memory.joined, true))
      joinMemory(rewriter, memory);
  eraseUnusedSizes();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct MergeDimsPass
    : public arrc::kernel::impl::MergeDimsPassBase<MergeDimsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      bool inMemory = launch->getNumResults() == 0 &&
                      llvm::all_of(launch.getOperandTypes(), [](Type type) {
                        return !isa<RankedTensorType>(type);
                      });
      // What a person wrote about the dimensions stays true.
      if (inMemory && !launch.getScheduleAttr() && !launch.getVersions() &&
          !launch.isScheduled())
        DimMerger(launch).run(rewriter);
    });
  }
};

} // namespace
