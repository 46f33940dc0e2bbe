//===- HostCode.cpp - The host's side of a kernel -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;

/// The longest row of a grid.
static constexpr int64_t mostBlocks = (int64_t(1) << 31) - 1;

namespace {
class HostLaunch {
public:
  HostLaunch(const KernelPlan &plan)
      : plan(plan), launch(plan.launch), b(plan.launch),
        loc(plan.launch->getLoc()) {}

  void computeExtents();
  void collectOperands();
  Value getBound(Value value, bool isUpper);
  Value getCondition(const IndexLimits &limits);
  void emit(const EmittedKernel &kernel) {
    emit(SymbolRefAttr::get(
             kernel.function->getParentOp()->getAttrOfType<StringAttr>(
                 SymbolTable::getSymbolAttrName()),
             {SymbolRefAttr::get(kernel.function)}),
         kernel.sharedBytes);
  }
  void emit(SymbolRefAttr kernel, int64_t sharedBytes);
  ArrayRef<Value> getOperands() const { return operands; }
  /// Frees what the launch had for itself.
  void release();

private:
  Value createState();
  Value countLookBackWords();
  Value countRowBarrierWords();
  Value getHostValue(Value value);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getValue(OpFoldResult value) {
    if (auto known = dyn_cast<Value>(value))
      return known;
    return index(*getConstantIntValue(value));
  }
  Value countElements(BlockArgument argument);
  memref::ExtractStridedMetadataOp getLayout(Value memref) {
    auto &layout = layouts[memref];
    if (!layout)
      layout = memref::ExtractStridedMetadataOp::create(b, loc, memref);
    return layout;
  }

  const KernelPlan &plan;
  kernel::LaunchOp launch;

public:
  OpBuilder b;
  Location loc;

private:
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Value, memref::ExtractStridedMetadataOp> layouts;
  SmallVector<Value> operands, extents;
  Value total, state;
};
} // namespace

/// `value` of the launch, computed by the host.
Value HostLaunch::getHostValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return launch.getOperandOf(argument).get();
  Value &known = values[value];
  if (known)
    return known;
  Operation *op = value.getDefiningOp();
  IRMapping map;
  for (Value operand : op->getOperands())
    map.map(operand, getHostValue(operand));
  if (auto assume = dyn_cast<array::AssumeOp>(op))
    return values[value] = map.lookup(assume.getValue());
  Operation *copy = b.clone(*op, map);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    values[from] = to;
  return values[value];
}

void HostLaunch::computeExtents() {
  // A tail runs even if there is nothing else to do.
  Value least = index(plan.hasTail() ? 1 : 0);
  for (kernel::ForOp loop : plan.getGrid()) {
    Value extent = loop.getExtent() ? getHostValue(loop.getExtent())
                                    : index(*loop.getStaticExtent());
    extent = b.createOrFold<arith::MaxSIOp>(loc, extent, least);
    extents.push_back(extent);
    total = total ? b.createOrFold<arith::MulIOp>(loc, total, extent) : extent;
  }
}

void HostLaunch::collectOperands() {
  auto global =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Global);
  auto getPointer = [&](Type element) {
    return MemRefType::get({1}, element, AffineMap(), global);
  };
  auto addPointer = [&](Value memory, Type element) {
    operands.push_back(
        UnrealizedConversionCastOp::create(b, loc, getPointer(element), memory)
            .getResult(0));
  };
  unsigned next = 0;
  for (const KernelPlan::Array &array : plan.arrays) {
    if (array.pointer != next)
      continue;
    const KernelPlan::Pointer &pointer = plan.pointers[next++];
    addPointer(array.hasOffset ? getLayout(pointer.memory).getBaseBuffer()
                               : pointer.memory,
               pointer.element);
  }
  for (unsigned number : plan.scalars) {
    Value value = launch.getOperandOf(launch.getArgument(number)).get();
    Type type = value.getType();
    if (isa<ComplexType>(type)) {
      operands.push_back(complex::ReOp::create(b, loc, value));
      operands.push_back(complex::ImOp::create(b, loc, value));
      continue;
    }
    if (type.isInteger(1))
      value = arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
    else if (type.isBF16())
      value = arith::BitcastOp::create(b, loc, b.getI16Type(), value);
    operands.push_back(value);
  }
  llvm::append_range(operands, plan.pitches);
  for (auto [number, dim] : plan.strides)
    operands.push_back(
        getLayout(launch.getOperandOf(launch.getArgument(number)).get())
            .getStrides()[dim]);
  for (const KernelPlan::Array &array : plan.arrays)
    if (array.hasOffset)
      operands.push_back(getLayout(array.operand).getOffset());
  if (plan.hasChecks)
    operands.push_back(
        ub::PoisonOp::create(b, loc, getPointer(b.getI64Type())));
  if (plan.needsTicket)
    operands.push_back(
        ub::PoisonOp::create(b, loc, getPointer(b.getI32Type())));
  if (plan.hasState())
    addPointer(createState(), b.getI64Type());
  for (Value extent : extents) {
    operands.push_back(index(0));
    operands.push_back(extent);
  }
}

/// The words of cooperating blocks: see RowBarrier.cpp.
Value HostLaunch::countRowBarrierWords() {
  return b.createOrFold<arith::MulIOp>(
      loc, total, index(std::max<int64_t>(plan.countRowBarrierWords(), 1)));
}

/// Those of blocks that look back: see LookBack.cpp.
Value HostLaunch::countLookBackWords() {
  int64_t words = 0;
  for (Type type : kernel::ForOp(plan.lookBack).getResultTypes())
    words += KernelPlan::countWords(type);
  for (kernel::ForOp loop : plan.between)
    words *= *loop.getStaticExtent();
  auto [group, groups] = plan.getLookBackGroups();
  Value size = extents.front(), last = size;
  for (int64_t each : {group, groups}) {
    if (!each)
      continue;
    last = b.createOrFold<arith::CeilDivUIOp>(loc, last, index(each));
    size = b.createOrFold<arith::AddIOp>(loc, size, last);
  }
  size = b.createOrFold<arith::AddIOp>(loc, size, index(1));
  for (Value extent : ArrayRef(extents).drop_front())
    size = b.createOrFold<arith::MulIOp>(loc, size, extent);
  return b.createOrFold<arith::MulIOp>(loc, size, index(words));
}

/// What blocks tell each other.
Value HostLaunch::createState() {
  Value size = plan.lookBack ? countLookBackWords() : countRowBarrierWords();
  size = b.createOrFold<arith::AddIOp>(loc, size, index(KernelPlan::stateHead));
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI64Type());
  auto memory = memref::AllocOp::create(b, loc, type, size);
  memory->setAttr("kernel.workspace", b.getUnitAttr());
  state = memory;
  Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
  gpu::MemsetOp::create(b, loc, Type(), ValueRange(), state, none);
  return state;
}

void HostLaunch::release() {
  b.setInsertionPoint(launch);
  if (state)
    memref::DeallocOp::create(b, loc, state);
}

/// How far from the start of its buffer the array reaches.
Value HostLaunch::countElements(BlockArgument argument) {
  auto type = cast<MemRefType>(argument.getType());
  auto getSize = [&](unsigned dim) {
    OpFoldResult size = launch.getOuterSize(argument.getArgNumber(), dim);
    return getValue(size);
  };
  if (cast<MemRefType>(launch.getOperandOf(argument).get().getType())
          .getLayout()
          .isIdentity()) {
    Value count = index(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      count = b.createOrFold<arith::MulIOp>(loc, count, getSize(dim));
    return count;
  }
  auto layout = getLayout(launch.getOperandOf(argument).get());
  Value reach = layout.getOffset();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value stride = layout.getStrides()[dim];
    Value back = arith::SubIOp::create(b, loc, index(0), stride);
    Value step = arith::MaxSIOp::create(b, loc, stride, back);
    Value part = arith::MulIOp::create(b, loc, step, getSize(dim));
    reach = arith::AddIOp::create(b, loc, reach, part);
  }
  return reach;
}

/// What is the same in each step of a time loop and bounds `value`: it is at
/// most (`isUpper`) or at least that. Kernels of one width serve all steps
/// then.
Value HostLaunch::getBound(Value value, bool isUpper) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument ? dyn_cast<kernel::IterateOp>(argument.getOwner()->getParentOp())
               : kernel::IterateOp();
  if (loop && argument == loop.getStepArg())
    return isUpper ? loop.getTimes() : index(0);
  Operation *op = value.getDefiningOp();
  if (auto rest = dyn_cast_if_present<arith::RemUIOp>(op);
      rest && getBound(rest.getLhs(), isUpper) != rest.getLhs())
    return isUpper ? rest.getRhs() : index(0);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MaxSIOp,
                       arith::MinSIOp>(op))
    return value;
  Value lhs = getBound(op->getOperand(0), isUpper);
  Value rhs = getBound(op->getOperand(1), isUpper != isa<arith::SubIOp>(op));
  if (lhs == op->getOperand(0) && rhs == op->getOperand(1))
    return value;
  return TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MaxSIOp, arith::MinSIOp>(
          [&](auto same) {
            return b.createOrFold<decltype(same)>(loc, lhs, rhs);
          });
}

Value HostLaunch::getCondition(const IndexLimits &limits) {
  Value condition;
  llvm::SmallDenseSet<std::pair<Value, int64_t>> seen;
  auto require = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t bound) {
    if (!seen.insert({value, bound}).second)
      return;
    Value holds =
        b.createOrFold<arith::CmpIOp>(loc, predicate, value, index(bound));
    condition = condition ? b.createOrFold<arith::AndIOp>(loc, condition, holds)
                          : holds;
  };
  using Predicate = arith::CmpIPredicate;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (isa<MemRefType>(argument.getType()))
      require(Predicate::sle, countElements(argument), limits.elements);
  for (const IndexLimits::Argument &argument : limits.arguments) {
    Value value =
        launch.getOperandOf(launch.getArgument(argument.number)).get();
    require(Predicate::sle, getBound(value, /*isUpper=*/true), argument.most);
    // Sizes are never negative.
    if (argument.least < 0)
      require(Predicate::sge, getBound(value, /*isUpper=*/false),
              argument.least);
  }
  if (total)
    require(Predicate::sle, getBound(total, /*isUpper=*/true), mostBlocks);
  if (!condition)
    condition = arith::ConstantIntOp::create(b, loc, 1, 1);
  return condition;
}

void HostLaunch::emit(SymbolRefAttr kernel, int64_t sharedBytes) {
  Value one = index(1);
  gpu::KernelDim3 grid{one, one, one};
  if (total) {
    // Rows, where one would be too long.
    Value most = index(mostBlocks);
    Value rows = b.createOrFold<arith::CeilDivUIOp>(loc, total, most);
    rows = b.createOrFold<arith::MaxUIOp>(loc, rows, one);
    grid.y = rows;
    grid.x = b.createOrFold<arith::CeilDivUIOp>(loc, total, rows);
  }
  gpu::KernelDim3 block{index(plan.blockSize[0]), index(plan.blockSize[1]),
                        index(plan.blockSize[2])};
  Value shared;
  if (sharedBytes)
    shared = arith::ConstantIntOp::create(b, loc, sharedBytes, 32);
  gpu::LaunchFuncOp::create(b, loc, kernel, grid, block, shared, operands);
}

SmallVector<Value> arrc::emitHostLaunch(const KernelPlan &plan,
                                        SymbolRefAttr kernel) {
  HostLaunch host(plan);
  host.computeExtents();
  host.collectOperands();
  host.emit(kernel, /*sharedBytes=*/0);
  return SmallVector<Value>(host.getOperands());
}

void arrc::emitHostLaunch(const KernelPlan &plan, const EmittedKernel &kernel) {
  HostLaunch host(plan);
  host.computeExtents();
  host.collectOperands();
  host.emit(kernel);
  host.release();
}

Value arrc::createIndexCondition(const KernelPlan &plan,
                                 const IndexLimits &limits) {
  HostLaunch host(plan);
  host.computeExtents();
  return host.getCondition(limits);
}

void arrc::emitHostLaunch(const KernelPlan &plan, EmittedKernel &wide,
                          EmittedKernel &narrow,
                          const std::optional<IndexLimits> &limits) {
  if (!narrow.function)
    return emitHostLaunch(plan, wide);
  HostLaunch host(plan);
  host.computeExtents();
  host.collectOperands();
  Value condition = host.getCondition(*limits);
  if (auto known = getConstantIntValue(condition)) {
    EmittedKernel &unused = *known ? wide : narrow;
    host.emit(*known ? narrow : wide);
    unused.function->getParentOp()->erase();
    unused.function = nullptr;
    return host.release();
  }
  auto branch =
      scf::IfOp::create(host.b, host.loc, condition, /*withElseRegion=*/true);
  host.b.setInsertionPointToStart(branch.thenBlock());
  host.emit(narrow);
  host.b.setInsertionPointToStart(branch.elseBlock());
  host.emit(wide);
  host.release();
}
