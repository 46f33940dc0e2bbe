//===- LaunchAccess.cpp - What a launch does with its arrays --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchAccess.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include <set>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

bool kernel::readsArgument(LaunchOp launch, BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [](Operation *user) {
    return !isa<StoreOp, memref::DimOp>(user);
  });
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

/// What a size stands for outside of the launch, facts taken off.
static OpFoldResult getOrigin(LaunchOp launch, OpFoldResult size) {
  while (auto value = dyn_cast<Value>(size)) {
    if (auto number = getConstantIntValue(value))
      return Builder(value.getContext()).getIndexAttr(*number);
    if (auto fact = value.getDefiningOp<array::AssumeOp>()) {
      size = fact.getValue();
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != launch.getBodyBlock())
      return size;
    size = launch.getOperandOf(argument).get();
  }
  return size;
}

/// The dimensions that the store fills over its loops, and the numbers in the
/// others; empty if something else decides what is stored.
static std::optional<std::vector<std::optional<int64_t>>>
getStoredPart(LaunchOp launch, StoreOp store, BlockArgument argument) {
  if (store.getMask() || store.getDest() != argument)
    return std::nullopt;
  SmallVector<Value> loops;
  for (Operation *parent = store->getParentOp(); parent != launch;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<ForOp>(parent);
    if (!loop)
      return std::nullopt;
    loops.push_back(loop.getInductionVar());
  }
  std::vector<std::optional<int64_t>> part;
  for (auto [d, index] : llvm::enumerate(store.getIndices())) {
    if (auto number = getConstantIntValue(index)) {
      part.push_back(*number);
      continue;
    }
    auto *at = llvm::find(loops, index);
    if (at == loops.end())
      return std::nullopt;
    auto loop =
        cast<ForOp>(cast<BlockArgument>(index).getOwner()->getParentOp());
    OpFoldResult size = getOrigin(launch, launch.getSize(argument, d));
    OpFoldResult extent = getOrigin(launch, loop.getMixedExtent());
    if (!isEqualConstantIntOrValue(size, extent))
      return std::nullopt;
    part.push_back(std::nullopt);
    loops.erase(at);
  }
  // A loop that does not choose the element may have no iteration.
  if (!loops.empty())
    return std::nullopt;
  return part;
}

bool kernel::coversArgument(LaunchOp launch, BlockArgument argument) {
  // For each set of filled dimensions, the numbers met in the others.
  std::map<std::vector<bool>, std::set<std::vector<std::optional<int64_t>>>>
      parts;
  auto type = cast<MemRefType>(argument.getType());
  for (Operation *user : argument.getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store)
      continue;
    auto part = getStoredPart(launch, store, argument);
    if (!part)
      continue;
    std::vector<bool> filled;
    int64_t wanted = 1;
    for (auto [d, number] : llvm::enumerate(*part)) {
      filled.push_back(!number);
      if (number)
        wanted = type.isDynamicDim(d) ? -1 : wanted * type.getDimSize(d);
    }
    auto &met = parts[filled];
    met.insert(*part);
    if (wanted == static_cast<int64_t>(met.size()))
      return true;
  }
  return false;
}

bool kernel::needsOldContents(LaunchOp launch, BlockArgument argument) {
  return launch.getFlag() || readsArgument(launch, argument) ||
         !coversArgument(launch, argument);
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// The loops around both operations, and the operations that hold them in the
/// innermost block around both.
static Block *getCommonBlock(Operation *a, Operation *b, Operation *&overA,
                             Operation *&overB) {
  for (Block *block = a->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    overB = block->findAncestorOpInBlock(*b);
    if (!overB)
      continue;
    overA = block->findAncestorOpInBlock(*a);
    return block;
  }
  return nullptr;
}

Value arrc::kernel::getWrittenArray(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getDest();
  auto update = dyn_cast<UpdateOp>(op);
  return update ? update.getDest() : Value();
}

Value arrc::kernel::getAccessedArray(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getSource();
  return getWrittenArray(access);
}

MutableOperandRange arrc::kernel::getIndicesOfMutable(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getIndicesMutable();
  if (auto store = dyn_cast<StoreOp>(access))
    return store.getIndicesMutable();
  return cast<UpdateOp>(access).getIndicesMutable();
}

OperandRange arrc::kernel::getIndicesOf(Operation *access) {
  return getIndicesOfMutable(access);
}

void arrc::kernel::addIndices(RewriterBase &rewriter, Operation *access,
                              ValueRange front, ValueRange back) {
  SmallVector<Value> indices(front);
  llvm::append_range(indices, getIndicesOf(access));
  llvm::append_range(indices, back);
  rewriter.modifyOpInPlace(access, [&] {
    getIndicesOfMutable(access).assign(indices);
    auto load = dyn_cast<LoadOp>(access);
    if (!load || !load.getEdgeAttr())
      return;
    SmallVector<EdgeMode> modes(front.size(), EdgeMode::None);
    llvm::append_range(modes, load.getEdgeAttr().getModes());
    modes.append(back.size(), EdgeMode::None);
    load.setEdgeAttr(EdgesAttr::get(load.getContext(), modes));
  });
}

/// The value that counts the iterations of a loop, null if there is none.
static Value getCounter(Operation *loop) {
  if (auto parallel = dyn_cast<ForOp>(loop))
    return parallel.getInductionVar();
  if (auto ordered = dyn_cast<scf::ForOp>(loop))
    return ordered.getInductionVar();
  return nullptr;
}

LinearIndex kernel::getOuterIndex(LaunchOp launch, Value index) {
  LinearIndex inside(index), outside(inside.getConstant());
  for (auto [value, factor] : inside.getTerms()) {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isOperand = argument && argument.getOwner() == launch.getBodyBlock();
    outside.add(isOperand ? LinearIndex(launch.getOperandOf(argument).get())
                          : LinearIndex::ofValue(value),
                factor);
  }
  return outside;
}

bool kernel::isElementwise(LaunchOp launch, LoadOp reader, Operation *writer,
                           ArrayRef<unsigned> dims,
                           ArrayRef<LinearIndex> offsets) {
  if (isa<memref::DimOp, LoadOp>(writer))
    return true;
  if (!isa<StoreOp, UpdateOp>(writer))
    return false;
  Operation *overReader, *overWriter;
  Block *block = getCommonBlock(reader, writer, overReader, overWriter);
  if (!block || !overReader->isBeforeInBlock(overWriter))
    return false;
  // Different iterations of each loop around both touch different elements.
  for (Operation *parent = block->getParentOp(); parent != launch;
       parent = parent->getParentOp()) {
    if (isa<scf::IfOp>(parent))
      continue;
    Value counter = getCounter(parent);
    if (!counter)
      return false;
    bool isFixed = false;
    auto edges = reader.getEdge();
    for (auto [d, offset, to] :
         llvm::zip(dims, offsets, getIndicesOf(writer))) {
      if (to != counter || (edges && edges->getModes()[d] != EdgeMode::None))
        continue;
      LinearIndex from = getOuterIndex(launch, reader.getIndices()[d]);
      from.add(offset, -1);
      isFixed |= from == LinearIndex::ofValue(counter);
    }
    if (!isFixed)
      return false;
  }
  return true;
}

bool kernel::isElementwise(LaunchOp launch, BlockArgument read,
                           BlockArgument written) {
  auto dims = llvm::to_vector(
      llvm::seq<unsigned>(cast<MemRefType>(read.getType()).getRank()));
  SmallVector<LinearIndex> offsets(dims.size());
  for (Operation *reader : read.getUsers()) {
    if (isa<memref::DimOp>(reader))
      continue;
    auto load = dyn_cast<LoadOp>(reader);
    if (!load || !llvm::all_of(written.getUsers(), [&](Operation *writer) {
          return isElementwise(launch, load, writer, dims, offsets);
        }))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void kernel::mergeEqualArguments(LaunchOp launch) {
  unsigned count = launch.getBodyBlock()->getNumArguments();
  // For each argument the one that takes its place.
  SmallVector<int64_t> target(count);
  llvm::BitVector dead(count);
  for (unsigned i = 0; i < count; ++i) {
    target[i] = i;
    if (i >= launch.getNumInputs())
      continue;
    for (unsigned k = count; k-- > i + 1;) {
      if (launch.getOperand(k) != launch.getOperand(i) ||
          launch.getArgument(k).getType() != launch.getArgument(i).getType())
        continue;
      // A result of a launch on tensors is another array than its operand.
      if (k >= launch.getNumInputs() &&
          isa<RankedTensorType>(launch.getOperand(k).getType()))
        continue;
      target[i] = k;
      dead.set(i);
      break;
    }
  }
  if (dead.none())
    return;
  // Sizes are named by number: the last of equal arguments stays.
  Builder builder(launch.getContext());
  SmallVector<Attribute> lists;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int64_t> list(launch.getSizesOf(i));
    auto type = dyn_cast<MemRefType>(launch.getArgument(i).getType());
    for (auto [d, number] : llvm::enumerate(list))
      if (type && type.isDynamicDim(d))
        number = target[number];
    lists.push_back(builder.getDenseI64ArrayAttr(list));
  }
  launch.setSizesAttr(builder.getArrayAttr(lists));
  for (unsigned i = 0; i < count; ++i)
    if (dead[i])
      launch.getArgument(i).replaceAllUsesWith(launch.getArgument(target[i]));
  if (std::optional<ArrayRef<int64_t>> numbers = launch.getVersionSizes()) {
    SmallVector<int64_t> moved;
    for (int64_t number : *numbers)
      moved.push_back(target[number]);
    launch.setVersionSizes(moved);
  }
  launch.eraseArguments(dead);
}
