//===- PrintPrices.cpp - What the judge says of each candidate ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For those who compare the judge with a card (bench/judge.py).
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "NestCandidates.h"
#include "VersionTree.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

void DevicePlanner::printPrices(ArrayRef<ForOp> nest, ArrayRef<ForOp> folds,
                                const NestFacts &facts,
                                ArrayRef<NestShares> candidates,
                                const NestWidths &widths, bool mayDealOut) {
  auto at = launch->getAttrOfType<DenseI64ArrayAttr>(kPricesAttr);
  if (!at)
    return;
  SizePoint point;
  for (int64_t operand : versionSizes)
    point.push_back(operand < at.size() ? at[operand] : 1);
  NestNumbers numbers(facts, point);
  const DeviceRates &rates = getRates(DeviceAttr::get(launch));
  std::string text;
  llvm::raw_string_ostream os(text);
  auto before = dims;
  for (const NestShares &shares : candidates) {
    if (widths.needsAlignment(shares) &&
        llvm::any_of(widths.alignments[shares.lane], [&](AffineExpr condition) {
          return evaluate(condition, point) < 0;
        }))
      continue;
    deals = mayDealOut && isDealable(facts, shares);
    NestPrice price =
        judge(facts, numbers, deals ? dealOut(facts, numbers, shares) : shares,
              rates);
    const Demand &demand = price.demand;
    os << llvm::format("%.0f", price.nanoseconds) << " ns, " << price.limit;
    for (auto [name, value] : {std::pair("memory", demand.memoryBytes),
                               {"cache", demand.cacheBytes},
                               {"requests", demand.requestBytes},
                               {"instructions", demand.instructions},
                               {"special", demand.special},
                               {"blocks", demand.blocks},
                               {"threads", demand.threads},
                               {"registers", demand.registers},
                               {"flight", demand.flight},
                               {"trips", demand.trips},
                               {"folding", price.folding}})
      os << ' ' << name << ' ' << llvm::format("%.6g", value);
    dims = before;
    setShares(nest, folds, shares);
    os << " : " << makeSchedule() << '\n';
  }
  dims = before;
  deals = false;
  llvm::errs() << text;
}
