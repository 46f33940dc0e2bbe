//===- EvenThreads.cpp - Threads along short dimensions -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EvenThreads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc::kernel;

int64_t arrc::kernel::dealEvenly(int64_t items, int64_t most, int64_t unit) {
  items = std::max<int64_t>(items, 1);
  if (items <= most)
    return items;
  if (most >= unit)
    most -= most % unit;
  int64_t blocks = llvm::divideCeil(items, most);
  int64_t threads = llvm::alignTo(llvm::divideCeil(items, blocks), unit);
  return std::min(threads, most);
}

Value arrc::kernel::createDealEvenly(OpBuilder &builder, Location loc,
                                     Value items, Value most, Value unit) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  items = builder.createOrFold<arith::MaxSIOp>(loc, items, one);
  Value isAll = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ule, items, most);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, most, unit);
  Value whole = builder.createOrFold<arith::SubIOp>(loc, most, rest);
  Value hasUnit = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::uge, most, unit);
  most = builder.createOrFold<arith::SelectOp>(loc, hasUnit, whole, most);
  Value blocks = builder.createOrFold<arith::CeilDivUIOp>(loc, items, most);
  Value even = builder.createOrFold<arith::CeilDivUIOp>(loc, items, blocks);
  Value units = builder.createOrFold<arith::CeilDivUIOp>(loc, even, unit);
  Value threads = builder.createOrFold<arith::MulIOp>(loc, units, unit);
  threads = builder.createOrFold<arith::MinUIOp>(loc, threads, most);
  return builder.createOrFold<arith::SelectOp>(loc, isAll, items, threads);
}
