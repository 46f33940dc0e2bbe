//===- OutlineKernels.cpp - Launches of a CPU in parts to functions -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where launches of the CPU are cut for several devices the runtime starts
// them, as it starts kernels: by arguments that are pointers and numbers, with
// offset and extent of each loop of the grid. The code of a launch is that of
// any other (KernelToSCF): it moves into a function as it is, and its block
// loops run from the offset on.
//
//   kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
//     kernel.for "i.0" (%b) in %N at block.0 { .. } }
//   ->
//   func.func private @k.kernel(%y: memref<f32>, %n: index, %first: index,
//                               %count: index) attributes {arrc.kernel} {
//     %a = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1]
//     kernel.launch @k (%N = %n, %F = %first, %C = %count) outs (%Y[%N] = %a) {
//       kernel.for "i.0" (%b) in %N at block.0 { .. } {kernel.part = [1, 2]} }
//       }
//   // where it stood
//   gpu.launch_func @k_kernel::@k blocks in (%n, 1, 1) threads in (1, 1, 1)
//       args(%y, %n, 0, %n)
//
// What its parts touch stands in terms of these arguments, as that of any
// kernel (PartitionText.cpp).
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Conversion/KernelToHost/Attributes.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/StringSet.h"

namespace arrc {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
/// Writes the function of one launch.
class KernelOutliner {
public:
  KernelOutliner(kernel::LaunchOp launch, StringRef name)
      : launch(launch), name(name), plan(launch), b(launch->getContext()),
        loc(launch.getLoc()) {}

  LogicalResult run(ModuleOp module);

private:
  void writeFunction(ArrayRef<Value> operands, Operation *place);
  Value getScalar(unsigned number, Type type);
  /// The launch's argument `argument`, made of those of the function.
  Value makeArray(BlockArgument argument);
  Value makeFlag();
  OpFoldResult getSize(BlockArgument argument, unsigned dim);
  void moveLaunch();

  kernel::LaunchOp launch;
  StringRef name;
  KernelPlan plan;
  OpBuilder b;
  Location loc;
  func::FuncOp function;
  /// Launch arguments that are scalars, in the function.
  llvm::DenseMap<unsigned, Value> scalars;
  llvm::DenseMap<std::pair<unsigned, unsigned>, Value> strides;
  /// By the number of the array.
  llvm::DenseMap<unsigned, Value> offsets;
  unsigned next = 0;
};
} // namespace

/// The letter of an argument, as in `arrt_kernel`.
static char getLetter(Type type) {
  if (isa<MemRefType>(type))
    return 'p';
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return static_cast<char>('0' + std::max(bits / 8, 1u));
}

/// A scalar of the launch; parts of complex numbers are arguments of their own,
/// and what HostCode.cpp passes as integers is what it was again.
Value KernelOutliner::getScalar(unsigned number, Type type) {
  Value value = function.getArgument(next++);
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex::CreateOp::create(b, loc, complex, value,
                                     function.getArgument(next++));
  if (type.isInteger(1))
    return arith::TruncIOp::create(b, loc, type, value);
  if (type.isBF16())
    return arith::BitcastOp::create(b, loc, type, value);
  return value;
}

OpFoldResult KernelOutliner::getSize(BlockArgument argument, unsigned dim) {
  OpFoldResult size = launch.getSize(argument, dim);
  if (auto value = dyn_cast<Value>(size))
    return scalars.lookup(cast<BlockArgument>(value).getArgNumber());
  return size;
}

Value KernelOutliner::makeArray(BlockArgument argument) {
  auto type = cast<MemRefType>(argument.getType());
  unsigned number = plan.getArray(argument);
  auto [steps, start] = type.getStridesAndOffset();
  SmallVector<OpFoldResult> sizes, all;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(getSize(argument, dim));
  Value stride;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    if (!ShapedType::isDynamic(steps[dim]))
      all.push_back(b.getIndexAttr(steps[dim]));
    else if (Value given = strides.lookup({argument.getArgNumber(), dim}))
      all.push_back(given);
    else
      all.push_back(stride);
    // Of the next dimension, where rows lie dense.
    Value step = getValueOrCreateConstantIndexOp(b, loc, all.back());
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
    stride = b.createOrFold<arith::MulIOp>(loc, step, size);
  }
  std::reverse(all.begin(), all.end());
  OpFoldResult offset = b.getIndexAttr(start);
  if (ShapedType::isDynamic(start)) {
    Value given = offsets.lookup(number);
    offset = given ? OpFoldResult(given) : OpFoldResult(b.getIndexAttr(0));
  }
  return memref::ReinterpretCastOp::create(
      b, loc, type, function.getArgument(plan.arrays[number].pointer), offset,
      sizes, all);
}

Value KernelOutliner::makeFlag() {
  Value pointer = function.getArgument(plan.arrays[*plan.flagArray].pointer);
  Value offset = offsets.lookup(*plan.flagArray);
  if (!offset)
    return pointer;
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {});
  return memref::ReinterpretCastOp::create(
      b, loc, MemRefType::get({}, b.getI1Type(), layout), pointer,
      OpFoldResult(offset), ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>());
}

/// Puts the launch into the function, on the function's arguments.
void KernelOutliner::moveLaunch() {
  SmallVector<Value> operands;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    operands.push_back(isa<MemRefType>(argument.getType())
                           ? makeArray(argument)
                           : scalars.lookup(argument.getArgNumber()));
  if (launch.getFlag())
    operands.push_back(makeFlag());
  SmallVector<kernel::ForOp> grid = plan.getGrid();
  IRMapping map;
  auto copy = cast<kernel::LaunchOp>(b.clone(*launch, map));
  copy->setOperands(operands);
  copy->removeAttr("kernel.partition");
  if (buffersAreDistinct(launch))
    copy->setAttr(distinctAttrName, b.getUnitAttr());
  for (kernel::ForOp loop : grid) {
    unsigned first = copy.addInput(function.getArgument(next++)).getArgNumber();
    unsigned count = copy.addInput(function.getArgument(next++)).getArgNumber();
    map.lookup(loop.getOperation())
        ->setAttr(partAttrName, b.getDenseI64ArrayAttr({first, count}));
  }
}

void KernelOutliner::writeFunction(ArrayRef<Value> operands, Operation *place) {
  SmallVector<Type> types;
  std::string letters;
  for (Value operand : operands) {
    Type type = operand.getType();
    letters += getLetter(type);
    types.push_back(type);
  }
  // Bools are what they are in memory of the CPU.
  for (const KernelPlan::Array &array : plan.arrays)
    types[array.pointer] = MemRefType::get(
        {}, cast<MemRefType>(array.operand.getType()).getElementType());
  for (size_t pair = 0; pair < plan.getGrid().size(); ++pair) {
    size_t end = letters.size() - 2 * pair;
    letters[end - 2] = 'o';
    letters[end - 1] = 'x';
  }
  b.setInsertionPointAfter(place);
  function = func::FuncOp::create(b, loc, (name + ".kernel").str(),
                                  b.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(kernelAttrName, b.getStringAttr(letters));
  b.setInsertionPointToStart(function.addEntryBlock());
  next = plan.pointers.size();
  for (unsigned number : plan.scalars)
    scalars[number] = getScalar(number, launch.getArgument(number).getType());
  for (auto [argument, dim] : plan.strides)
    strides[{argument, dim}] = function.getArgument(next++);
  for (auto [number, array] : llvm::enumerate(plan.arrays))
    if (array.hasOffset)
      offsets[number] = function.getArgument(next++);
  moveLaunch();
  func::ReturnOp::create(b, loc);
}

LogicalResult KernelOutliner::run(ModuleOp module) {
  if (failed(plan.setMode(KernelMode::Parallel)))
    return failure();
  // What runs behind the blocks is run by who runs all of them.
  if (plan.hasTail() && failed(plan.setMode(KernelMode::OneBlock)))
    return failure();
  // Without levels every parallel loop at the root may be shared.
  std::string reason;
  if (!launch.isScheduled())
    for (kernel::ForOp loop : getCutLoops(launch, reason)) {
      if (loop.getExtent() && !isHostValue(loop.getExtent()))
        break;
      plan.nest.push_back(loop);
    }
  // Failing checks are the context's, and so is the record.
  plan.hasChecks = false;
  FailureOr<std::string> parts = getPartitionText(plan);
  if (failed(parts))
    return failure();
  Operation *place = launch->getParentOfType<func::FuncOp>();
  StringAttr binaryName = b.getStringAttr(name + "_kernel");
  SmallVector<Value> operands = emitHostLaunch(
      plan, SymbolRefAttr::get(
                binaryName, {FlatSymbolRefAttr::get(b.getStringAttr(name))}));
  writeFunction(operands, place);
  b.setInsertionPointAfter(function);
  auto object = gpu::ObjectAttr::get(
      b.getContext(), NVVM::NVVMTargetAttr::get(b.getContext()),
      gpu::CompilationTarget::Assembly, b.getStringAttr(""),
      /*properties=*/nullptr, /*kernels=*/nullptr);
  auto image = gpu::BinaryOp::create(b, loc, binaryName, nullptr,
                                     b.getArrayAttr(object));
  image->setAttr("arrc.kernels", b.getDictionaryAttr(b.getNamedAttr(
                                     name, function->getAttr(kernelAttrName))));
  if (!parts->empty())
    image->setAttr("arrc.parts", b.getStringAttr(*parts));
  launch.erase();
  return success();
}

namespace {
struct OutlineKernelsPass
    : arrc::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    kernel::DeviceAttr device = kernel::DeviceAttr::get(module);
    if (kernel::isGPU(device) || !kernel::hasOwnMemory(device))
      return markAllAnalysesPreserved();
    SmallVector<kernel::LaunchOp> launches;
    module.walk([&](kernel::LaunchOp launch) { launches.push_back(launch); });
    llvm::StringSet<> names;
    for (kernel::LaunchOp launch : launches) {
      for (Value operand : launch->getOperands())
        if (isa<TensorType>(operand.getType())) {
          launch.emitOpError("is on tensors; bufferize it first");
          return signalPassFailure();
        }
      std::string stem = launch.getKernelName().str(), name = stem;
      for (unsigned count = 1; !names.insert(name).second; ++count)
        name = stem + "_v" + std::to_string(count);
      if (failed(KernelOutliner(launch, name).run(module)))
        return signalPassFailure();
    }
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(&getContext()));
  }
};
} // namespace
