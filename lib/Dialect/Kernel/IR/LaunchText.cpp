//===- LaunchText.cpp - How kernel.launch is written ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace arrc::kernel;

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
