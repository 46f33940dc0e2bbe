//===- KernelOps.cpp - Loops and accesses of the kernel dialect -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, StringRef dim,
                  OpFoldResult extent, ForKind kind, ValueRange seeds,
                  LevelAttr level) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dim = builder.getStringAttr(dim);
  properties.kind = ForKindAttr::get(builder.getContext(), kind);
  if (auto value = dyn_cast<Value>(extent))
    state.addOperands(value);
  else
    properties.static_extent = builder.getI64IntegerAttr(
        cast<IntegerAttr>(cast<Attribute>(extent)).getInt());
  properties.level = level;
  state.addOperands(seeds);
  properties.operandSegmentSizes = {isa<Value>(extent) ? 1 : 0,
                                    static_cast<int32_t>(seeds.size())};
  state.addTypes(seeds.getTypes());
  Region *body = state.addRegion();
  state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(body);
  block->addArgument(builder.getIndexType(), state.location);
  if (kind != ForKind::Reduce)
    ensureTerminator(*body, builder, state.location);
}

YieldOp ForOp::getYield() {
  return cast<YieldOp>(getBodyBlock()->getTerminator());
}

OpFoldResult ForOp::getMixedExtent() {
  if (Value extent = getExtent())
    return extent;
  return Builder(getContext()).getIndexAttr(*getStaticExtent());
}

void ForOp::setMixedExtent(OpFoldResult extent) {
  if (auto value = dyn_cast<Value>(extent)) {
    getExtentMutable().assign(value);
    removeStaticExtentAttr();
    return;
  }
  getExtentMutable().clear();
  setStaticExtentAttr(
      Builder(getContext())
          .getI64IntegerAttr(
              cast<IntegerAttr>(cast<Attribute>(extent)).getInt()));
}

PrefixOp ForOp::getPrefix() {
  auto prefixes = getBodyBlock()->getOps<PrefixOp>();
  return prefixes.empty() ? PrefixOp() : *prefixes.begin();
}

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> ForOp::getLoopInductionVars() {
  return SmallVector<Value>{getInductionVar()};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{
      OpFoldResult(Builder(getContext()).getIndexAttr(0))};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{getMixedExtent()};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{
      OpFoldResult(Builder(getContext()).getIndexAttr(1))};
}

void ForOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  // The dimension's name, where it reads as an identifier: "i.0" gives %i.
  if (&region != &getBody() || region.empty())
    return;
  StringRef name = getDim().split('.').first;
  if (!name.empty() && llvm::isAlpha(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    setName(getInductionVar(), name);
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  std::string dim;
  OpAsmParser::Argument index;
  index.type = builder.getIndexType();
  if (parser.parseString(&dim) || parser.parseLParen() ||
      parser.parseArgument(index) || parser.parseRParen() ||
      parser.parseKeyword("in"))
    return failure();
  state.addAttribute("dim", builder.getStringAttr(dim));

  int64_t number;
  int32_t dynamic = 0;
  OptionalParseResult isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value()) {
    if (failed(*isNumber))
      return failure();
    state.addAttribute("static_extent", builder.getI64IntegerAttr(number));
  } else {
    OpAsmParser::UnresolvedOperand extent;
    if (parser.parseOperand(extent) ||
        parser.resolveOperand(extent, builder.getIndexType(), state.operands))
      return failure();
    dynamic = 1;
  }
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    FailureOr<LevelAttr> level = LevelAttr::parseBare(parser);
    if (failed(level))
      return failure();
    state.addAttribute("level", *level);
  }

  ForKind kind = ForKind::Parallel;
  if (succeeded(parser.parseOptionalKeyword("reduce")))
    kind = ForKind::Reduce;
  else if (succeeded(parser.parseOptionalKeyword("scan")))
    kind = ForKind::Scan;
  state.addAttribute("kind", ForKindAttr::get(parser.getContext(), kind));
  Region *body = state.addRegion(), *combiner = state.addRegion();
  int32_t seedCount = 0;
  if (kind != ForKind::Parallel) {
    SmallVector<OpAsmParser::UnresolvedOperand> seeds;
    SmallVector<Type> types;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseOperandList(seeds) ||
        parser.parseColonTypeList(types) || parser.parseRParen() ||
        parser.resolveOperands(seeds, types, loc, state.operands) ||
        parser.parseKeyword("by") ||
        parseCombiner(parser, *combiner, types, YieldOp::getOperationName()))
      return failure();
    state.addTypes(types);
    seedCount = seeds.size();
  }
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({dynamic, seedCount}));
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*body, index))
    return failure();
  ensureTerminator(*body, builder, state.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printString(getDim());
  printer << " (" << getInductionVar() << ") in ";
  if (Value extent = getExtent())
    printer << extent;
  else
    printer << *getStaticExtent();
  if (LevelAttr level = getLevelAttr()) {
    printer << " at ";
    level.printBare(printer);
  }
  if (!isParallel()) {
    printer << " " << stringifyForKind(getKind()) << " (" << getSeeds() << " : "
            << getSeeds().getTypes() << ") by ";
    printCombiner(printer, getCombiner());
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"dim", "kind", "static_extent", "level", "operandSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      getYield()->getNumOperands() != 0);
}

/// The most copies of a body that `unroll` and `vector` make: more of them take
/// compilers minutes.
static constexpr int64_t maxCopies = 1024;

LogicalResult ForOp::verify() {
  if (static_cast<bool>(getExtent()) == getStaticExtent().has_value())
    return emitOpError("needs one extent, a value or a number");
  if (getStaticExtent() && *getStaticExtent() < 0)
    return emitOpError("needs an extent that is not negative");
  if (getBody().getArgumentTypes() != TypeRange(IndexType::get(getContext())))
    return emitOpError("needs one index");
  if (isParallel() && (!getSeeds().empty() || !getCombiner().empty()))
    return emitOpError("[C1] folds nothing and has seeds or an operator");
  if (!isParallel() && getSeeds().empty())
    return emitOpError("[C1] needs a seed for each accumulator");
  if (getResultTypes() != getSeeds().getTypes())
    return emitOpError("[C1] has results of other types than its seeds");
  // for [C3], [C4]
  LevelAttr level = getLevelAttr();
  if (!level)
    return success();
  if ((level.isThread() || level.isUnroll() || level.isVector()) && getExtent())
    return emitOpError("[C4] the extent at this level must be a number");
  if (level.isVector() && *getStaticExtent() == 0)
    return emitOpError("[C4] a vector has a lane");
  if ((level.isUnroll() || level.isVector()) && *getStaticExtent() > maxCopies)
    return emitOpError("[C4] has more than ") << maxCopies << " copies";
  for (Operation *op = (*this)->getParentOp(); op && !isa<LaunchOp>(op);
       op = op->getParentOp()) {
    auto outer = dyn_cast<ForOp>(op);
    if (!outer || !outer.getLevelAttr())
      continue;
    if ((level.isBlock() || level.isThread()) && outer.getLevelAttr() == level)
      return emitOpError("[C3] this level occurs twice on a path");
    // The digits of two dimensions stand so until their order is applied, by a
    // pass that looks at this itself.
    auto launch = (*this)->getParentOfType<LaunchOp>();
    bool isOrdered = !launch || !launch.getScheduleAttr();
    if (level.isBlock() && outer.getLevelAttr().isThread() && !isReduce() &&
        isOrdered)
      return emitOpError("[C3] a block loop below a thread loop reduces");
  }
  return success();
}

LogicalResult ForOp::verifyRegions() {
  // for [C1]
  if (!isParallel() &&
      failed(verifyCombiner(*this, getCombiner(), getSeeds().getTypes())))
    return failure();
  YieldOp yield = getYield();
  if (isReduce() ? yield.getOperandTypes() != getSeeds().getTypes()
                 : yield->getNumOperands() != 0)
    return emitOpError(isReduce() ? "[C1] must yield one value a seed"
                                  : "[C1] yields although it does not reduce");
  // for [C2]
  auto prefixes = getBodyBlock()->getOps<PrefixOp>();
  size_t count = std::distance(prefixes.begin(), prefixes.end());
  if (isScan() && count != 1)
    return emitOpError("[C2] a scan has one 'kernel.prefix' in its body");
  if (!isScan() && count)
    return emitOpError("[C2] has a 'kernel.prefix' and is no scan");
  if (isScan() && getPrefix().getValues().getTypes() != getSeeds().getTypes())
    return emitOpError("[C2] the prefix must take one value a seed");
  // for [C5]
  LevelAttr level = getLevelAttr();
  if (isParallel() || !level || !(level.isBlock() || level.isThread()))
    return success();
  for (Operation *op = (*this)->getParentOp(); op && !isa<LaunchOp>(op);
       op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    // A guard of the split becomes masks.
    if (!branch || branch->hasAttr("kernel.tail"))
      continue;
    // Walk back through what computes the condition.
    SmallVector<Value> work{branch.getCondition()};
    llvm::DenseSet<Value> seen;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
        if (loop && loop.getLevelAttr() && loop.getLevelAttr().isThread())
          return emitOpError(
              "[C5] folds across threads under a branch that depends on one");
      } else {
        llvm::append_range(work, value.getDefiningOp()->getOperands());
      }
    }
  }
  return success();
}

LogicalResult PrefixOp::verify() {
  if (getValues().empty())
    return emitOpError("needs a value");
  return success();
}

//===----------------------------------------------------------------------===//
// load, store, update
//===----------------------------------------------------------------------===//

/// load, store, update [C1]
static LogicalResult verifyIndices(Operation *op, Value array,
                                   ValueRange indices) {
  if (static_cast<int64_t>(indices.size()) !=
      cast<MemRefType>(array.getType()).getRank())
    return op->emitOpError("[C1] needs one index a dimension");
  return success();
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value source,
                   ValueRange indices, EdgesAttr edge, Value mask) {
  build(builder, state, cast<MemRefType>(source.getType()).getElementType(),
        source, indices, edge, mask);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyIndices(*this, getSource(), getIndices())))
    return failure();
  // load [C2]
  if (getEdge() && getEdge()->getModes().size() != getIndices().size())
    return emitOpError("[C2] needs one edge mode a dimension");
  return success();
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value,
                    Value dest, ValueRange indices, Value mask) {
  build(builder, state, TypeRange(), value, dest, indices, mask);
}

LogicalResult StoreOp::verify() {
  return verifyIndices(*this, getDest(), getIndices());
}

void UpdateOp::build(OpBuilder &builder, OperationState &state, Value value,
                     Value dest, ValueRange indices, Value mask) {
  state.addOperands({value, dest});
  state.addOperands(indices);
  if (mask)
    state.addOperands(mask);
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, 1, static_cast<int32_t>(indices.size()), mask ? 1 : 0};
  state.addRegion();
}

LogicalResult UpdateOp::verify() {
  if (failed(verifyIndices(*this, getDest(), getIndices())))
    return failure();
  // update [C2]
  return verifyCombiner(*this, getCombiner(), getValue().getType());
}

ParseResult UpdateOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::UnresolvedOperand value, dest, mask;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  MemRefType type;
  if (parser.parseOperand(value) || parser.parseComma() ||
      parser.parseOperand(dest) ||
      parser.parseOperandList(indices, AsmParser::Delimiter::Square))
    return failure();
  bool masked = succeeded(parser.parseOptionalKeyword("if"));
  if ((masked && parser.parseOperand(mask)) || parser.parseColonType(type) ||
      parser.parseKeyword("by"))
    return failure();
  Type element = type.getElementType(), index = builder.getIndexType();
  Region *combiner = state.addRegion();
  if (parseCombiner(parser, *combiner, element, YieldOp::getOperationName()) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.resolveOperand(value, element, state.operands) ||
      parser.resolveOperand(dest, type, state.operands) ||
      parser.resolveOperands(indices, index, state.operands))
    return failure();
  if (masked &&
      parser.resolveOperand(mask, builder.getI1Type(), state.operands))
    return failure();
  state.addAttribute(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr(
          {1, 1, static_cast<int32_t>(indices.size()), masked ? 1 : 0}));
  return success();
}

void UpdateOp::print(OpAsmPrinter &printer) {
  printer << " " << getValue() << ", " << getDest() << "[" << getIndices()
          << "]";
  if (Value mask = getMask())
    printer << " if " << mask;
  printer << " : " << getDest().getType() << " by ";
  printCombiner(printer, getCombiner());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
}

//===----------------------------------------------------------------------===//
// local, check
//===----------------------------------------------------------------------===//

LogicalResult LocalOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  // local [C1]
  if (static_cast<int64_t>(getSizes().size()) !=
      static_cast<int64_t>(type.getNumDynamicDims()))
    return emitOpError("[C1] needs one size a dynamic dimension");
  // local [C2]
  auto space = dyn_cast_or_null<SpaceAttr>(type.getMemorySpace());
  if (space && space.getValue() == Space::Register && !type.hasStaticShape())
    return emitOpError("[C2] registers have constant sizes");
  return success();
}

void CheckOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
}

#define GET_OP_CLASSES
#include "arrc/Dialect/Kernel/IR/KernelOps.cpp.inc"
