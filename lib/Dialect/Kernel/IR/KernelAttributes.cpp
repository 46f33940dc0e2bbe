//===- KernelAttributes.cpp - Levels, edges and schedules -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DigitText.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc::kernel;

#include "arrc/Dialect/Kernel/IR/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "arrc/Dialect/Kernel/IR/KernelAttrs.cpp.inc"

void KernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "arrc/Dialect/Kernel/IR/KernelAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Levels and edges
//===----------------------------------------------------------------------===//

FailureOr<LevelAttr> LevelAttr::parseBare(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  auto [name, suffix] = word.split('.');
  std::optional<LevelKind> kind = symbolizeLevelKind(name);
  if (!kind)
    return parser.emitError(loc, "unknown level '") << word << "'";
  unsigned axis = 0;
  bool takesAxis = *kind == LevelKind::Block || *kind == LevelKind::Thread;
  if (takesAxis == suffix.empty())
    return parser.emitError(loc, takesAxis ? "expected a number after the level"
                                           : "this level takes no number");
  if (takesAxis) {
    size_t letter = StringRef("xyz").find(suffix);
    if (suffix.size() == 1 && letter != StringRef::npos)
      axis = letter;
    else if (*kind == LevelKind::Thread || suffix.getAsInteger(10, axis))
      return parser.emitError(loc, "unknown level '") << word << "'";
  }
  return LevelAttr::get(parser.getContext(), *kind, axis);
}

void LevelAttr::printBare(AsmPrinter &printer) const {
  printer << stringifyLevelKind(getKind());
  if (isBlock())
    printer << "." << getAxis();
  if (isThread())
    printer << "." << StringRef("xyz").substr(getAxis(), 1);
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<LevelAttr> level = parseBare(parser);
  if (failed(level) || parser.parseGreater())
    return {};
  return *level;
}

void LevelAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBare(printer);
  printer << ">";
}

Attribute EdgesAttr::parse(AsmParser &parser, Type) {
  SmallVector<EdgeMode> modes;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<EdgeMode> mode = symbolizeEdgeMode(word);
    if (!mode)
      return parser.emitError(loc, "unknown edge mode '") << word << "'";
    modes.push_back(*mode);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return {};
  return EdgesAttr::get(parser.getContext(), modes);
}

void EdgesAttr::print(AsmPrinter &printer) const {
  printer << "[";
  llvm::interleaveComma(getModes(), printer, [&](EdgeMode mode) {
    printer << stringifyEdgeMode(mode);
  });
  printer << "]";
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

FailureOr<DigitAttr> arrc::kernel::parseDigit(AsmParser &parser) {
  FailureOr<LevelAttr> level = LevelAttr::parseBare(parser);
  if (failed(level))
    return failure();
  int64_t size = 0;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult sized = parser.parseOptionalInteger(size);
  if (sized.has_value() && (failed(*sized) || size < 1))
    return parser.emitError(loc, "expected a positive size of the digit");
  return DigitAttr::get(parser.getContext(), *level, size);
}

void arrc::kernel::printDigit(AsmPrinter &printer, DigitAttr digit) {
  digit.getLevel().printBare(printer);
  if (digit.getSize())
    printer << " " << digit.getSize();
}

Attribute DigitAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<DigitAttr> digit = parseDigit(parser);
  if (failed(digit) || parser.parseGreater())
    return {};
  return *digit;
}

void DigitAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDigit(printer, *this);
  printer << ">";
}

/// `[seq, block.0 4]` after `dim =`.
static FailureOr<DimDigitsAttr> parseDigits(AsmParser &parser, StringRef dim) {
  SmallVector<DigitAttr> digits;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<DigitAttr> digit = parseDigit(parser);
    if (succeeded(digit))
      digits.push_back(*digit);
    return LogicalResult(digit);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  MLIRContext *context = parser.getContext();
  return DimDigitsAttr::get(context, StringAttr::get(context, dim), digits);
}

static void printDigits(AsmPrinter &printer, DimDigitsAttr dim) {
  printer << dim.getDim().getValue() << " = [";
  llvm::interleaveComma(dim.getDigits(), printer,
                        [&](DigitAttr digit) { printDigit(printer, digit); });
  printer << "]";
}

Attribute DimDigitsAttr::parse(AsmParser &parser, Type) {
  StringRef dim;
  if (parser.parseLess() || parser.parseKeyword(&dim) || parser.parseEqual())
    return {};
  FailureOr<DimDigitsAttr> digits = parseDigits(parser, dim);
  if (failed(digits) || parser.parseGreater())
    return {};
  return *digits;
}

void DimDigitsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDigits(printer, *this);
  printer << ">";
}

int64_t DimDigitsAttr::getWeight(unsigned index) const {
  int64_t weight = 1;
  for (DigitAttr digit : getDigits().drop_front(index + 1))
    weight *= digit.getSize() ? digit.getSize() : 1;
  return weight;
}

std::optional<unsigned> DimDigitsAttr::getOpenDigit() const {
  for (auto [i, digit] : llvm::enumerate(getDigits()))
    if (!digit.getSize())
      return i;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// `A at l.0 shared pad 1`, `e register`, `H at i.1 copies 4`, `u along k.1`.
static FailureOr<ClauseAttr> parseClause(AsmParser &parser) {
  StringRef array, digit, space;
  int64_t amount = 0;
  if (parser.parseKeyword(&array))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at")) ||
      succeeded(parser.parseOptionalKeyword("along")))
    if (parser.parseKeyword(&digit))
      return failure();
  (void)parser.parseOptionalKeyword(
      &space, {"register", "shared", "rows", "ranges", "global", "recompute"});
  if (succeeded(parser.parseOptionalKeyword("pad")) ||
      succeeded(parser.parseOptionalKeyword("copies")))
    if (parser.parseInteger(amount))
      return failure();
  bool turned = succeeded(parser.parseOptionalKeyword("turned"));
  bool ahead = succeeded(parser.parseOptionalKeyword("ahead"));
  MLIRContext *context = parser.getContext();
  return ClauseAttr::get(
      context, StringAttr::get(context, array), StringAttr::get(context, digit),
      StringAttr::get(context, space), amount, turned, ahead);
}

static void printClause(AsmPrinter &printer, ClauseAttr clause,
                        StringRef relation, StringRef amount) {
  printer << clause.getArray().getValue();
  if (!clause.getDigit().empty())
    printer << " " << relation << " " << clause.getDigit().getValue();
  if (!clause.getSpace().empty())
    printer << " " << clause.getSpace().getValue();
  if (clause.getAmount())
    printer << " " << amount << " " << clause.getAmount();
  if (clause.getTurned())
    printer << " turned";
  if (clause.getAhead())
    printer << " ahead";
}

Attribute ClauseAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<ClauseAttr> clause = parseClause(parser);
  if (failed(clause) || parser.parseGreater())
    return {};
  return *clause;
}

void ClauseAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printClause(printer, *this, "at", "pad");
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// The clauses between `<` and `>`, both excluded.
static FailureOr<ScheduleAttr> parseScheduleBody(AsmParser &parser) {
  SmallVector<DimDigitsAttr> dims;
  SmallVector<StringAttr> order;
  SmallVector<ClauseAttr> stage, keep, privates, roll;
  bool splitBoundary = false, deals = false, multiplies = false;
  unsigned indexBits = 64;
  SMLoc begin = parser.getCurrentLocation();
  MLIRContext *context = parser.getContext();

  auto parseClauses = [&](SmallVectorImpl<ClauseAttr> &clauses) {
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&]() -> ParseResult {
          FailureOr<ClauseAttr> clause = parseClause(parser);
          if (succeeded(clause))
            clauses.push_back(*clause);
          return LogicalResult(clause);
        });
  };
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    if (word == "split") {
      splitBoundary = true;
      return parser.parseKeyword("boundary");
    }
    if (word == "deal") {
      deals = true;
      return parser.parseKeyword("threads");
    }
    if (word == "multiply") {
      multiplies = true;
      return parser.parseKeyword("matrices");
    }
    if (word == "index") {
      int64_t bits;
      if (parser.parseInteger(bits))
        return failure();
      if (bits != 32 && bits != 64)
        return parser.emitError(loc, "indices have 32 or 64 bits");
      indexBits = bits;
      return success();
    }
    if (parser.parseEqual())
      return failure();
    if (word == "order")
      return parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            StringRef digit;
            if (parser.parseKeyword(&digit))
              return failure();
            order.push_back(StringAttr::get(context, digit));
            return success();
          });
    if (word == "stage")
      return parseClauses(stage);
    if (word == "keep")
      return parseClauses(keep);
    if (word == "private")
      return parseClauses(privates);
    if (word == "roll")
      return parseClauses(roll);
    FailureOr<DimDigitsAttr> dim = parseDigits(parser, word);
    if (succeeded(dim))
      dims.push_back(*dim);
    return LogicalResult(dim);
  };
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  auto schedule = ScheduleAttr::getChecked(
      [&] { return parser.emitError(begin); }, context, dims, order, stage,
      keep, privates, roll, splitBoundary, indexBits, deals, multiplies);
  if (!schedule)
    return failure();
  return schedule;
}

/// The same and `>`. There may be nothing in front of it: all loops in order.
static FailureOr<ScheduleAttr> parseScheduleToEnd(AsmParser &parser) {
  if (succeeded(parser.parseOptionalGreater()))
    return ScheduleAttr::get(parser.getContext(), {}, {}, {}, {}, {}, {},
                             /*splitBoundary=*/false, /*indexBits=*/64);
  FailureOr<ScheduleAttr> schedule = parseScheduleBody(parser);
  if (failed(schedule) || parser.parseGreater())
    return failure();
  return schedule;
}

static void printScheduleBody(AsmPrinter &printer, ScheduleAttr schedule) {
  StringRef separator = "";
  auto next = [&]() -> AsmPrinter & {
    printer << separator;
    separator = ", ";
    return printer;
  };
  for (DimDigitsAttr dim : schedule.getDims()) {
    next();
    printDigits(printer, dim);
  }
  if (!schedule.getOrder().empty()) {
    next() << "order = [";
    llvm::interleaveComma(schedule.getOrder(), printer, [&](StringAttr digit) {
      printer << digit.getValue();
    });
    printer << "]";
  }
  auto printClauses = [&](StringRef name, ArrayRef<ClauseAttr> clauses,
                          StringRef relation, StringRef amount) {
    if (clauses.empty())
      return;
    next() << name << " = [";
    llvm::interleaveComma(clauses, printer, [&](ClauseAttr clause) {
      printClause(printer, clause, relation, amount);
    });
    printer << "]";
  };
  printClauses("stage", schedule.getStage(), "at", "pad");
  printClauses("keep", schedule.getKeep(), "at", "pad");
  printClauses("private", schedule.getPrivates(), "at", "copies");
  printClauses("roll", schedule.getRoll(), "along", "pad");
  if (schedule.getSplitBoundary())
    next() << "split boundary";
  if (schedule.getIndexBits() != 64)
    next() << "index " << schedule.getIndexBits();
  if (schedule.getDeals())
    next() << "deal threads";
  if (schedule.getMultiplies())
    next() << "multiply matrices";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<ScheduleAttr> schedule = parseScheduleToEnd(parser);
  return failed(schedule) ? ScheduleAttr() : *schedule;
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printScheduleBody(printer, *this);
  printer << ">";
}

/// Whether threads may be dealt out to `dim` by a launch; if not, why.
static StringRef whyNotDealt(DimDigitsAttr dim) {
  // Folds that each thread does by itself.
  if (llvm::all_of(dim.getDigits(), [](DigitAttr digit) {
        LevelKind kind = digit.getLevel().getKind();
        return kind == LevelKind::Seq || kind == LevelKind::Unroll;
      }))
    return {};
  constexpr LevelKind places[] = {LevelKind::Block, LevelKind::Unroll,
                                  LevelKind::Thread, LevelKind::Vector};
  const LevelKind *next = places;
  for (DigitAttr digit : dim.getDigits()) {
    LevelKind kind = digit.getLevel().getKind();
    next = std::find(next, std::end(places), kind);
    if (next == std::end(places))
      return "the digits are block, unroll, thread and vector, in this order";
    ++next;
    if ((kind == LevelKind::Block) != (digit.getSize() == 0))
      return "blocks take what is left";
    if (kind == LevelKind::Thread && !llvm::isPowerOf2_64(digit.getSize()))
      return "the threads are a power of two";
  }
  if (!dim.getDigits().front().getLevel().isBlock())
    return "blocks take what is left";
  return {};
}

/// Whether threads have what warps multiply as matrices; if not, why.
static StringRef whyNotMultiplied(ArrayRef<DimDigitsAttr> dims) {
  int64_t threads[3] = {1, 1, 1}, neighbours = 0;
  for (DimDigitsAttr dim : dims)
    for (DigitAttr digit : llvm::reverse(dim.getDigits())) {
      LevelAttr level = digit.getLevel();
      if (!level.isThread()) {
        if (digit == dim.getDigits().back() &&
            (level.isUnroll() || level.isVector()))
          neighbours = digit.getSize();
        continue;
      }
      threads[level.getAxis()] *= digit.getSize();
      if (level.getAxis() == 0 && neighbours != 2)
        return "a thread along x has two neighbouring results";
      neighbours = 0;
    }
  if (threads[0] != 4 || threads[1] % 8)
    return "a block has 4 threads along x and a multiple of 8 along y";
  return {};
}

LogicalResult
ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                     ArrayRef<DimDigitsAttr> dims, ArrayRef<StringAttr> order,
                     ArrayRef<ClauseAttr> stage, ArrayRef<ClauseAttr> keep,
                     ArrayRef<ClauseAttr> privates, ArrayRef<ClauseAttr> roll,
                     bool, unsigned indexBits, bool deals, bool multiplies) {
  llvm::StringSet<> names, digits, listed;
  for (DimDigitsAttr dim : dims) {
    if (!names.insert(dim.getDim()).second)
      return emitError() << "dimension '" << dim.getDim().getValue()
                         << "' has digits twice";
    if (dim.getDigits().empty())
      return emitError() << "dimension '" << dim.getDim().getValue()
                         << "' has no digits";
    unsigned open = 0;
    for (auto [i, digit] : llvm::enumerate(dim.getDigits())) {
      open += digit.getSize() == 0;
      digits.insert((dim.getDim().getValue() + "." + Twine(i)).str());
    }
    if (open > 1)
      return emitError() << "dimension '" << dim.getDim().getValue()
                         << "' has two digits without a size";
  }
  for (StringAttr digit : order) {
    if (!listed.insert(digit).second)
      return emitError() << "digit '" << digit.getValue()
                         << "' is ordered twice";
    if (!digits.contains(digit))
      return emitError() << "the order names the unknown digit '"
                         << digit.getValue() << "'";
  }
  if (deals) {
    if (!order.empty() || !stage.empty() || !keep.empty() ||
        !privates.empty() || !roll.empty())
      return emitError()
             << "threads are dealt out where there is no clause beside it but "
                "'split boundary'";
    for (DimDigitsAttr dim : dims)
      if (StringRef reason = whyNotDealt(dim); !reason.empty())
        return emitError() << "threads are not dealt out to '"
                           << dim.getDim().getValue() << "': " << reason;
  }
  if (multiplies)
    if (StringRef reason = whyNotMultiplied(dims); !reason.empty())
      return emitError() << "warps do not multiply matrices: " << reason;
  return success();
}

int64_t ScheduleAttr::getThreads() const {
  int64_t threads = 1;
  for (DimDigitsAttr dim : getDims())
    for (DigitAttr digit : dim.getDigits())
      if (digit.getLevel().isThread())
        threads *= digit.getSize();
  return threads;
}

ScheduleAttr ScheduleAttr::withIndexBits(unsigned bits) const {
  return get(getContext(), getDims(), getOrder(), getStage(), getKeep(),
             getPrivates(), getRoll(), getSplitBoundary(), bits, getDeals(),
             getMultiplies());
}

ScheduleAttr ScheduleAttr::withoutMatrices() const {
  return get(getContext(), getDims(), getOrder(), getStage(), getKeep(),
             getPrivates(), getRoll(), getSplitBoundary(), getIndexBits(),
             getDeals(), /*multiplies=*/false);
}

ScheduleAttr ScheduleAttr::withClauses(ArrayRef<DimDigitsAttr> dims,
                                       ArrayRef<ClauseAttr> stage,
                                       ArrayRef<ClauseAttr> keep,
                                       ArrayRef<ClauseAttr> privates) const {
  return get(getContext(), dims, getOrder(), stage, keep, privates, getRoll(),
             getSplitBoundary(), getIndexBits(), getDeals(), getMultiplies());
}

DimDigitsAttr ScheduleAttr::lookup(StringRef dim) const {
  for (DimDigitsAttr digits : getDims())
    if (digits.getDim() == dim)
      return digits;
  return {};
}

//===----------------------------------------------------------------------===//
// Versions and devices
//===----------------------------------------------------------------------===//

Attribute VersionAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  IntegerSetAttr when;
  if (succeeded(parser.parseOptionalKeyword("when")))
    if (parser.parseEqual() || parser.parseAttribute(when) ||
        parser.parseComma())
      return {};
  FailureOr<ScheduleAttr> schedule = parseScheduleToEnd(parser);
  if (failed(schedule))
    return {};
  return VersionAttr::get(parser.getContext(), when, *schedule);
}

void VersionAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (getWhen()) {
    printer << "when = ";
    printer.printAttribute(getWhen());
    printer << ", ";
  }
  printScheduleBody(printer, getSchedule());
  printer << ">";
}

DeviceAttr DeviceAttr::get(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto device = op->getAttrOfType<DeviceAttr>("kernel.device"))
      return device;
  return {};
}

int64_t DeviceAttr::getInteger(StringRef fact, int64_t otherwise) const {
  if (!getFacts())
    return otherwise;
  auto number = getFacts().getAs<IntegerAttr>(fact);
  return number ? number.getInt() : otherwise;
}
