//===- IterateOp.cpp - kernel.iterate -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Building and reading
//===----------------------------------------------------------------------===//

void IterateOp::build(OpBuilder &builder, OperationState &state, Value times,
                      Value flag, ValueRange carried, ArrayRef<bool> rotates,
                      ValueRange sizes, ValueRange spares) {
  if (times)
    state.addOperands(times);
  if (flag)
    state.addOperands(flag);
  state.addOperands(carried);
  state.addOperands(spares);
  state.addOperands(sizes);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {
      times ? 1 : 0, flag ? 1 : 0, static_cast<int32_t>(carried.size()),
      static_cast<int32_t>(spares.size()), static_cast<int32_t>(sizes.size())};
  properties.rotates = builder.getDenseBoolArrayAttr(rotates);
  state.addTypes(carried.getTypes());
  state.addTypes(spares.getTypes());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion());
  if (times)
    block->addArgument(builder.getIndexType(), times.getLoc());
  if (flag)
    block->addArgument(flag.getType(), flag.getLoc());
  for (Value value : carried)
    block->addArgument(value.getType(), value.getLoc());
  for (auto [value, rotate] : llvm::zip(carried, rotates))
    if (rotate)
      block->addArgument(value.getType(), value.getLoc());
}

BlockArgument IterateOp::getStepArg() {
  return getTimes() ? getBodyBlock()->getArgument(0) : BlockArgument();
}

BlockArgument IterateOp::getFlagArg() {
  return getFlag() ? getBodyBlock()->getArgument(getTimes() ? 1 : 0)
                   : BlockArgument();
}

Block::BlockArgListType IterateOp::getCarriedArgs() {
  unsigned first = (getTimes() ? 1 : 0) + (getFlag() ? 1 : 0);
  return getBodyBlock()->getArguments().slice(first, getCarried().size());
}

Block::BlockArgListType IterateOp::getRotateArgs() {
  unsigned first =
      (getTimes() ? 1 : 0) + (getFlag() ? 1 : 0) + getCarried().size();
  return getBodyBlock()->getArguments().drop_front(first);
}

int64_t IterateOp::getRotateOf(unsigned index) {
  ArrayRef<bool> rotates = getRotates();
  return rotates[index] ? llvm::count(rotates.take_front(index), true) : -1;
}

ContinueOp IterateOp::getContinue() {
  return cast<ContinueOp>(getBodyBlock()->getTerminator());
}

SmallVector<OpFoldResult> IterateOp::getMixedSizes(unsigned index) {
  Builder builder(getContext());
  unsigned next = 0;
  SmallVector<OpFoldResult> sizes;
  for (auto [i, value] : llvm::enumerate(getCarried())) {
    for (int64_t size : cast<ShapedType>(value.getType()).getShape()) {
      OpFoldResult mixed = ShapedType::isDynamic(size)
                               ? OpFoldResult(getSizes()[next++])
                               : OpFoldResult(builder.getIndexAttr(size));
      if (i == index)
        sizes.push_back(mixed);
    }
    if (i == index)
      return sizes;
  }
  return sizes;
}

LogicalResult
IterateOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  for (auto [i, value] : llvm::enumerate(getCarried()))
    shapes.push_back(getMixedSizes(i));
  // A second buffer has the sizes of its array.
  if (!getSpares().empty())
    for (unsigned i = 0; i < getCarried().size(); ++i)
      if (getRotates()[i])
        shapes.push_back(getMixedSizes(i));
  return success();
}

SmallVector<Region *> IterateOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> IterateOp::getLoopInductionVars() {
  if (!getTimes())
    return std::nullopt;
  return SmallVector<Value>{getStepArg()};
}

std::optional<SmallVector<OpFoldResult>> IterateOp::getLoopLowerBounds() {
  if (!getTimes())
    return std::nullopt;
  return SmallVector<OpFoldResult>{
      OpFoldResult(Builder(getContext()).getIndexAttr(0))};
}

std::optional<SmallVector<OpFoldResult>> IterateOp::getLoopUpperBounds() {
  if (!getTimes())
    return std::nullopt;
  return SmallVector<OpFoldResult>{OpFoldResult(getTimes())};
}

std::optional<SmallVector<OpFoldResult>> IterateOp::getLoopSteps() {
  if (!getTimes())
    return std::nullopt;
  return SmallVector<OpFoldResult>{
      OpFoldResult(Builder(getContext()).getIndexAttr(1))};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void IterateOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  if (BlockArgument step = getStepArg())
    setName(step, "step");
  if (BlockArgument flag = getFlagArg())
    setName(flag, "go");
  for (BlockArgument argument : getRotateArgs())
    setName(argument, "next");
}

ParseResult IterateOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  Type index = builder.getIndexType();
  SmallVector<OpAsmParser::Argument> arguments, nexts;
  SmallVector<Value> times, flags, carried, spares, sizes;
  SmallVector<bool> rotates;
  if (succeeded(parser.parseOptionalKeyword("times"))) {
    OpAsmParser::Argument &step = arguments.emplace_back();
    step.type = index;
    OpAsmParser::UnresolvedOperand count;
    if (parser.parseLParen() || parser.parseArgument(step) ||
        parser.parseKeyword("in") || parser.parseOperand(count) ||
        parser.parseRParen() || parser.resolveOperand(count, index, times))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("while"))) {
    OpAsmParser::Argument &go = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand flag;
    if (parser.parseLParen() || parser.parseArgument(go) ||
        parser.parseEqual() || parser.parseOperand(flag) ||
        parser.parseColonType(go.type) || parser.parseRParen() ||
        parser.resolveOperand(flag, go.type, flags))
      return failure();
  }
  auto parseCarried = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand operand, spare;
    SmallVector<std::optional<OpAsmParser::UnresolvedOperand>> brackets;
    SMLoc loc = parser.getCurrentLocation();
    auto parseSize = [&]() -> ParseResult {
      int64_t number;
      OptionalParseResult isNumber = parser.parseOptionalInteger(number);
      if (isNumber.has_value()) {
        brackets.push_back(std::nullopt);
        return *isNumber;
      }
      return parser.parseOperand(brackets.emplace_back().emplace());
    };
    if (parser.parseArgument(argument) ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare,
                                       parseSize) ||
        parser.parseEqual() || parser.parseOperand(operand))
      return failure();
    bool rotate = succeeded(parser.parseOptionalKeyword("rotate"));
    bool hasSpare = false;
    if (rotate) {
      if (parser.parseArgument(nexts.emplace_back()))
        return failure();
      hasSpare = succeeded(parser.parseOptionalEqual());
      if (hasSpare && parser.parseOperand(spare))
        return failure();
    }
    rotates.push_back(rotate);
    if (parser.parseColonType(argument.type) ||
        parser.resolveOperand(operand, argument.type, carried))
      return failure();
    if (rotate)
      nexts.back().type = argument.type;
    if (hasSpare && parser.resolveOperand(spare, argument.type, spares))
      return failure();
    auto shaped = dyn_cast<ShapedType>(argument.type);
    if (!shaped || !shaped.hasRank() ||
        shaped.getRank() != static_cast<int64_t>(brackets.size()))
      return parser.emitError(
          loc, "[C4] the brackets must name each dimension of the array");
    for (auto [dim, size] : llvm::enumerate(brackets)) {
      if (size.has_value() != shaped.isDynamicDim(dim))
        return parser.emitError(
            loc, "[C4] a size is a value where it is dynamic, and a number "
                 "where it is not");
      if (size && parser.resolveOperand(*size, index, sizes))
        return failure();
    }
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("carry")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseCarried))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("by"))) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Strategy> strategy = symbolizeStrategy(word);
    if (!strategy)
      return parser.emitError(loc, "unknown strategy '") << word << "'";
    state.addAttribute("strategy",
                       StrategyAttr::get(parser.getContext(), *strategy));
    int64_t batch;
    if (*strategy == Strategy::Batch) {
      if (parser.parseInteger(batch))
        return failure();
      state.addAttribute("batch", builder.getI64IntegerAttr(batch));
    }
  }
  for (SmallVector<Value> *values : {&times, &flags, &carried, &spares, &sizes})
    state.addOperands(*values);
  state.addAttribute(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(times.size()),
                                    static_cast<int32_t>(flags.size()),
                                    static_cast<int32_t>(carried.size()),
                                    static_cast<int32_t>(spares.size()),
                                    static_cast<int32_t>(sizes.size())}));
  state.addAttribute("rotates", builder.getDenseBoolArrayAttr(rotates));
  for (SmallVector<Value> *values : {&carried, &spares})
    for (Value value : *values)
      state.addTypes(value.getType());
  arguments.append(nexts);
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

void IterateOp::print(OpAsmPrinter &printer) {
  if (Value times = getTimes())
    printer << " times (" << getStepArg() << " in " << times << ")";
  if (Value flag = getFlag())
    printer << " while (" << getFlagArg() << " = " << flag << " : "
            << flag.getType() << ")";
  if (!getCarried().empty()) {
    printer << " carry (";
    unsigned next = 0;
    for (unsigned i = 0; i < getCarried().size(); ++i) {
      Value value = getCarried()[i];
      printer << (i ? ", " : "") << getCarriedArgs()[i];
      ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
      for (auto [dim, size] : llvm::enumerate(shape)) {
        printer << (dim ? ", " : "[");
        if (ShapedType::isDynamic(size))
          printer << getSizes()[next++];
        else
          printer << size;
      }
      printer << (shape.empty() ? "" : "]") << " = " << value;
      if (int64_t rotate = getRotateOf(i); rotate >= 0) {
        printer << " rotate " << getRotateArgs()[rotate];
        if (!getSpares().empty())
          printer << " = " << getSpares()[rotate];
      }
      printer << " : " << value.getType();
    }
    printer << ")";
  }
  if (std::optional<Strategy> strategy = getStrategy()) {
    printer << " by " << stringifyStrategy(*strategy);
    if (*strategy == Strategy::Batch)
      printer << " " << getBatch().value_or(1);
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"operandSegmentSizes", "rotates", "strategy", "batch"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

LogicalResult IterateOp::verify() {
  // iterate [C2]
  if (!getTimes() && !getFlag())
    return emitOpError("[C2] needs 'times' or 'while'");
  // iterate [C3]
  if (getRotates().size() != getCarried().size())
    return emitOpError("[C3] needs to know of each array whether it rotates");
  SmallVector<Type> types;
  if (getTimes())
    types.push_back(IndexType::get(getContext()));
  if (getFlag())
    types.push_back(getFlag().getType());
  llvm::append_range(types, getCarried().getTypes());
  SmallVector<Type> second;
  for (auto [value, rotate] : llvm::zip(getCarried(), getRotates()))
    if (rotate)
      second.push_back(value.getType());
  llvm::append_range(types, second);
  if (TypeRange(getBody().getArgumentTypes()) != TypeRange(types))
    return emitOpError("[C3] region arguments differ from the operands");
  if (!getSpares().empty() && TypeRange(second) != getSpares().getTypes())
    return emitOpError("[C3] needs a second buffer for each rotating array");
  SmallVector<Type> results(getCarried().getTypes());
  llvm::append_range(results, getSpares().getTypes());
  if (TypeRange(results) != getResultTypes())
    return emitOpError("[C3] needs a result for each carried array");
  auto end = dyn_cast<ContinueOp>(getBodyBlock()->getTerminator());
  if (!end)
    return emitOpError("must end with 'kernel.continue'");
  if (end.getCarried().getTypes() != getCarried().getTypes() ||
      static_cast<bool>(end.getFlag()) != static_cast<bool>(getFlag()) ||
      (getFlag() && end.getFlag().getType() != getFlag().getType()))
    return end.emitOpError(
        "[C3] must name one value a carried array, and the flag");
  // iterate [C4]
  int64_t dynamic = 0;
  for (Value value : getCarried())
    dynamic += cast<ShapedType>(value.getType()).getNumDynamicDims();
  if (dynamic != static_cast<int64_t>(getSizes().size()))
    return emitOpError("[C4] needs one size a dynamic dimension");
  // iterate [C1]
  Operation *foreign = nullptr;
  getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LaunchOp>(op))
      return WalkResult::skip();
    StringRef dialect = op->getName().getDialectNamespace();
    // Whoever observes a program puts such calls around its launches.
    bool isCall =
        op->getName().getStringRef() == "func.call" && op->getNumResults() == 0;
    if (isCall ||
        isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ConditionOp,
            scf::YieldOp>(op) ||
        llvm::is_contained({"arith", "math", "complex", "tensor", "memref",
                            "kernel", "array", "affine", "bufferization", "gpu",
                            "builtin", "ub"},
                           dialect))
      return WalkResult::advance();
    foreign = op;
    return WalkResult::interrupt();
  });
  if (foreign)
    return foreign->emitOpError("[C1] cannot stand in a time loop");
  return success();
}
