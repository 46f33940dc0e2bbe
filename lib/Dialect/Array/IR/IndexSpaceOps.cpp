//===- IndexSpaceOps.cpp - Operations with an index space -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Text and verifiers of map, stencil, reduce, scan, scatter and filter. What
// they share is written once, over their generated accessors. Builders stand in
// IndexSpaceBuilders.cpp.
//
//===----------------------------------------------------------------------===//

#include "IndexSpaceTypes.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;
using arrc::array::detail::scanTypes;
using arrc::array::detail::yieldOf;

SmallVector<std::string> array::detail::indexNames(ArrayAttr dims,
                                                   unsigned count) {
  SmallVector<std::string> names;
  for (unsigned i = 0; i < count; ++i)
    names.push_back(dims ? cast<StringAttr>(dims[i]).getValue().str()
                         : "d" + std::to_string(i));
  return names;
}

YieldOp array::detail::yieldOf(Block &block) {
  return cast<YieldOp>(block.getTerminator());
}

RankedTensorType array::getArrayOf(ArrayRef<int64_t> extents, Type element) {
  SmallVector<int64_t> shape(extents);
  if (auto inner = dyn_cast<RankedTensorType>(element)) {
    llvm::append_range(shape, inner.getShape());
    element = inner.getElementType();
  }
  return RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// What the parser keeps of `(%i "i") in (%n)`.
struct SpaceText {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  DenseI64ArrayAttr staticExtents;
  ArrayAttr dims;
};
} // namespace

/// `(%i "i", %j "j") in (%n, 4)`; all indices have names or none has.
static ParseResult parseSpace(OpAsmParser &parser, SpaceText &space) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> names;
  SMLoc loc = parser.getCurrentLocation();
  auto parseIndex = [&]() -> ParseResult {
    auto &index = space.indices.emplace_back();
    index.type = builder.getIndexType();
    std::string name;
    if (parser.parseArgument(index))
      return failure();
    if (succeeded(parser.parseOptionalString(&name)))
      names.push_back(builder.getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseIndex))
    return failure();
  if (!names.empty() && names.size() != space.indices.size())
    return parser.emitError(loc, "expected a name for every index or for none");
  if (!names.empty())
    space.dims = builder.getArrayAttr(names);
  return failure(parser.parseKeyword("in") ||
                 parseDynamicIndexList(parser, space.extents,
                                       space.staticExtents, nullptr,
                                       AsmParser::Delimiter::Paren));
}

/// Values, then their types, in parentheses: `(%z, %w : f32, i64)`.
static ParseResult
parseTypedValues(OpAsmParser &parser,
                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                 SmallVectorImpl<Type> &types) {
  return failure(parser.parseLParen() || parser.parseOperandList(values) ||
                 parser.parseColonTypeList(types) || parser.parseRParen());
}

/// Optional attributes, then the body.
static ParseResult parseBody(OpAsmParser &parser, OperationState &state,
                             SpaceText &space) {
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), space.indices));
}

/// Puts the extents into the operation.
template <typename OpTy>
static ParseResult finishSpace(OpAsmParser &parser, OperationState &state,
                               SpaceText &space) {
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  properties.static_extents = space.staticExtents;
  properties.dims = space.dims;
  return parser.resolveOperands(
      space.extents, parser.getBuilder().getIndexType(), state.operands);
}

template <typename OpTy> static void printSpace(OpAsmPrinter &p, OpTy op) {
  p << " (";
  llvm::interleaveComma(llvm::enumerate(op.getBody().getArguments()), p,
                        [&](auto item) {
                          p << item.value();
                          if (ArrayAttr dims = op.getDimsAttr())
                            p << " " << dims[item.index()];
                        });
  p << ") in ";
  printDynamicIndexList(p, op, op.getExtents(), op.getStaticExtents(),
                        TypeRange(), AsmParser::Delimiter::Paren);
}

static void printTypedValues(OpAsmPrinter &p, ValueRange values) {
  p << "(" << values << " : " << values.getTypes() << ")";
}

/// Optional attributes, then the body.
template <typename OpTy> static void printBody(OpAsmPrinter &p, OpTy op) {
  p.printOptionalAttrDictWithKeyword(
      op->getAttrs(), {"static_extents", "dims", "reach", "exclusive", "oob",
                       "operandSegmentSizes"});
  p << " ";
  p.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Shared verifiers
//===----------------------------------------------------------------------===//

/// What holds for every index space, whatever the operation.
template <typename OpTy> static LogicalResult verifySpace(OpTy op) {
  ArrayRef<int64_t> extents = op.getStaticExtents();
  if (failed(verifyListOfOperandsOrIntegers(op, "extent", extents.size(),
                                            extents, op.getExtents())))
    return failure();
  if (llvm::any_of(extents, [](int64_t extent) {
        return extent < 0 && !ShapedType::isDynamic(extent);
      }))
    return op.emitOpError("expected extents that are not negative");
  if (op.getDims() && op.getDims()->size() != extents.size())
    return op.emitOpError("expected one name for each of ")
           << extents.size() << " indices";
  Block &body = op.getBody().front();
  if (body.getNumArguments() != extents.size() ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return op.emitOpError("expected one index argument for each of ")
           << extents.size() << " extents";
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op.emitOpError("expected a body that ends in 'array.yield'");
  if (!isa<ScatterOp>(op.getOperation()) && yield.getNumIndices())
    return yield.emitOpError("gives an index outside of a scatter");
  return success();
}

/// Yielded values and accumulators agree, and the operator fits them.
template <typename OpTy> static LogicalResult verifyFold(OpTy op) {
  TypeRange types = op.getInit().getTypes();
  if (TypeRange(yieldOf(op.getBody().front()).getValues()) != types)
    return op.emitOpError("yields values that differ in number or type from "
                          "the initial values");
  return verifyCombiner(op, op.getCombiner(), types);
}

//===----------------------------------------------------------------------===//
// map and stencil
//===----------------------------------------------------------------------===//

/// `reach [-1 to 1, 0 to 0]`.
static ParseResult parseReach(OpAsmParser &parser, DenseI64ArrayAttr &reach) {
  SmallVector<int64_t> bounds;
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseInteger(bounds.emplace_back()) ||
                   parser.parseKeyword("to") ||
                   parser.parseInteger(bounds.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  reach = parser.getBuilder().getDenseI64ArrayAttr(bounds);
  return success();
}

template <typename OpTy>
static ParseResult parseMapLike(OpAsmParser &parser, OperationState &state) {
  SpaceText space;
  if (parseSpace(parser, space))
    return failure();
  if constexpr (std::is_same_v<OpTy, StencilOp>)
    if (succeeded(parser.parseOptionalKeyword("reach")) &&
        parseReach(parser,
                   state.getOrAddProperties<StencilOp::Properties>().reach))
      return failure();
  return failure(parseBody(parser, state, space) ||
                 parser.parseColonTypeList(state.types) ||
                 finishSpace<OpTy>(parser, state, space));
}

template <typename OpTy> static void printMapLike(OpAsmPrinter &p, OpTy op) {
  printSpace(p, op);
  if constexpr (std::is_same_v<OpTy, StencilOp>)
    if (auto reach = op.getReach()) {
      p << " reach [";
      llvm::interleaveComma(
          llvm::seq<size_t>(0, reach->size() / 2), p, [&](size_t i) {
            p << (*reach)[2 * i] << " to " << (*reach)[2 * i + 1];
          });
      p << "]";
    }
  printBody(p, op);
  p << " : ";
  llvm::interleaveComma(op.getResultTypes(), p);
}

template <typename OpTy> static LogicalResult verifyMapLike(OpTy op) {
  if (failed(verifySpace(op)))
    return failure();
  // map [C1], stencil [C1]
  auto values = yieldOf(op.getBody().front()).getValues();
  if (values.size() != op.getNumResults())
    return op.emitOpError("yields ") << values.size() << " values for "
                                     << op.getNumResults() << " results";
  for (auto [value, result] : llvm::zip(values, op.getResultTypes())) {
    Type expected = getArrayOf(op.getStaticExtents(), value.getType());
    if (expected != result)
      return op.emitOpError("result type ")
             << result
             << " is not the extents, then the yielded type: " << expected;
  }
  return success();
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseMapLike<MapOp>(parser, state);
}
void MapOp::print(OpAsmPrinter &p) { printMapLike(p, *this); }
LogicalResult MapOp::verify() { return verifyMapLike(*this); }

ParseResult StencilOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseMapLike<StencilOp>(parser, state);
}
void StencilOp::print(OpAsmPrinter &p) { printMapLike(p, *this); }

LogicalResult StencilOp::verify() {
  // stencil [C2]; that it covers the reads is what arr-check-stencils proves.
  if (auto reach = getReach()) {
    if (reach->size() != 2 * getStaticExtents().size())
      return emitOpError("expected an interval in 'reach' for every index");
    for (size_t i = 0; i < reach->size(); i += 2)
      if ((*reach)[i] > (*reach)[i + 1])
        return emitOpError("expected intervals in 'reach' that are not empty");
  }
  return verifyMapLike(*this);
}

//===----------------------------------------------------------------------===//
// reduce and scan
//===----------------------------------------------------------------------===//

/// `(..) in (..) init (..) [exclusive] { .. } by ..`; leaves out result types.
template <typename OpTy>
static ParseResult parseFold(OpAsmParser &parser, OperationState &state,
                             SmallVectorImpl<Type> &types) {
  SpaceText space;
  SmallVector<OpAsmParser::UnresolvedOperand> init;
  if (parseSpace(parser, space) || parser.parseKeyword("init"))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseTypedValues(parser, init, types))
    return failure();
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  if constexpr (std::is_same_v<OpTy, ScanOp>)
    if (succeeded(parser.parseOptionalKeyword("exclusive")))
      properties.exclusive = parser.getBuilder().getUnitAttr();
  if (parseBody(parser, state, space) || parser.parseKeyword("by") ||
      parseCombiner(parser, *state.addRegion(), types, "array.yield") ||
      finishSpace<OpTy>(parser, state, space))
    return failure();
  properties.operandSegmentSizes = {static_cast<int32_t>(space.extents.size()),
                                    static_cast<int32_t>(init.size())};
  return parser.resolveOperands(init, types, loc, state.operands);
}

template <typename OpTy> static void printFold(OpAsmPrinter &p, OpTy op) {
  printSpace(p, op);
  p << " init ";
  printTypedValues(p, op.getInit());
  if constexpr (std::is_same_v<OpTy, ScanOp>)
    if (op.getExclusive())
      p << " exclusive";
  printBody(p, op);
  p << " by ";
  printCombiner(p, op.getCombiner());
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<Type> types;
  if (parseFold<ReduceOp>(parser, state, types))
    return failure();
  state.addTypes(types);
  return success();
}

void ReduceOp::print(OpAsmPrinter &p) { printFold(p, *this); }

LogicalResult ReduceOp::verify() {
  if (failed(verifySpace(*this)))
    return failure();
  // reduce [C1]
  if (getResultTypes() != getInit().getTypes())
    return emitOpError("results differ in number or type from the initial "
                       "values");
  return verifyFold(*this);
}

SmallVector<Type> array::detail::scanTypes(ArrayRef<int64_t> extents,
                                           TypeRange types) {
  SmallVector<Type> all;
  for (Type type : types)
    all.push_back(getArrayOf(extents, type));
  llvm::append_range(all, types);
  return all;
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<Type> types;
  if (parseFold<ScanOp>(parser, state, types))
    return failure();
  state.addTypes(
      scanTypes(state.getOrAddProperties<Properties>().static_extents, types));
  return success();
}

void ScanOp::print(OpAsmPrinter &p) { printFold(p, *this); }

LogicalResult ScanOp::verify() {
  if (failed(verifySpace(*this)))
    return failure();
  // scan [C2]
  if (getStaticExtents().size() != 1)
    return emitOpError("expected an index space of one dimension");
  // scan [C1]
  if (TypeRange(getResultTypes()) !=
      TypeRange(scanTypes(getStaticExtents(), getInit().getTypes())))
    return emitOpError("results differ in number or type from the prefixes and "
                       "totals of the initial values");
  return verifyFold(*this);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// The type of a value put into `array` at an index of `depth` dimensions.
static Type elementBelow(RankedTensorType array, unsigned depth) {
  if (depth == array.getRank())
    return array.getElementType();
  return RankedTensorType::get(array.getShape().drop_front(depth),
                               array.getElementType());
}

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &state) {
  SpaceText space;
  SmallVector<OpAsmParser::UnresolvedOperand> into;
  SmallVector<Type> types;
  SMLoc loc;
  if (parseSpace(parser, space) || parser.parseKeyword("into") ||
      parser.getCurrentLocation(&loc) ||
      parseTypedValues(parser, into, types) || parseBody(parser, state, space))
    return failure();
  Region *combiner = state.addRegion();
  if (succeeded(parser.parseOptionalKeyword("by"))) {
    // The operator takes what the body yields, which is known by now.
    Region &body = *state.regions[0];
    auto yield = dyn_cast_or_null<YieldOp>(
        body.empty() || body.front().empty() ? nullptr : &body.front().back());
    if (!yield)
      return parser.emitError(loc, "expected a body that ends in a yield");
    SmallVector<Type> values(yield.getValues().getTypes());
    if (parseCombiner(parser, *combiner, values, "array.yield"))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("oob"))) {
    StringRef word;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    auto oob = symbolizeOutOfBounds(word);
    if (!oob)
      return parser.emitError(at, "expected 'fail', 'drop' or 'clamp'");
    state.getOrAddProperties<Properties>().oob =
        OutOfBoundsAttr::get(parser.getContext(), *oob);
  }
  if (finishSpace<ScatterOp>(parser, state, space))
    return failure();
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(space.extents.size()),
      static_cast<int32_t>(into.size())};
  state.addTypes(types);
  return parser.resolveOperands(into, types, loc, state.operands);
}

void ScatterOp::print(OpAsmPrinter &p) {
  printSpace(p, *this);
  p << " into ";
  printTypedValues(p, getInto());
  printBody(p, *this);
  if (!getCombiner().empty()) {
    p << " by ";
    printCombiner(p, getCombiner());
  }
  if (getOob() != OutOfBounds::Fail)
    p << " oob " << stringifyOutOfBounds(getOob());
}

LogicalResult ScatterOp::verify() {
  if (failed(verifySpace(*this)))
    return failure();
  YieldOp yield = yieldOf(getBody().front());
  // scatter [C2]
  unsigned depth = yield.getIndices().size();
  if (depth == 0)
    return emitOpError("expected an index in the yield");
  for (Value array : getInto())
    if (depth > cast<RankedTensorType>(array.getType()).getRank())
      return emitOpError("yields an index of ")
             << depth << " dimensions into " << array.getType();
  // scatter [C1]
  if (getResultTypes() != getInto().getTypes() ||
      yield.getValues().size() != getInto().size())
    return emitOpError("results and yielded values must be one for each array");
  for (auto [value, array] : llvm::zip(yield.getValues(), getInto())) {
    Type expected =
        elementBelow(cast<RankedTensorType>(array.getType()), depth);
    if (value.getType() != expected)
      return emitOpError("yields ") << value.getType() << " where the array "
                                    << array.getType() << " takes " << expected;
  }
  if (getCombiner().empty())
    return success();
  return verifyCombiner(*this, getCombiner(), yield.getValues().getTypes());
}

//===----------------------------------------------------------------------===//
// filter
//===----------------------------------------------------------------------===//

ParseResult FilterOp::parse(OpAsmParser &parser, OperationState &state) {
  SpaceText space;
  state.addTypes(parser.getBuilder().getIndexType());
  return failure(parseSpace(parser, space) || parseBody(parser, state, space) ||
                 parser.parseOptionalColonTypeList(state.types) ||
                 finishSpace<FilterOp>(parser, state, space));
}

void FilterOp::print(OpAsmPrinter &p) {
  printSpace(p, *this);
  printBody(p, *this);
  if (!getArrays().empty())
    p << " : " << getArrays().getTypes();
}

LogicalResult FilterOp::verify() {
  if (failed(verifySpace(*this)))
    return failure();
  // filter [C2]
  if (getStaticExtents().size() != 1)
    return emitOpError("expected an index space of one dimension");
  // filter [C1]
  auto values = yieldOf(getBody().front()).getValues();
  if (values.empty() || !values.front().getType().isInteger(1))
    return emitOpError("expected a body that yields first whether it keeps");
  if (values.size() != getNumResults())
    return emitOpError("yields ") << values.size() - 1 << " values for "
                                  << getArrays().size() << " arrays";
  // filter [C3]
  for (auto [value, array] :
       llvm::zip(values.drop_front(), getArrays().getTypes())) {
    Type expected = getArrayOf(ShapedType::kDynamic, value.getType());
    if (expected != array)
      return emitOpError("result type ")
             << array << " is not '?', then the yielded type: " << expected;
  }
  return success();
}
