//===- SliceStores.cpp - Parts of arrays, written where they are ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Legal where no iteration reads what another one writes: each load of the
// array reads another row (the difference of the indices is a number that is
// not 0), or the very element that its iteration writes afterwards, whatever
// the row, and wherever in it the part begins. The launch moves behind the
// checks of the place that it now writes.
//
//===----------------------------------------------------------------------===//

#include "SliceStores.h"

#include "../Shared/LaunchAccess.h"
#include "BufferLifetime.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The copies of the host.
static SmallVector<memref::CopyOp> collectCopies(func::FuncOp func) {
  SmallVector<memref::CopyOp> copies;
  func.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  return copies;
}

//===----------------------------------------------------------------------===//
// Copies of a part onto itself
//===----------------------------------------------------------------------===//

/// True if both values are the same part of the same buffer.
static bool isSamePart(Value a, Value b) {
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || x->getName() != y->getName() ||
      !isa<memref::SubViewOp, memref::CastOp>(x))
    return false;
  return x->getAttrDictionary() == y->getAttrDictionary() &&
         x->getNumOperands() == y->getNumOperands() &&
         a.getType() == b.getType() &&
         llvm::all_of(llvm::zip(x->getOperands(), y->getOperands()),
                      [](auto pair) {
                        auto [u, v] = pair;
                        return isSamePart(u, v);
                      });
}

void arrc::kernel::dropSelfCopies(func::FuncOp func) {
  SmallVector<memref::CopyOp> dead;
  for (memref::CopyOp copy : collectCopies(func))
    if (isSamePart(copy.getSource(), copy.getTarget()))
      dead.push_back(copy);
  for (memref::CopyOp copy : dead)
    copy.erase();
}

//===----------------------------------------------------------------------===//
// Parts that launches can write
//===----------------------------------------------------------------------===//

namespace {

/// A copy of what a launch makes to a part of an array.
class SliceStore {
public:
  /// Null members if `copy` is none.
  explicit SliceStore(memref::CopyOp copy);

  bool isOne() const { return out != nullptr; }
  /// Why the launch cannot write the part; empty if it can.
  StringRef getObstacle();
  void apply();

private:
  bool canMoveLaunch();
  bool readsOnlyOthers(LoadOp load, BlockArgument written);
  bool readsOnlyOwn(LoadOp load, BlockArgument written);

  memref::CopyOp copy;
  memref::SubViewOp part;
  LaunchOp launch;
  OpOperand *out = nullptr;
};

} // namespace

SliceStore::SliceStore(memref::CopyOp copy)
    : copy(copy), part(copy.getTarget().getDefiningOp<memref::SubViewOp>()) {
  auto made = copy.getSource().getDefiningOp<memref::AllocOp>();
  if (!part || !made)
    return;
  OpOperand *use = nullptr;
  for (OpOperand &other : made->getUses()) {
    if (other.getOwner() == copy || isa<memref::DeallocOp>(other.getOwner()))
      continue;
    if (use || !isa<LaunchOp>(other.getOwner()))
      return;
    use = &other;
  }
  if (!use || use->getOwner()->getBlock() != copy->getBlock() ||
      !use->getOwner()->isBeforeInBlock(copy))
    return;
  launch = cast<LaunchOp>(use->getOwner());
  if (launch.isDpsInit(use) &&
      !needsOldContents(launch, launch.getArgumentOf(*use)))
    out = use;
}

/// Whether nothing between launch and copy minds if the launch runs after it.
bool SliceStore::canMoveLaunch() {
  for (Operation *op = launch->getNextNode(); op != copy;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !isa<array::CheckOp, memref::AllocOp>(op))
      return false;
  return true;
}

/// Whether `load` reads the array where the part is not.
bool SliceStore::readsOnlyOthers(LoadOp load, BlockArgument written) {
  if (load.getEdge())
    return false;
  llvm::SmallBitVector dropped = part.getDroppedDims();
  for (auto [dim, index] : llvm::enumerate(load.getIndices())) {
    if (!dropped[dim])
      continue;
    LinearIndex outside = getOuterIndex(launch, index);
    LinearIndex place = LinearIndex::ofSize(part.getMixedOffsets()[dim]);
    std::optional<int64_t> distance = outside.distanceFrom(place);
    if (distance && *distance != 0)
      return true;
  }
  return false;
}

/// Whether each iteration reads of the part what it writes itself.
bool SliceStore::readsOnlyOwn(LoadOp load, BlockArgument written) {
  llvm::SmallBitVector dropped = part.getDroppedDims();
  SmallVector<unsigned> dims;
  SmallVector<LinearIndex> offsets;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (dropped[dim])
      continue;
    if (getConstantIntValue(part.getMixedStrides()[dim]) != 1)
      return false;
    dims.push_back(dim);
    offsets.push_back(LinearIndex::ofSize(part.getMixedOffsets()[dim]));
  }
  return llvm::all_of(written.getUsers(), [&](Operation *writer) {
    return isElementwise(launch, load, writer, dims, offsets);
  });
}

StringRef SliceStore::getObstacle() {
  if (!canMoveLaunch())
    return "something between it and the assignment uses memory";
  SmallVector<Value, 2> roots = getBufferRoots(part.getSource());
  BlockArgument written = launch.getArgumentOf(*out);
  for (OpOperand &operand : launch->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) || &operand == out ||
        llvm::none_of(getBufferRoots(operand.get()), [&](Value root) {
          return llvm::is_contained(roots, root);
        }))
      continue;
    BlockArgument argument = launch.getArgumentOf(operand);
    if (!argument || launch.isDpsInit(&operand))
      return "its kernel writes the array elsewhere, too";
    if (operand.get() != part.getSource())
      return "it reads the array through another view of it";
    for (Operation *user : argument.getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      if (!isa<memref::DimOp>(user) &&
          (!load ||
           !(readsOnlyOthers(load, written) || readsOnlyOwn(load, written))))
        return "it may read elements that it replaces; read another row, or "
               "the same elements of the row, and it is stored where it "
               "belongs";
    }
  }
  return "";
}

void SliceStore::apply() {
  Value made = out->get();
  launch->moveBefore(copy);
  unsigned argument = launch.getArgumentOf(*out).getArgNumber();
  out->set(part);
  auto type = cast<MemRefType>(launch.getArgument(argument).getType());
  launch.getArgument(argument).setType(MemRefType::get(
      type.getShape(), type.getElementType(), part.getType().getLayout()));
  copy.erase();
  for (Operation *user : llvm::make_early_inc_range(made.getUsers()))
    user->erase();
  made.getDefiningOp()->erase();
}

void arrc::kernel::storeSlicesInPlace(func::FuncOp func) {
  for (memref::CopyOp copy : collectCopies(func)) {
    SliceStore store(copy);
    if (!store.isOne())
      continue;
    StringRef obstacle = store.getObstacle();
    if (obstacle.empty())
      store.apply();
    else
      remark::missed(
          copy.getLoc(),
          remark::RemarkOpts::name("CopiedPart").category("plan-memory"))
          << "what is assigned is computed apart and copied"
          << remark::reason("{0}", obstacle);
  }
}
