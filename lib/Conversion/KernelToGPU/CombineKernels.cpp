//===- CombineKernels.cpp - What parts of updates are joined by -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Devices that share a launch which updates an array at places that are data
// (a histogram) each update a copy: the first one what the array held, the
// others one that began with the operator's neutral element. The runtime joins
// the copies in the order of the devices, by a kernel beside that of the
// launch:
//
//   gpu.func @k_addi32(%to, %from, %first, %count) kernel {
//     %i = block number * 64 + thread
//     scf.if %i < %count {
//       %to[%first + %i] = %to[%first + %i] + %from[%first + %i] } }
//
// It is named by operator and bits, which the table of parts says too.
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "arrc/Analysis/LaunchPartition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;

/// Threads of a block, which every device has; the runtime starts as many.
static constexpr int64_t kThreads = 64;

std::string arrc::getCombinerName(const AccessBox &box, Type element) {
  return (arith::stringifyAtomicRMWKind(*box.combiner) +
          Twine(element.isIndex() ? 64 : element.getIntOrFloatBitWidth()))
      .str();
}

static void emitKernel(gpu::GPUFuncOp beside, StringRef name,
                       arith::AtomicRMWKind combiner, Type element) {
  OpBuilder b = OpBuilder::atBlockEnd(beside->getBlock());
  MLIRContext *context = b.getContext();
  Location loc = beside.getLoc();
  auto global = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Global);
  auto pointer = MemRefType::get({1}, element, AffineMap(), global);
  auto view =
      MemRefType::get({ShapedType::kDynamic}, element, AffineMap(), global);
  SmallVector<Type> types{pointer, pointer, b.getIndexType(), b.getIndexType()};
  auto function = gpu::GPUFuncOp::create(b, loc, name,
                                         FunctionType::get(context, types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr("arrc.args", b.getStringAttr("ppox"));
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(kThreads), 1, 1}));
  for (unsigned argument : {0, 1})
    function.setArgAttr(argument, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  b.setInsertionPointToStart(&function.getBody().front());
  Value first = function.getArgument(2), count = function.getArgument(3);
  Value block = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value threads = arith::ConstantIndexOp::create(b, loc, kThreads);
  Value number = arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, block, threads), thread);
  Value isInside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number, count);
  auto branch = scf::IfOp::create(b, loc, isInside, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    Value at = arith::AddIOp::create(b, loc, first, number);
    auto getView = [&](Value argument) -> Value {
      return memref::ReinterpretCastOp::create(
          b, loc, view, argument, b.getIndexAttr(0),
          ArrayRef<OpFoldResult>{count},
          ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
    };
    Value to = getView(function.getArgument(0));
    Value from = getView(function.getArgument(1));
    Value old = memref::LoadOp::create(b, loc, to, at);
    Value value = memref::LoadOp::create(b, loc, from, at);
    memref::StoreOp::create(
        b, loc, arith::getReductionOp(combiner, b, loc, old, value), to, at);
  }
  gpu::ReturnOp::create(b, loc);
}

LogicalResult arrc::emitCombineKernels(const KernelPlan &plan,
                                       gpu::GPUFuncOp kernel) {
  auto partition = LaunchPartition::read(plan.launch);
  if (failed(partition))
    return failure();
  if (!*partition)
    return success();
  llvm::StringSet<> names;
  for (const LaunchPartition::Cut &cut : (*partition)->cuts)
    for (const AccessBox &box : cut.boxes) {
      if (box.kind != AccessBox::Kind::Update)
        continue;
      kernel::LaunchOp launch = plan.launch;
      BlockArgument argument = launch.getArgument(box.argument);
      Type element = plan.arrays[plan.getArray(argument)].element;
      std::string name = getCombinerName(box, element);
      if (names.insert(name).second)
        emitKernel(kernel, (kernel.getName() + "_" + name).str(), *box.combiner,
                   element);
    }
  return success();
}
