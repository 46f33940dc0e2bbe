//===- PackLayout.cpp - Arrays beside each other in one allocation --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackLayout.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Every plane begins at a multiple of this many bytes.
static constexpr int64_t kAlignment = 512;

std::optional<int64_t> arrc::kernel::getPointBytes(MemRefType type) {
  if (!type.getLayout().isIdentity() || type.getMemorySpace() ||
      type.getRank() == 0)
    return std::nullopt;
  int64_t bytes = getStoredBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  // Nothing is packed for nothing, and a plane of nothing is where the next is.
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

PackLayout::PackLayout(OpBuilder &b, Location loc, ValueRange sizes,
                       ArrayRef<MemRefType> types)
    : dynamic(sizes), types(types) {
  int64_t end = 0;
  for (MemRefType array : types) {
    first.push_back(end);
    width.push_back(*getPointBytes(array));
    if (sizes.empty())
      width.back() = llvm::alignTo(width.back(), kAlignment);
    else
      width.back() *= kAlignment;
    end += width.back();
  }
  Type byte = b.getI8Type(), i64 = b.getI64Type();
  if (sizes.empty()) {
    type = MemRefType::get({end}, byte);
    for (int64_t at : first)
      offsets.push_back(arith::ConstantIndexOp::create(b, loc, at));
    return;
  }
  type = MemRefType::get({ShapedType::kDynamic}, byte);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, i64, value);
  };
  using Predicate = arith::CmpIPredicate;
  Value points, bad;
  auto orBad = [&](Predicate predicate, Value lhs, Value rhs) {
    Value here = arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
    bad = bad ? Value(arith::OrIOp::create(b, loc, bad, here)) : here;
  };
  Value zero = constant(0);
  for (Value size : sizes) {
    size = arith::IndexCastOp::create(b, loc, i64, size);
    orBad(Predicate::slt, size, zero);
    if (!points) {
      points = size;
      continue;
    }
    auto product = arith::MulUIExtendedOp::create(b, loc, points, size);
    points = product.getLow();
    orBad(Predicate::ne, product.getHigh(), zero);
  }
  // So that neither rounding nor any product below overflows.
  int64_t perPoint = end / kAlignment;
  int64_t most = INT64_MAX / perPoint - 4 * kAlignment;
  orBad(Predicate::ugt, points, constant(std::max<int64_t>(most, 0)));
  Value pitch =
      arith::CeilDivUIOp::create(b, loc, points, constant(2 * kAlignment));
  pitch = arith::MulIOp::create(b, loc, pitch, constant(2));
  pitch = arith::AddIOp::create(b, loc, pitch, constant(1));
  Value total = arith::MulIOp::create(b, loc, pitch, constant(end));
  total = arith::SelectOp::create(b, loc, bad, constant(-1), total);
  bytes = {arith::IndexCastOp::create(b, loc, b.getIndexType(), total)};
  pitch = arith::IndexCastOp::create(b, loc, b.getIndexType(), pitch);
  for (int64_t at : first) {
    Value offset = arith::ConstantIndexOp::create(b, loc, at);
    if (at > 0)
      offset = arith::MulIOp::create(b, loc, pitch, offset);
    offsets.push_back(offset);
  }
}

Value PackLayout::show(OpBuilder &b, Location loc, Value pack,
                       unsigned k) const {
  auto view =
      memref::ViewOp::create(b, loc, types[k], pack, offsets[k], dynamic);
  view->setAttr(kPlaneAttr, b.getDenseI64ArrayAttr({first[k], width[k]}));
  return view;
}
