//===- ArrayOps.cpp - Reads, views, facts and checks ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Text, builders and verifiers of at, view, extend, sort, bind, assume, check,
// yield.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// yield
//===----------------------------------------------------------------------===//

void YieldOp::build(OpBuilder &builder, OperationState &state,
                    ValueRange values) {
  build(builder, state, values, ValueRange());
}

void YieldOp::build(OpBuilder &builder, OperationState &state,
                    ValueRange values, ValueRange indices) {
  state.addOperands(values);
  state.addOperands(indices);
  state.getOrAddProperties<Properties>().num_indices =
      builder.getI64IntegerAttr(indices.size());
}

ParseResult YieldOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> values, indices;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  Builder &builder = parser.getBuilder();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseOperandList(values))
    return failure();
  if (!values.empty() && parser.parseColonTypeList(types))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at")) &&
      parser.parseOperandList(indices, AsmParser::Delimiter::Square))
    return failure();
  state.getOrAddProperties<Properties>().num_indices =
      builder.getI64IntegerAttr(indices.size());
  return failure(
      parser.resolveOperands(values, types, loc, state.operands) ||
      parser.resolveOperands(indices, builder.getIndexType(), state.operands));
}

void YieldOp::print(OpAsmPrinter &p) {
  p.printOptionalAttrDict((*this)->getAttrs(), {"num_indices"});
  if (!getValues().empty())
    p << " " << getValues() << " : " << getValues().getTypes();
  if (getNumIndices())
    p << " at [" << getIndices() << "]";
}

LogicalResult YieldOp::verify() {
  // yield [C1]
  if (static_cast<int64_t>(getNumIndices()) < 0 ||
      getNumIndices() > getNumOperands())
    return emitOpError("has fewer operands than indices");
  if (!llvm::all_of(getIndices().getTypes(),
                    [](Type type) { return type.isIndex(); }))
    return emitOpError("expected indices of type 'index'");
  return success();
}

//===----------------------------------------------------------------------===//
// at
//===----------------------------------------------------------------------===//

/// `tensor<?xf32>` also says what an element is.
static ParseResult parseElementOf(OpAsmParser &parser, Type &source,
                                  Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(source))
    return failure();
  auto type = dyn_cast<RankedTensorType>(source);
  if (!type)
    return parser.emitError(loc, "expected a ranked tensor type");
  result = type.getElementType();
  return success();
}

static void printElementOf(OpAsmPrinter &p, Operation *, Type source, Type) {
  p << source;
}

void AtOp::build(OpBuilder &builder, OperationState &state, Value source,
                 ValueRange indices, bool inbounds) {
  build(builder, state,
        cast<RankedTensorType>(source.getType()).getElementType(), source,
        indices, inbounds ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult AtOp::verify() {
  auto type = cast<RankedTensorType>(getSource().getType());
  // at [C1]
  if (static_cast<int64_t>(getIndices().size()) != type.getRank())
    return emitOpError("expected ")
           << type.getRank() << " indices, one for "
           << "each dimension of the array, not " << getIndices().size();
  if (getResult().getType() != type.getElementType())
    return emitOpError("result is not an element of ") << type;
  return success();
}

Speculation::Speculatability AtOp::getSpeculatability() {
  return getInbounds() && !(*this)->hasAttr(kGuardedAttr)
             ? Speculation::Speculatable
             : Speculation::NotSpeculatable;
}

//===----------------------------------------------------------------------===//
// view
//===----------------------------------------------------------------------===//

void ViewOp::build(OpBuilder &builder, OperationState &state, Value source,
                   AffineMap map, ValueRange operands,
                   ArrayRef<OpFoldResult> extents) {
  SmallVector<Value> values;
  SmallVector<int64_t> numbers;
  dispatchIndexOpFoldResults(extents, values, numbers);
  Type type = getArrayOf(
      numbers, cast<RankedTensorType>(source.getType()).getElementType());
  build(builder, state, type, source, operands, values, map, numbers);
}

ParseResult ViewOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand source;
  SmallVector<OpAsmParser::UnresolvedOperand> operands, extents;
  AffineMap map;
  DenseI64ArrayAttr numbers;
  Type sourceType, resultType;
  auto &properties = state.getOrAddProperties<Properties>();
  if (parser.parseOperand(source) || parser.parseAffineMap(map) ||
      parser.parseOperandList(operands, AsmParser::Delimiter::OptionalSquare) ||
      parser.parseKeyword("in") ||
      parseDynamicIndexList(parser, extents, numbers, nullptr,
                            AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(sourceType) || parser.parseKeyword("to") ||
      parser.parseType(resultType))
    return failure();
  properties.map = AffineMapAttr::get(map);
  properties.static_extents = numbers;
  properties.operandSegmentSizes = {1, static_cast<int32_t>(operands.size()),
                                    static_cast<int32_t>(extents.size())};
  Type index = parser.getBuilder().getIndexType();
  state.addTypes(resultType);
  return failure(parser.resolveOperand(source, sourceType, state.operands) ||
                 parser.resolveOperands(operands, index, state.operands) ||
                 parser.resolveOperands(extents, index, state.operands));
}

void ViewOp::print(OpAsmPrinter &p) {
  p << " " << getSource() << " ";
  getMap().print(p.getStream());
  if (!getSymbols().empty())
    p << " [" << getSymbols() << "]";
  p << " in ";
  printDynamicIndexList(p, *this, getExtents(), getStaticExtents(), TypeRange(),
                        AsmParser::Delimiter::Paren);
  p.printOptionalAttrDict((*this)->getAttrs(),
                          {"map", "static_extents", "operandSegmentSizes"});
  p << " : " << getSource().getType() << " to " << getType();
}

LogicalResult ViewOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  AffineMap map = getMap();
  ArrayRef<int64_t> extents = getStaticExtents();
  if (failed(verifyListOfOperandsOrIntegers(*this, "extent", extents.size(),
                                            extents, getExtents())))
    return failure();
  // view [C1]
  if (map.getNumDims() != extents.size())
    return emitOpError("expected a map of ") << extents.size() << " dimensions";
  if (map.getNumSymbols() != getSymbols().size())
    return emitOpError("expected ")
           << map.getNumSymbols() << " operands for the symbols of the map";
  if (map.getNumResults() != source.getRank())
    return emitOpError("expected a map with ")
           << source.getRank() << " results, one for each dimension of "
           << source;
  // view [C2]
  Type expected = getArrayOf(extents, source.getElementType());
  if (getType() != expected)
    return emitOpError("result type ")
           << getType()
           << " is not the extents with the element type: " << expected;
  return success();
}

//===----------------------------------------------------------------------===//
// extend
//===----------------------------------------------------------------------===//

void ExtendOp::build(OpBuilder &builder, OperationState &state, Value source,
                     ArrayRef<BoundaryMode> modes, ValueRange fills) {
  SmallVector<Attribute> attrs;
  for (BoundaryMode mode : modes)
    attrs.push_back(BoundaryModeAttr::get(builder.getContext(), mode));
  build(builder, state, source.getType(), source, fills,
        builder.getArrayAttr(attrs));
}

SmallVector<BoundaryMode> ExtendOp::getModeList() {
  return llvm::map_to_vector(getModes(), [](Attribute attr) {
    return cast<BoundaryModeAttr>(attr).getValue();
  });
}

Value ExtendOp::getFill(unsigned dim) {
  if (getMode(dim) != BoundaryMode::Fill)
    return Value();
  return getFills()[llvm::count(ArrayRef(getModeList()).take_front(dim),
                                BoundaryMode::Fill)];
}

ParseResult ExtendOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand source;
  SmallVector<OpAsmParser::UnresolvedOperand> fills;
  SmallVector<Attribute> modes;
  Type type;
  auto parseMode = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    auto mode = symbolizeBoundaryMode(word);
    if (!mode)
      return parser.emitError(loc, "expected a boundary mode: clamp, wrap, "
                                   "mirror, reflect, none or fill");
    modes.push_back(BoundaryModeAttr::get(parser.getContext(), *mode));
    if (*mode == BoundaryMode::Fill)
      return parser.parseOperand(fills.emplace_back());
    return success();
  };
  if (parser.parseOperand(source) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseMode) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseColonType(type))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parser.emitError(loc, "expected a ranked tensor type");
  state.getOrAddProperties<Properties>().modes =
      parser.getBuilder().getArrayAttr(modes);
  state.addTypes(type);
  return failure(
      parser.resolveOperand(source, type, state.operands) ||
      parser.resolveOperands(fills, tensor.getElementType(), state.operands));
}

void ExtendOp::print(OpAsmPrinter &p) {
  p << " " << getSource() << " [";
  llvm::interleaveComma(llvm::seq<unsigned>(0, getModes().size()), p,
                        [&](unsigned dim) {
                          p << stringifyBoundaryMode(getMode(dim));
                          if (Value fill = getFill(dim))
                            p << " " << fill;
                        });
  p << "]";
  p.printOptionalAttrDict((*this)->getAttrs(), {"modes"});
  p << " : " << getType();
}

LogicalResult ExtendOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  // extend [C2]
  if (static_cast<int64_t>(getModes().size()) != type.getRank())
    return emitOpError("expected one boundary mode for each of ")
           << type.getRank() << " dimensions";
  if (llvm::count(getModeList(), BoundaryMode::Fill) !=
      static_cast<ptrdiff_t>(getFills().size()))
    return emitOpError("expected one value for each 'fill'");
  if (!llvm::all_of(getFills().getTypes(),
                    [&](Type fill) { return fill == type.getElementType(); }))
    return emitOpError("expected fill values of the element type");
  // extend [C1]
  for (Operation *user : getResult().getUsers())
    if (!isa<AtOp, ViewOp, ExtendOp, BindOp, tensor::DimOp>(user) &&
        !isa<CallOpInterface>(user) && !user->hasTrait<OpTrait::ReturnLike>()) {
      InFlightDiagnostic error =
          emitOpError("an extended array can only be read");
      error.attachNote(user->getLoc()) << "used here";
      return error;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// sort
//===----------------------------------------------------------------------===//

LogicalResult SortOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult SortOp::verify() {
  // sort [C1]
  if (getArrays().empty())
    return emitOpError("expected an array of keys");
  auto keys = cast<RankedTensorType>(getKeys().getType());
  if (keys.getRank() == 0)
    return emitOpError("expected keys with a dimension");
  // sort [C2]
  for (Type type : getCarried().getTypes())
    if (cast<RankedTensorType>(type).getShape() != keys.getShape())
      return emitOpError("array of type ")
             << type << " does not have the shape of the keys, " << keys;
  // sort [C3]
  if (!keys.getElementType().isSignlessInteger() &&
      !isa<FloatType>(keys.getElementType()))
    return emitOpError("expected keys that are integers or floats, not ")
           << keys.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// bind, assume, check
//===----------------------------------------------------------------------===//

void BindOp::build(OpBuilder &builder, OperationState &state, Value source,
                   ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> values;
  SmallVector<int64_t> numbers;
  dispatchIndexOpFoldResults(sizes, values, numbers);
  build(builder, state, source.getType(), source, values, numbers);
}

LogicalResult BindOp::verify() {
  // bind [C1]
  if (getStaticSizes() != cast<RankedTensorType>(getType()).getShape())
    return emitOpError("expected one size for each dimension: a value where "
                       "the type is dynamic, else its number");
  return verifyListOfOperandsOrIntegers(*this, "size", getStaticSizes().size(),
                                        getStaticSizes(), getSizes());
}

ParseResult AssumeOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand value;
  Type type;
  Builder &builder = parser.getBuilder();
  auto &properties = state.getOrAddProperties<Properties>();
  if (parser.parseOperand(value))
    return failure();
  int64_t number;
  if (succeeded(parser.parseOptionalKeyword("in"))) {
    if (parser.parseInteger(number))
      return failure();
    properties.lower = builder.getI64IntegerAttr(number);
    if (parser.parseKeyword("to") || parser.parseInteger(number))
      return failure();
    properties.upper = builder.getI64IntegerAttr(number);
  }
  if (succeeded(parser.parseOptionalKeyword("multiple"))) {
    if (parser.parseInteger(number))
      return failure();
    properties.multiple = builder.getI64IntegerAttr(number);
  }
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return parser.resolveOperand(value, type, state.operands);
}

void AssumeOp::print(OpAsmPrinter &p) {
  p << " " << getValue();
  if (getLower())
    p << " in " << *getLower() << " to " << *getUpper();
  if (getMultiple())
    p << " multiple " << *getMultiple();
  p.printOptionalAttrDict((*this)->getAttrs(), {"lower", "upper", "multiple"});
  p << " : " << getType();
}

LogicalResult AssumeOp::verify() {
  // assume [C1]
  if (getLower().has_value() != getUpper().has_value())
    return emitOpError("expected both ends of the interval or none");
  if (getLower() &&
      static_cast<int64_t>(*getLower()) > static_cast<int64_t>(*getUpper()))
    return emitOpError("expected an interval that is not empty");
  if (getMultiple() && static_cast<int64_t>(*getMultiple()) < 1)
    return emitOpError("expected a multiple of at least 1");
  return success();
}

void CheckOp::build(OpBuilder &builder, OperationState &state, CheckKind kind,
                    Value ok, StringRef message, ValueRange values) {
  build(builder, state, CheckKindAttr::get(builder.getContext(), kind), ok,
        builder.getStringAttr(message), values);
}

LogicalResult CheckOp::verify() {
  // check [C1]
  StringRef text = getMessage();
  for (size_t open = text.find('{'); open != StringRef::npos;
       open = text.find('{', open + 1)) {
    size_t close = text.find('}', open);
    unsigned number;
    if (close == StringRef::npos ||
        text.slice(open + 1, close).getAsInteger(10, number))
      return emitOpError("expected a number in the braces of the message");
    if (number >= getValues().size())
      return emitOpError("message names value ")
             << number << " of " << getValues().size();
  }
  return success();
}

void CheckOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
}

//===----------------------------------------------------------------------===//
// ExternOp
//===----------------------------------------------------------------------===//

LogicalResult ExternOp::verify() {
  // extern [C1]
  if (getElements().size() != getInputs().size())
    return emitOpError("names the elements of ")
           << getElements().size() << " of " << getInputs().size() << " inputs";
  return success();
}

void ExternOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : (*this)->getOpOperands())
    if (isa<MemRefType>(operand.get().getType())) {
      if (isDpsInit(&operand))
        effects.emplace_back(MemoryEffects::Write::get(), &operand);
      else
        effects.emplace_back(MemoryEffects::Read::get(), &operand);
    }
}

YieldOp IndexSpaceOpInterface::getYield() {
  return cast<YieldOp>(getBodyBlock()->getTerminator());
}

#include "arrc/Dialect/Array/IR/ArrayInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "arrc/Dialect/Array/IR/ArrayOps.cpp.inc"
