//===- Combiner.cpp - The `by` region of folds ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/Combiner.h"

#include "arrc/Support/ArgCombiner.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// Creates the block with its arguments: accumulators, then values.
static Block *createBlock(Region &region, ArrayRef<Type> types, Location loc) {
  auto *block = new Block();
  region.push_back(block);
  for (int side = 0; side < 2; ++side)
    for (Type type : types)
      block->addArgument(type, loc);
  return block;
}

void arrc::buildCombiner(OpBuilder &builder, Location loc, Region &region,
                         ArrayRef<Type> types,
                         ArrayRef<CombinerOperator> operators,
                         StringRef yieldName) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = createBlock(region, types, loc);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(types)) {
    const CombinerOperator &by = operators[operators.size() == 1 ? 0 : i];
    OperationState state(loc, by.name.getValue());
    state.addOperands(
        {block->getArgument(i), block->getArgument(types.size() + i)});
    state.addTypes(type);
    if (by.flags != arith::FastMathFlags::none)
      state.addAttribute("fastmath", arith::FastMathFlagsAttr::get(
                                         builder.getContext(), by.flags));
    results.push_back(builder.create(state)->getResult(0));
  }
  OperationState yield(loc, yieldName);
  yield.addOperands(results);
  builder.create(yield);
}

/// One name of the short form, with its flags.
static ParseResult parseOperator(OpAsmParser &parser,
                                 arrc::CombinerOperator &by) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  MLIRContext *context = parser.getContext();
  auto [dialect, rest] = name.split('.');
  if (!context->getOrLoadDialect(dialect))
    return parser.emitError(loc, "unknown dialect of operator '")
           << name << "'";
  auto info = RegisteredOperationName::lookup(name, context);
  if (!info)
    return parser.emitError(loc, "unknown operator '") << name << "'";
  if (!info->hasTrait<OpTrait::NOperands<2>::Impl>() ||
      !info->hasTrait<OpTrait::OneResult>())
    return parser.emitError(loc, "operator '")
           << name << "' does not combine two values";
  by.name = StringAttr::get(context, name);
  if (failed(parser.parseOptionalKeyword("fastmath")))
    return success();
  SmallVector<StringRef> words;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parser.parseKeyword(&words.emplace_back());
      }))
    return failure();
  for (StringRef word : words) {
    auto flag = arith::symbolizeFastMathFlags(word);
    if (!flag)
      return parser.emitError(loc, "unknown fast-math flag '") << word << "'";
    by.flags = by.flags | *flag;
  }
  return success();
}

ParseResult arrc::parseCombiner(OpAsmParser &parser, Region &region,
                                ArrayRef<Type> types, StringRef yieldName) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen())) {
    SmallVector<OpAsmParser::Argument> arguments;
    auto parseOne = [&]() -> ParseResult {
      OpAsmParser::Argument &argument = arguments.emplace_back();
      return failure(parser.parseArgument(argument) ||
                     parser.parseColonType(argument.type));
    };
    if (parser.parseCommaSeparatedList(parseOne) || parser.parseRParen())
      return failure();
    return parser.parseRegion(region, arguments);
  }
  SmallVector<CombinerOperator> operators;
  do {
    if (parseOperator(parser, operators.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (operators.size() != 1 && operators.size() != types.size())
    return parser.emitError(loc, "expected one operator, or one for each of ")
           << types.size() << " accumulators";
  OpBuilder builder(parser.getContext());
  buildCombiner(builder, parser.getEncodedSourceLoc(loc), region, types,
                operators, yieldName);
  return success();
}

Operation *arrc::getCombinerOp(Region &region, unsigned position) {
  if (!region.hasOneBlock() || region.front().empty())
    return nullptr;
  Block &block = region.front();
  unsigned count = block.getNumArguments() / 2;
  Operation *yield = &block.back();
  if (block.getNumArguments() % 2 || yield->getNumOperands() != count)
    return nullptr;
  Operation *op = yield->getOperand(position).getDefiningOp();
  if (!op || op->getBlock() != &block || op->getNumOperands() != 2 ||
      op->getNumResults() != 1 || op->getNumRegions() ||
      op->getOperand(0) != block.getArgument(position) ||
      op->getOperand(1) != block.getArgument(count + position) ||
      op->getResult(0).getType() != block.getArgument(position).getType())
    return nullptr;
  // Others that see the value make one operator of all.
  if (!op->hasOneUse() || !block.getArgument(position).hasOneUse() ||
      !block.getArgument(count + position).hasOneUse())
    return nullptr;
  return op;
}

SmallVector<Operation *> arrc::getCombinerOps(Region &region) {
  if (!region.hasOneBlock() || region.front().empty())
    return {};
  unsigned count = region.getNumArguments() / 2;
  SmallVector<Operation *> ops;
  for (unsigned i = 0; i < count; ++i) {
    ops.push_back(getCombinerOp(region, i));
    if (!ops.back())
      return {};
  }
  if (region.front().getOperations().size() != count + 1)
    return {};
  return ops;
}

arrc::CombinerOperator arrc::toCombinerOperator(Operation *op) {
  arrc::CombinerOperator result{op->getName().getIdentifier()};
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    result.flags = fast.getFastMathFlagsAttr().getValue();
  return result;
}

std::optional<arith::AtomicRMWKind> arrc::getAtomicKind(Operation *op) {
  using Kind = arith::AtomicRMWKind;
  if (auto sum = dyn_cast<arith::AddFOp>(op))
    return bitEnumContainsAll(sum.getFastmath(), arith::FastMathFlags::reassoc)
               ? std::optional(Kind::addf)
               : std::nullopt;
  if (isa<arith::AddIOp>(op))
    return Kind::addi;
  if (isa<arith::MaxSIOp>(op))
    return Kind::maxs;
  if (isa<arith::MaxUIOp>(op))
    return Kind::maxu;
  if (isa<arith::MinSIOp>(op))
    return Kind::mins;
  if (isa<arith::MinUIOp>(op))
    return Kind::minu;
  if (isa<arith::OrIOp>(op))
    return Kind::ori;
  if (isa<arith::AndIOp>(op))
    return Kind::andi;
  if (isa<arith::XOrIOp>(op))
    return Kind::xori;
  return std::nullopt;
}

bool arrc::isCommutativeCombiner(Region &region) {
  unsigned count = region.getNumArguments() / 2;
  for (unsigned i = 0; i < count; ++i) {
    if (Operation *op = getCombinerOp(region, i)) {
      if (!op->hasTrait<OpTrait::IsCommutative>())
        return false;
    } else if (matchArgStep(region, i)) {
      ++i; // its index
    } else {
      return false;
    }
  }
  return count != 0;
}

/// The operation as a short form, if its attributes allow one.
static FailureOr<arrc::CombinerOperator> asOperator(Operation *op) {
  if (!op->isRegistered() || !op->hasTrait<OpTrait::NOperands<2>::Impl>())
    return failure();
  arrc::CombinerOperator by{op->getName().getIdentifier()};
  for (NamedAttribute attr : op->getAttrDictionary()) {
    if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attr.getValue())) {
      by.flags = flags.getValue();
      continue;
    }
    auto overflow = dyn_cast<arith::IntegerOverflowFlagsAttr>(attr.getValue());
    if (!overflow || overflow.getValue() != arith::IntegerOverflowFlags::none)
      return failure();
  }
  return by;
}

void arrc::printCombiner(OpAsmPrinter &printer, Region &region) {
  SmallVector<CombinerOperator> operators;
  for (Operation *op : getCombinerOps(region)) {
    FailureOr<CombinerOperator> by = asOperator(op);
    if (failed(by)) {
      operators.clear();
      break;
    }
    operators.push_back(*by);
  }
  if (operators.empty()) {
    printer << "(";
    llvm::interleaveComma(region.getArguments(), printer, [&](Value argument) {
      printer << argument << ": " << argument.getType();
    });
    printer << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
    return;
  }
  if (llvm::all_of(operators, [&](const CombinerOperator &by) {
        return by.name == operators[0].name && by.flags == operators[0].flags;
      }))
    operators.resize(1);
  llvm::interleaveComma(operators, printer, [&](const CombinerOperator &by) {
    printer << by.name.getValue();
    if (by.flags != arith::FastMathFlags::none)
      printer << " fastmath<" << arith::stringifyFastMathFlags(by.flags) << ">";
  });
}

SmallVector<Value> arrc::inlineCombiner(OpBuilder &builder, Region &region,
                                        ValueRange lhs, ValueRange rhs) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments().take_front(lhs.size()), lhs);
  mapping.map(block.getArguments().drop_front(lhs.size()), rhs);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

LogicalResult arrc::verifyCombiner(Operation *op, Region &region,
                                   TypeRange types) {
  if (!region.hasOneBlock())
    return op->emitOpError("expected an operator after 'by'");
  SmallVector<Type> twice(types);
  twice.append(types.begin(), types.end());
  if (TypeRange(region.getArgumentTypes()) != TypeRange(twice))
    return op->emitOpError(
        "the operator must take the accumulators, then as many values");
  if (region.front().back().getOperandTypes() != types)
    return op->emitOpError("the operator must yield one value for each "
                           "accumulator, of its type");
  return success();
}
