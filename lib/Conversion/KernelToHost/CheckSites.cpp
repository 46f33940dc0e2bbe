//===- CheckSites.cpp - The places of a program that may fail -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CheckSites.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/MapVector.h"

#include <string>
#include <tuple>

using namespace mlir;
using namespace arrc;

namespace {
/// What tells one site from another.
using SiteKey = std::tuple<std::string, unsigned, unsigned, std::string,
                           std::string, std::string>;

/// The parts that all checks have.
struct CheckParts {
  StringRef kind;
  std::string message;
  /// A letter for each value of the message.
  std::string letters;
};

std::string lettersOf(ValueRange values) {
  std::string letters;
  for (Value value : values)
    letters += isa<FloatType>(value.getType()) ? 'f' : 'i';
  return letters;
}
} // namespace

FileLineColLoc arrc::findSourcePlace(Location loc) {
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return place;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findSourcePlace(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    if (FileLineColLoc place = findSourcePlace(call.getCallee()))
      return place;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findSourcePlace(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = findSourcePlace(part))
        return place;
  return {};
}

static std::optional<CheckParts> getParts(Operation *op) {
  if (auto check = dyn_cast<kernel::CheckOp>(op))
    return CheckParts{kernel::stringifyCheckKind(check.getKind()),
                      check.getMessage().str(), lettersOf(check.getValues())};
  if (auto check = dyn_cast<array::CheckOp>(op))
    return CheckParts{array::stringifyCheckKind(check.getKind()),
                      check.getMessage().str(), lettersOf(check.getValues())};
  // What it returned is known to whoever has called it.
  if (auto call = dyn_cast<array::ExternOp>(op))
    return CheckParts{
        "assert",
        ("the extern function '" + call.getCallee() + "' returned {0}").str(),
        "i"};
  return std::nullopt;
}

static SiteKey getKey(Operation *op, const CheckParts &parts) {
  FileLineColLoc place = findSourcePlace(op->getLoc());
  return {place ? place.getFilename().str() : "",
          place ? place.getLine() : 0,
          place ? place.getColumn() : 0,
          parts.kind.str(),
          parts.message,
          parts.letters};
}

static DictionaryAttr makeSite(MLIRContext *context, const SiteKey &key) {
  Builder b(context);
  auto &[file, line, column, kind, message, letters] = key;
  return b.getDictionaryAttr(
      {b.getNamedAttr("file", b.getStringAttr(file)),
       b.getNamedAttr("line", b.getI32IntegerAttr(line)),
       b.getNamedAttr("column", b.getI32IntegerAttr(column)),
       b.getNamedAttr("kind", b.getStringAttr(kind)),
       b.getNamedAttr("message", b.getStringAttr(message)),
       b.getNamedAttr("values", b.getStringAttr(letters))});
}

static SmallVector<Attribute> getSites(ModuleOp module) {
  if (auto sites = module->getAttrOfType<ArrayAttr>(sitesAttrName))
    return llvm::to_vector(sites);
  return {};
}

void arrc::numberChecks(ModuleOp module) {
  SmallVector<std::pair<SiteKey, Operation *>> checks;
  module->walk([&](Operation *op) {
    if (auto parts = getParts(op); parts && !op->hasAttr(siteAttrName))
      checks.emplace_back(getKey(op, *parts), op);
  });
  if (checks.empty())
    return;
  llvm::sort(checks,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  SmallVector<Attribute> sites = getSites(module);
  Builder b(module.getContext());
  for (auto [number, check] : llvm::enumerate(checks)) {
    if (number == 0 || checks[number - 1].first != check.first)
      sites.push_back(makeSite(module.getContext(), check.first));
    check.second->setAttr(siteAttrName, b.getI32IntegerAttr(sites.size() - 1));
  }
  module->setAttr(sitesAttrName, b.getArrayAttr(sites));
}

int32_t arrc::getSite(Operation *check) {
  return check->getAttrOfType<IntegerAttr>(siteAttrName).getInt();
}

int32_t arrc::addAllocationSite(ModuleOp module, Location loc, StringRef name) {
  FileLineColLoc place = findSourcePlace(loc);
  DictionaryAttr site = makeSite(
      module.getContext(),
      {place ? place.getFilename().str() : "", place ? place.getLine() : 0,
       place ? place.getColumn() : 0, "alloc", name.str(), ""});
  SmallVector<Attribute> sites = getSites(module);
  for (auto [number, existing] : llvm::enumerate(sites))
    if (existing == site)
      return number;
  sites.push_back(site);
  module->setAttr(sitesAttrName, ArrayAttr::get(module.getContext(), sites));
  return sites.size() - 1;
}

SmallVector<ExpandedDigit> arrc::getExpandedDigits(Operation *check) {
  SmallVector<ExpandedDigit> digits;
  if (auto expanded = check->getAttrOfType<ArrayAttr>("kernel.digits"))
    for (auto digit : expanded.getAsRange<ArrayAttr>())
      digits.push_back({cast<StringAttr>(digit[0]).getValue(),
                        cast<IntegerAttr>(digit[1]).getInt(),
                        cast<IntegerAttr>(digit[2]).getInt()});
  return digits;
}

SmallVector<unsigned> arrc::orderDigits(ArrayRef<StringRef> names) {
  SmallVector<StringRef> dims;
  SmallVector<std::tuple<unsigned, unsigned, unsigned>> keys;
  for (auto [position, name] : llvm::enumerate(names)) {
    auto [dim, digit] = name.rsplit('.');
    unsigned number = 0;
    if (digit.empty() || digit.getAsInteger(10, number))
      std::tie(dim, number) = std::pair(name, 0u);
    auto *at = llvm::find(dims, dim);
    unsigned place = at - dims.begin();
    if (at == dims.end())
      dims.push_back(dim);
    keys.emplace_back(place, number, position);
  }
  llvm::sort(keys);
  return llvm::map_to_vector(keys, [](auto key) { return std::get<2>(key); });
}

Value arrc::toCheckBits(OpBuilder &b, Location loc, Value value) {
  Type i64 = b.getI64Type(), type = value.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, i64, value);
  if (type.isInteger(64))
    return value;
  if (type.isInteger(1))
    return arith::ExtUIOp::create(b, loc, i64, value);
  if (isa<IntegerType>(type))
    return arith::ExtSIOp::create(b, loc, i64, value);
  if (isa<FloatType>(type)) {
    if (!type.isF64())
      value = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    return arith::BitcastOp::create(b, loc, i64, value);
  }
  // Nothing else is printed in a message.
  return arith::ConstantIntOp::create(b, loc, i64, 0);
}
