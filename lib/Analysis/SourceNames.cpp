//===- SourceNames.cpp - What a person calls a thing ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/SourceNames.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace arrc;

FileLineColLoc arrc::findPlace(Location loc) {
  FileLineColLoc place;
  loc->walk([&](Location inner) {
    place = dyn_cast<FileLineColLoc>(inner);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

std::string arrc::describePlace(Location loc, Location here) {
  FileLineColLoc place = findPlace(loc), from = findPlace(here);
  if (!place)
    return "another place";
  std::string text = llvm::formatv("line {0}", place.getLine());
  if (from && from.getFilename() != place.getFilename())
    return text + " of " + place.getFilename().str();
  if (from && from.getLine() == place.getLine())
    text += llvm::formatv(", column {0}", place.getColumn());
  return text;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Entry `number` of a list of parameters or results on the function.
static DictionaryAttr getEntry(func::FuncOp function, StringRef list,
                               unsigned number) {
  auto entries = function->getAttrOfType<ArrayAttr>(list);
  if (!entries || number >= entries.size())
    return {};
  return dyn_cast<DictionaryAttr>(entries[number]);
}

/// The entry of `parameter`.
static DictionaryAttr getEntry(BlockArgument parameter) {
  return getEntry(cast<func::FuncOp>(parameter.getOwner()->getParentOp()),
                  "arrc.params", parameter.getArgNumber());
}

/// The name of an entry; "" without one.
static std::string getName(DictionaryAttr entry) {
  auto name = entry ? entry.getAs<StringAttr>("name") : StringAttr();
  return name ? name.str() : "";
}

BlockArgument arrc::getParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !isa_and_present<func::FuncOp>(argument.getOwner()->getParentOp()))
    return {};
  return argument;
}

/// The value that a value carried by a loop begins with, or the operand of an
/// operation that makes the same elements.
static Value stepBack(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(
        argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init ? init->get() : Value();
  }
  Operation *op = array.getDefiningOp();
  if (isa<array::BindOp, array::FenceOp, tensor::CastOp, memref::CastOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          memref::CollapseShapeOp, memref::ExpandShapeOp, memref::SubViewOp,
          memref::ReinterpretCastOp>(op))
    return op->getOperand(0);
  return {};
}

/// The name of the result as which `array` leaves its function; "" if it does
/// not.
static std::string findResultName(Value array, unsigned depth = 0) {
  if (depth > 8)
    return "";
  for (OpOperand &use : array.getUses()) {
    Operation *user = use.getOwner();
    if (auto ret = dyn_cast<func::ReturnOp>(user)) {
      std::string name =
          getName(getEntry(ret->getParentOfType<func::FuncOp>(), "arrc.results",
                           use.getOperandNumber()));
      if (!name.empty())
        return name;
    }
    auto loop = dyn_cast<LoopLikeOpInterface>(user);
    if (isa<array::BindOp, array::FenceOp, tensor::CastOp, memref::CastOp>(
            user)) {
      if (std::string name = findResultName(user->getResult(0), depth + 1);
          !name.empty())
        return name;
    } else if (loop && !isa<kernel::LaunchOp>(user)) {
      if (OpResult result = loop.getTiedLoopResult(&use))
        if (std::string name = findResultName(result, depth + 1); !name.empty())
          return name;
    }
  }
  return "";
}

std::string arrc::describeArray(Value array) {
  Location loc = array.getLoc();
  if (std::string name = findResultName(array); !name.empty())
    return "'" + name + "'";
  for (Value value = array; value; value = stepBack(value)) {
    if (BlockArgument parameter = getParameter(value))
      if (std::string name = getName(getEntry(parameter)); !name.empty())
        return "'" + name + "'";
    loc = value.getLoc();
  }
  if (FileLineColLoc place = findPlace(loc))
    return llvm::formatv("the array of line {0}", place.getLine());
  return "an array";
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The name of dimension `dim` of a parameter.
static std::string describeDim(Value array, int64_t dim) {
  while (Value before = stepBack(array))
    array = before;
  BlockArgument parameter = getParameter(array);
  if (!parameter)
    return "";
  DictionaryAttr entry = getEntry(parameter);
  auto dims = entry ? entry.getAs<ArrayAttr>("dims") : ArrayAttr();
  if (!dims || uint64_t(dim) >= dims.size())
    return "";
  auto name = dyn_cast<StringAttr>(dims[dim]);
  return name ? name.str() : "";
}

std::string arrc::describeSize(Value size) {
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return llvm::itostr(number.getSExtValue());
  if (BlockArgument parameter = getParameter(size))
    return getName(getEntry(parameter));
  Operation *op = size.getDefiningOp();
  if (!op)
    return "";
  if (isa<arith::IndexCastOp, array::AssumeOp, arith::MaxSIOp>(op))
    return describeSize(op->getOperand(0));
  if (isa<tensor::DimOp, memref::DimOp>(op)) {
    APInt dim;
    if (matchPattern(op->getOperand(1), m_ConstantInt(&dim)))
      return describeDim(op->getOperand(0), dim.getSExtValue());
  }
  if (isa<arith::MulIOp, arith::AddIOp, arith::SubIOp>(op)) {
    std::string lhs = describeSize(op->getOperand(0));
    std::string rhs = describeSize(op->getOperand(1));
    if (lhs.empty() || rhs.empty())
      return "";
    if (isa<arith::MulIOp>(op))
      return lhs + "*" + rhs;
    return "(" + lhs + (isa<arith::AddIOp>(op) ? "+" : "-") + rhs + ")";
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    // `n - 2` and its kin.
    AffineMap map = apply.getAffineMap();
    auto sum = dyn_cast<AffineBinaryOpExpr>(map.getResult(0));
    auto constant =
        sum ? dyn_cast<AffineConstantExpr>(sum.getRHS()) : AffineConstantExpr();
    if (map.getNumInputs() != 1 || !constant ||
        !isa<AffineDimExpr, AffineSymbolExpr>(sum.getLHS()))
      return "";
    std::string name = describeSize(apply.getMapOperands().front());
    if (name.empty())
      return "";
    if (sum.getKind() == AffineExprKind::Mul)
      return llvm::formatv("{0}*{1}", constant.getValue(), name);
    if (sum.getKind() == AffineExprKind::Add)
      return llvm::formatv("({0}{1}{2})", name,
                           constant.getValue() < 0 ? "" : "+",
                           constant.getValue());
  }
  return "";
}
