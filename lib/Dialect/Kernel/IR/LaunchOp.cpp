//===- LaunchOp.cpp - kernel.launch
//----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Type LaunchOp::getArgumentType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return type;
}

void LaunchOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     ValueRange inputs, ValueRange outs,
                     ArrayRef<SmallVector<int64_t>> sizes, Value flag) {
  state.addOperands(inputs);
  state.addOperands(outs);
  if (flag)
    state.addOperands(flag);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(outs.size()),
                                    flag ? 1 : 0};
  properties.kernel_name = builder.getStringAttr(name);
  SmallVector<Attribute> lists;
  for (const SmallVector<int64_t> &list : sizes)
    lists.push_back(builder.getDenseI64ArrayAttr(list));
  properties.sizes = builder.getArrayAttr(lists);
  for (Value out : outs)
    if (isa<RankedTensorType>(out.getType()))
      state.addTypes(out.getType());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion());
  for (ValueRange operands : {inputs, outs})
    for (Value operand : operands)
      block->addArgument(getArgumentType(operand.getType()), operand.getLoc());
  LaunchOp::ensureTerminator(*state.regions.front(), builder, state.location);
}

//===----------------------------------------------------------------------===//
// Arguments and sizes
//===----------------------------------------------------------------------===//

BlockArgument LaunchOp::getArgumentOf(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  if (number >= getBodyBlock()->getNumArguments())
    return {};
  return getArgument(number);
}

ArrayRef<int64_t> LaunchOp::getSizesOf(unsigned index) {
  return cast<DenseI64ArrayAttr>(getSizes()[index]).asArrayRef();
}

OpFoldResult LaunchOp::getSize(BlockArgument argument, unsigned dim) {
  auto type = cast<MemRefType>(argument.getType());
  if (!type.isDynamicDim(dim))
    return Builder(getContext()).getIndexAttr(type.getDimSize(dim));
  return getArgument(getSizesOf(argument.getArgNumber())[dim]);
}

OpFoldResult LaunchOp::getOuterSize(unsigned index, unsigned dim) {
  auto size = getSize(getArgument(index), dim);
  if (auto argument = dyn_cast<Value>(size))
    return getOperandOf(cast<BlockArgument>(argument)).get();
  return size;
}

StringRef LaunchOp::getArgName(unsigned index) {
  std::optional<ArrayAttr> names = getArgNames();
  if (!names || index >= names->size())
    return "";
  return cast<StringAttr>((*names)[index]).getValue();
}

void LaunchOp::setArgName(unsigned index, StringRef name) {
  SmallVector<StringRef> names;
  for (unsigned i = 0, e = getBodyBlock()->getNumArguments(); i < e; ++i)
    names.push_back(i == index ? name : getArgName(i));
  setArgNamesAttr(Builder(getContext()).getStrArrayAttr(names));
}

BlockArgument LaunchOp::addInput(Value operand, ArrayRef<int64_t> sizes,
                                 StringRef name, Type type) {
  unsigned position = getNumInputs();
  Builder builder(getContext());
  SmallVector<Attribute> lists;
  SmallVector<StringRef> names;
  unsigned count = getBodyBlock()->getNumArguments();
  for (unsigned i = 0; i <= count; ++i) {
    if (i == position) {
      lists.push_back(builder.getDenseI64ArrayAttr(sizes));
      names.push_back(name);
    }
    if (i < count) {
      lists.push_back(getSizes()[i]);
      names.push_back(getArgName(i));
    }
  }
  getInputsMutable().append(operand);
  BlockArgument argument = getBodyBlock()->insertArgument(
      position, type ? type : getArgumentType(operand.getType()),
      operand.getLoc());
  // Arguments behind the new one have moved by one.
  for (auto [i, list] : llvm::enumerate(lists)) {
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    SmallVector<int64_t> numbers(cast<DenseI64ArrayAttr>(list).asArrayRef());
    for (auto [dim, number] : llvm::enumerate(numbers))
      if (memref && memref.isDynamicDim(dim) && number >= position)
        ++number;
    list = builder.getDenseI64ArrayAttr(numbers);
  }
  setSizesAttr(builder.getArrayAttr(lists));
  if (getArgNames() || !name.empty())
    setArgNamesAttr(builder.getStrArrayAttr(names));
  if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes()) {
    SmallVector<int64_t> moved(*numbers);
    for (int64_t &number : moved)
      number += number >= position;
    setVersionSizes(moved);
  }
  return argument;
}

void LaunchOp::eraseArguments(const llvm::BitVector &which) {
  Builder builder(getContext());
  unsigned count = getBodyBlock()->getNumArguments();
  SmallVector<int64_t> renumbered(count, -1);
  SmallVector<Attribute> lists;
  SmallVector<StringRef> names;
  int64_t next = 0;
  for (unsigned i = 0; i < count; ++i)
    if (!which[i])
      renumbered[i] = next++;
  for (unsigned i = 0; i < count; ++i) {
    if (which[i])
      continue;
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    SmallVector<int64_t> numbers(getSizesOf(i));
    for (auto [dim, number] : llvm::enumerate(numbers))
      if (memref && memref.isDynamicDim(dim)) {
        assert(renumbered[number] >= 0 && "a kept argument names this size");
        number = renumbered[number];
      }
    lists.push_back(builder.getDenseI64ArrayAttr(numbers));
    names.push_back(getArgName(i));
  }
  if (getArgNames())
    setArgNamesAttr(builder.getStrArrayAttr(names));
  if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes()) {
    SmallVector<int64_t> moved;
    for (int64_t number : *numbers)
      moved.push_back(renumbered[number]);
    setVersionSizes(moved);
  }
  unsigned inputs = getNumInputs();
  for (unsigned i = count; i-- > 0;) {
    if (!which[i])
      continue;
    assert((i < inputs || isa<MemRefType>(getOperand(i).getType())) &&
           "a tensor out has a result");
    getBodyBlock()->eraseArgument(i);
    if (i < inputs)
      getInputsMutable().erase(i);
    else
      getOutsMutable().erase(i - inputs);
  }
  setSizesAttr(builder.getArrayAttr(lists));
}

bool LaunchOp::isScheduled() {
  return getBody()
      .walk([](ForOp loop) {
        return loop.getLevelAttr() ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult LaunchOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  unsigned index = getNumInputs();
  for (Value out : getOuts()) {
    if (auto type = dyn_cast<RankedTensorType>(out.getType())) {
      SmallVector<OpFoldResult> shape;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (!type.isDynamicDim(dim)) {
          shape.push_back(builder.getIndexAttr(type.getDimSize(dim)));
          continue;
        }
        OpFoldResult size = getOuterSize(index, dim);
        shape.push_back(
            getValueOrCreateConstantIndexOp(builder, getLoc(), size));
      }
      shapes.push_back(std::move(shape));
    }
    ++index;
  }
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input,
                           SideEffects::DefaultResource::get());
  for (OpOperand &flag : getFlagMutable())
    if (isa<MemRefType>(flag.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &flag,
                           SideEffects::DefaultResource::get());
  for (OpOperand &out : getOutsMutable()) {
    if (!isa<MemRefType>(out.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &out,
                         SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), &out,
                         SideEffects::DefaultResource::get());
  }
  // An index that is never read needs no error; an assert is always heard.
  bool asserts = getBody()
                     .walk([](CheckOp check) {
                       return check.getKind() == CheckKind::Assert
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (asserts)
    effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void LaunchOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    StringRef name = getArgName(argument.getArgNumber());
    if (!name.empty())
      setName(argument, name);
  }
}

namespace {

/// One entry of the operand lists, before names are resolved.
struct ParsedArgument {
  OpAsmParser::Argument argument;
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  StringRef name;
  struct Size {
    std::optional<int64_t> number;
    OpAsmParser::UnresolvedOperand value;
  };
  SmallVector<Size> sizes;
};

} // namespace

/// `%X "name"[%N, 4] = %x : tensor<?x4xf32> as memref<?x4xf32>`
static ParseResult parseArgument(OpAsmParser &parser, ParsedArgument &parsed) {
  std::string name;
  if (parser.parseArgument(parsed.argument))
    return failure();
  parsed.name = parsed.argument.ssaName.name.drop_front();
  if (succeeded(parser.parseOptionalString(&name)))
    parsed.name = StringAttr::get(parser.getContext(), name).getValue();
  if (!parsed.name.empty() && llvm::isDigit(parsed.name.front()))
    parsed.name = "";
  auto parseSize = [&]() -> ParseResult {
    ParsedArgument::Size &size = parsed.sizes.emplace_back();
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      size.number = number;
      return *isNumber;
    }
    return parser.parseOperand(size.value);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare,
                                     parseSize) ||
      parser.parseEqual() || parser.parseOperand(parsed.operand) ||
      parser.parseColonType(parsed.type))
    return failure();
  parsed.argument.type = LaunchOp::getArgumentType(parsed.type);
  if (succeeded(parser.parseOptionalKeyword("as")))
    return parser.parseType(parsed.argument.type);
  return success();
}

ParseResult LaunchOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder builder(parser.getContext());
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  state.addAttribute("kernel_name", name);

  SmallVector<ParsedArgument> parsed;
  auto parseOne = [&] { return parseArgument(parser, parsed.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  size_t inputs = parsed.size();
  if (succeeded(parser.parseOptionalKeyword("outs")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> sizes, names;
  auto findArgument = [&](const OpAsmParser::UnresolvedOperand &value,
                          int64_t &number) -> ParseResult {
    for (auto [i, entry] : llvm::enumerate(parsed))
      if (entry.argument.ssaName.name == value.name &&
          entry.argument.ssaName.number == value.number) {
        number = i;
        return success();
      }
    return parser.emitError(value.location,
                            "a size must be an argument of the launch");
  };
  for (auto [i, entry] : llvm::enumerate(parsed)) {
    SmallVector<int64_t> numbers;
    for (const ParsedArgument::Size &size : entry.sizes) {
      int64_t number = size.number.value_or(0);
      if (!size.number && findArgument(size.value, number))
        return failure();
      auto memref = dyn_cast<MemRefType>(entry.argument.type);
      size_t dim = numbers.size();
      if (memref && dim < static_cast<size_t>(memref.getRank()) &&
          memref.isDynamicDim(dim) == size.number.has_value())
        return parser.emitError(
            entry.argument.ssaName.location,
            "[C6] a size is named by an argument of the launch where it is "
            "dynamic, and a number where it is not");
      numbers.push_back(number);
    }
    sizes.push_back(builder.getDenseI64ArrayAttr(numbers));
    names.push_back(builder.getStringAttr(entry.name));
    arguments.push_back(entry.argument);
    if (parser.resolveOperand(entry.operand, entry.type, state.operands))
      return failure();
    if (i >= inputs && isa<RankedTensorType>(entry.type))
      state.addTypes(entry.type);
  }
  state.addAttribute("sizes", builder.getArrayAttr(sizes));
  if (llvm::any_of(names, [](Attribute attr) {
        return !cast<StringAttr>(attr).empty();
      }))
    state.addAttribute("arg_names", builder.getArrayAttr(names));

  int32_t flags = 0;
  if (succeeded(parser.parseOptionalKeyword("if"))) {
    OpAsmParser::UnresolvedOperand flag;
    Type type;
    if (parser.parseLParen() || parser.parseOperand(flag) ||
        parser.parseColonType(type) || parser.parseRParen() ||
        parser.resolveOperand(flag, type, state.operands))
      return failure();
    flags = 1;
  }
  state.addAttribute(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr(
          {static_cast<int32_t>(inputs),
           static_cast<int32_t>(parsed.size() - inputs), flags}));

  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    ScheduleAttr schedule;
    if (parser.parseAttribute(schedule))
      return failure();
    state.addAttribute("schedule", schedule);
  }
  if (succeeded(parser.parseOptionalKeyword("versions"))) {
    SmallVector<Attribute> versions;
    SmallVector<int64_t> numbers;
    auto parseVersion = [&]() -> ParseResult {
      Attribute version = VersionAttr::parse(parser, {});
      versions.push_back(version);
      return success(static_cast<bool>(version));
    };
    auto parseSize = [&]() -> ParseResult {
      OpAsmParser::UnresolvedOperand value;
      return failure(parser.parseOperand(value) ||
                     findArgument(value, numbers.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseVersion))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("of")) &&
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseSize))
      return failure();
    state.addAttribute("versions", builder.getArrayAttr(versions));
    state.addAttribute("version_sizes", builder.getDenseI64ArrayAttr(numbers));
  }
  Region *body = state.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, state.location);
  return success();
}

void LaunchOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getKernelName());
  auto printArgument = [&](unsigned index) {
    BlockArgument argument = getArgument(index);
    std::string text;
    llvm::raw_string_ostream os(text);
    printer.printOperand(argument, os);
    printer << text;
    // A name that was taken prints apart from the value's.
    StringRef name = getArgName(index);
    if (!name.empty() && StringRef(text).drop_front() != name)
      printer << " \"" << name << "\"";
    if (auto memref = dyn_cast<MemRefType>(argument.getType());
        memref && memref.getRank()) {
      printer << "[";
      ArrayRef<int64_t> sizes = getSizesOf(index);
      for (auto [dim, size] : llvm::enumerate(sizes)) {
        if (dim)
          printer << ", ";
        if (memref.isDynamicDim(dim))
          printer << getArgument(size);
        else
          printer << size;
      }
      printer << "]";
    }
    Value operand = getOperand(index);
    printer << " = " << operand << " : " << operand.getType();
    if (getArgumentType(operand.getType()) != argument.getType())
      printer << " as " << argument.getType();
  };
  auto printArguments = [&](unsigned first, unsigned count) {
    printer << " (";
    llvm::interleaveComma(llvm::seq(first, first + count), printer,
                          printArgument);
    printer << ")";
  };
  printArguments(0, getNumInputs());
  if (!getOuts().empty()) {
    printer << " outs";
    printArguments(getNumInputs(), getOuts().size());
  }
  if (Value flag = getFlag())
    printer << " if (" << flag << " : " << flag.getType() << ")";
  if (ScheduleAttr schedule = getScheduleAttr())
    printer << " schedule " << schedule;
  if (std::optional<ArrayAttr> versions = getVersions()) {
    printer << " versions [";
    llvm::interleaveComma(*versions, printer, [&](Attribute version) {
      cast<VersionAttr>(version).print(printer);
    });
    printer << "]";
    if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes();
        numbers && !numbers->empty()) {
      printer << " of (";
      llvm::interleaveComma(*numbers, printer,
                            [&](int64_t n) { printer << getArgument(n); });
      printer << ")";
    }
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"kernel_name", "sizes", "arg_names",
                                            "operandSegmentSizes", "schedule",
                                            "versions", "version_sizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// launch [C1]: whether `argument` may stand for `operand`.
static bool isArgumentOf(Type operand, Type argument) {
  auto shaped = dyn_cast<ShapedType>(operand);
  auto memref = dyn_cast<MemRefType>(argument);
  if (!shaped || !memref)
    return operand == argument;
  if (shaped.getRank() != memref.getRank() ||
      shaped.getElementType() != memref.getElementType())
    return false;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (!memref.isDynamicDim(dim) &&
        memref.getDimSize(dim) != shaped.getDimSize(dim))
      return false;
  auto buffer = dyn_cast<MemRefType>(operand);
  if (!buffer)
    return memref.getLayout().isIdentity();
  if (memref.getLayout().isIdentity())
    return buffer.getLayout().isIdentity();
  SmallVector<int64_t> from, to;
  int64_t fromOffset, toOffset;
  if (failed(buffer.getStridesAndOffset(from, fromOffset)) ||
      failed(memref.getStridesAndOffset(to, toOffset)))
    return false;
  from.push_back(fromOffset);
  to.push_back(toOffset);
  for (auto [a, b] : llvm::zip(from, to))
    if (b != a && b != ShapedType::kDynamic)
      return false;
  return true;
}

/// launch [C3]
static bool mayBeInLaunch(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (llvm::is_contained({"arith", "math", "complex", "scf", "ub"}, dialect))
    return true;
  if (dialect == "kernel")
    return !isa<LaunchOp, IterateOp>(op);
  return llvm::is_contained(
      {"affine.apply", "affine.min", "affine.max", "array.assume"},
      op->getName().getStringRef());
}

LogicalResult LaunchOp::verify() {
  Block *block = getBodyBlock();
  unsigned count = getInputs().size() + getOuts().size();
  // launch [C1]
  if (block->getNumArguments() != count)
    return emitOpError("[C1] needs one argument an operand");
  for (unsigned i = 0; i < count; ++i)
    if (!isArgumentOf(getOperand(i).getType(), getArgument(i).getType()))
      return emitOpError("[C1] argument ")
             << i << " of type " << getArgument(i).getType()
             << " cannot stand for " << getOperand(i).getType();
  // launch [C2]
  SmallVector<Type> results;
  for (Value out : getOuts())
    if (isa<RankedTensorType>(out.getType()))
      results.push_back(out.getType());
  if (TypeRange(results) != getResultTypes())
    return emitOpError("[C2] needs one result a tensor among the outs");
  // launch [C6]
  if (getSizes().size() != count)
    return emitOpError("[C6] needs the sizes of each argument");
  for (unsigned i = 0; i < count; ++i) {
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    ArrayRef<int64_t> numbers = getSizesOf(i);
    if (static_cast<int64_t>(numbers.size()) != (memref ? memref.getRank() : 0))
      return emitOpError("[C6] the brackets of argument ")
             << i << " must name each of its dimensions";
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      if (!memref.isDynamicDim(dim)) {
        if (number != memref.getDimSize(dim))
          return emitOpError("[C6] argument ")
                 << i << " has size " << memref.getDimSize(dim) << ", not "
                 << number;
      } else if (number < 0 || number >= count ||
                 !getArgument(number).getType().isIndex()) {
        return emitOpError("[C6] a dynamic size of argument ")
               << i << " must be an 'index' argument of the launch";
      }
    }
  }
  if (getArgNames() && getArgNames()->size() != count)
    return emitOpError("needs a name for each argument, or for none");
  // launch [C3]
  Operation *foreign = nullptr;
  getBody().walk([&](Operation *op) {
    if (mayBeInLaunch(op))
      return WalkResult::advance();
    foreign = op;
    return WalkResult::interrupt();
  });
  if (foreign)
    return foreign->emitOpError("[C3] cannot stand in a launch");
  // launch [C4], [C5]
  auto roots = block->getOps<ForOp>();
  bool scheduled = isScheduled();
  for (ForOp root : roots)
    if (scheduled && !root.getLevelAttr())
      return root.emitOpError("[C5] with levels, each root loop has one");
  // What runs once, after the blocks, may be a launch of its own.
  auto atBlock = [](ForOp root) {
    return root.getLevelKind() == LevelKind::Block;
  };
  bool runsOnce = scheduled && llvm::none_of(roots, atBlock);
  for (Operation &op : *block) {
    if (roots.empty() || runsOnce || isa<ForOp>(op))
      break;
    if (isa<StoreOp, UpdateOp>(op))
      return op.emitOpError("[C4] writes before the first root loop");
  }
  if (std::optional<ArrayAttr> versions = getVersions()) {
    if (getSchedule())
      return emitOpError("has a schedule or versions, not both");
    unsigned symbols = getVersionSizes() ? getVersionSizes()->size() : 0;
    for (auto [i, attr] : llvm::enumerate(*versions)) {
      IntegerSetAttr when = cast<VersionAttr>(attr).getWhen();
      if (static_cast<bool>(when) == (i + 1 == versions->size()))
        return emitOpError("every version but the last has a condition");
      if (when && (when.getValue().getNumDims() ||
                   when.getValue().getNumSymbols() != symbols))
        return emitOpError("the condition of version ")
               << i << " needs one symbol for each size after 'of'";
    }
    if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes())
      for (int64_t number : *numbers)
        if (number < 0 || number >= count ||
            !getArgument(number).getType().isIndex())
          return emitOpError("the sizes after 'of' are 'index' arguments");
  }
  return success();
}
