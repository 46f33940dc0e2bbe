//===- HostWay.cpp - Which kernels the host launches ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/HostWay.h"

#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

HostWay::HostWay(func::FuncOp function,
                 llvm::function_ref<std::optional<int64_t>(StringRef)> sizes) {
  auto params = function->getAttrOfType<ArrayAttr>("arrc.params");
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (!params || i >= params.size())
      break;
    auto facts = cast<DictionaryAttr>(params[i]);
    auto ask = [&](StringRef name) -> std::optional<int64_t> {
      int64_t number = 0;
      if (!name.getAsInteger(10, number))
        return number;
      std::optional<int64_t> is = sizes(name);
      if (!is && !llvm::is_contained(unknown, name))
        unknown.push_back(name.str());
      return is;
    };
    if (auto list = facts.getAs<ArrayAttr>("dims");
        list && isa<MemRefType>(argument.getType())) {
      for (auto [d, name] : llvm::enumerate(list.getAsRange<StringAttr>()))
        if (auto number = ask(name.getValue()))
          dims[{unsigned(i), unsigned(d)}] = *number;
    } else if (argument.getType().isIntOrIndex()) {
      if (auto number = ask(facts.getAs<StringAttr>("name").getValue()))
        numbers[argument] = *number;
    }
  }
  if (!function.isExternal())
    follow(function.getBody().front());
}

std::optional<int64_t> HostWay::get(Value value) const {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return value.getType().isInteger(1) ? int64_t(number.getZExtValue())
                                        : number.getSExtValue();
  auto found = numbers.find(value);
  if (found == numbers.end())
    return std::nullopt;
  return found->second;
}

/// The array that a kernel is given a pointer to.
static Value getArrayBehind(Value operand) {
  while (auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>())
    operand = cast.getOperand(0);
  return operand;
}

std::optional<int64_t> HostWay::getBytes(Value array) const {
  auto type = cast<MemRefType>(array.getType());
  int64_t count = getStoredBytes(type.getElementType());
  if (auto alloc = array.getDefiningOp<memref::AllocOp>()) {
    for (Value size : alloc.getDynamicSizes()) {
      std::optional<int64_t> number = get(size);
      if (!number)
        return std::nullopt;
      count *= *number;
    }
  } else if (auto argument = dyn_cast<BlockArgument>(array)) {
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d)) {
        auto found = dims.find({argument.getArgNumber(), unsigned(d)});
        if (found == dims.end())
          return std::nullopt;
        count *= found->second;
      }
  } else if (!type.hasStaticShape()) {
    return std::nullopt;
  }
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      count *= size;
  return count;
}

std::optional<int64_t> HostWay::evaluate(Operation &op) const {
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> d = dim.getConstantIndex();
    auto type = cast<MemRefType>(dim.getSource().getType());
    if (!d || *d >= type.getRank())
      return std::nullopt;
    if (!type.isDynamicDim(*d))
      return type.getDimSize(*d);
    if (auto alloc = dim.getSource().getDefiningOp<memref::AllocOp>())
      return get(alloc.getDynamicSizes()[type.getDynamicDimIndex(*d)]);
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return std::nullopt;
    auto found = dims.find({argument.getArgNumber(), unsigned(*d)});
    if (found == dims.end())
      return std::nullopt;
    return found->second;
  }
  // All others fold where their operands are numbers.
  SmallVector<Attribute> operands;
  bool anyKnown = op.getNumOperands() == 0;
  for (Value operand : op.getOperands()) {
    std::optional<int64_t> number = get(operand);
    if (number && operand.getType().isIntOrIndex()) {
      operands.push_back(IntegerAttr::get(operand.getType(), *number));
      anyKnown = true;
    } else {
      operands.push_back({});
    }
  }
  if (!anyKnown || op.getNumRegions() || op.getNumResults() != 1 ||
      !op.getResult(0).getType().isIntOrIndex())
    return std::nullopt;
  SmallVector<OpFoldResult> results;
  // Folding may change an operation: what is asked is a copy.
  Operation *copy = op.clone();
  std::optional<int64_t> number;
  if (succeeded(copy->fold(operands, results)) && results.size() == 1) {
    if (auto attribute = dyn_cast<Attribute>(results.front())) {
      if (auto integer = dyn_cast<IntegerAttr>(attribute))
        number = integer.getType().isInteger(1)
                     ? int64_t(integer.getValue().getZExtValue())
                     : integer.getValue().getSExtValue();
    } else {
      number = get(cast<Value>(results.front()));
    }
  }
  copy->destroy();
  return number;
}

void HostWay::followOp(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> taken = get(branch.getCondition());
    bool outer = isPossible;
    isPossible |= !taken;
    for (bool isThen : {true, false}) {
      Region &region = isThen ? branch.getThenRegion() : branch.getElseRegion();
      if (region.empty() || (taken && bool(*taken) != isThen))
        continue;
      follow(region.front());
      if (taken)
        for (auto [result, value] :
             llvm::zip(branch.getResults(),
                       region.front().getTerminator()->getOperands()))
          if (auto number = get(value))
            numbers[result] = *number;
    }
    isPossible = outer;
    return;
  }
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    HostLaunch found;
    found.op = launch;
    found.kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        symbols.lookupNearestSymbolFrom(&op, launch.getKernel()));
    if (!found.kernel)
      return;
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    SmallVector<Value> threads{block.x, block.y, block.z},
        blocks{grid.x, grid.y, grid.z};
    for (unsigned d = 0; d < 3; ++d) {
      if (auto number = get(threads[d]))
        found.facts.threads[d] = *number;
      found.facts.blocks[d] = get(blocks[d]);
    }
    for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
      if (auto number = get(operand))
        found.facts.arguments[i] = *number;
      Value array = getArrayBehind(operand);
      found.bytes.push_back(isa<MemRefType>(array.getType()) ? getBytes(array)
                                                             : std::nullopt);
    }
    found.loop = loop;
    found.isPossible = isPossible;
    launches.push_back(found);
    return;
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    copies.push_back({&op, loop, getBytes(copy.getTarget())});
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    reads.push_back(
        {&op, loop, getStoredBytes(load.getMemRefType().getElementType())});
    return;
  }
  if (op.getNumRegions()) {
    Operation *outer = loop;
    if (isa<LoopLikeOpInterface>(op))
      loop = &op;
    for (Region &region : op.getRegions())
      for (Block &block : region)
        follow(block);
    loop = outer;
    return;
  }
  if (auto number = evaluate(op))
    numbers[op.getResult(0)] = *number;
}

void HostWay::follow(Block &block) {
  for (Operation &op : block.without_terminator())
    followOp(op);
}
