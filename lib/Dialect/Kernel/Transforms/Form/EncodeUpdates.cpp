//===- EncodeUpdates.cpp - Updates as those of integers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Devices combine integers of 32 and 64 bits in memory indivisibly, and
// what integers hold does not depend on the order. So other updates become
// updates of integers in an array beside the destination, which are decoded
// once behind the loop.
//
// Before   for i in %N { update %v, %H[%b] by addf }
// After    %c = local(34, bins, R)
//          for k, z, r { %c[k, z, r] = 0 }
//          for i in %N { update %m, %c[%k, %b, i & (R - 1)] by addi }
//          for k, z { %d[k, z] = for r in R reduce { %c[k, z, r] } }
//          for z in bins { %H[z] = %H[z] + round(sum of %d[k, z] * 2^(8 k)) }
//
// - Least and largest floats: integers of as many bits in the same order, NaN
//   beyond the infinity on the side that wins.
// - Narrow integers: 32 bits, of which the low ones are kept.
// - Sums of f32: exact. A value is m * 2^(8 k) for one of 32 numbers k and an
//   integer m of 32 bits (24 of mantissa, moved by up to 7), and is added to
//   integer k of its bin: 2^32 values at least until one overflows. Infinities
//   and NaN are counted beside. The sum is rounded once, in two steps (f64,
//   f32): at most 0.5 (1 + 2^-28) ulp from the sum of the values, where one in
//   order is up to as many ulp of its parts away as there are values. Copies
//   by neighbouring iterations, R, keep equal keys from waiting for each other
//   where bins are few.
//
// Legal: the operator of an update commutes, and the encoding maps it to that
// of the integers. Pays always: the alternative is a copy of the bins for each
// of many threads.
//
// Reference: Kulisch, "Computer Arithmetic and Validity" (2013), chapter 8;
// Collange et al., "Numerical reproducibility for the parallel reduction on
// multi- and many-core architectures" (2015).
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_ENCODEUPDATESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Integers of an exact sum: of the finite values, of +inf and NaN, of -inf.
static constexpr int64_t kParts = 32, kAbove = 32, kBelow = 33, kAll = 34;
/// Copies of exact sums, bytes of all of them, and values that repay an element
/// of a copy.
static constexpr int64_t kCopies = 32, kCopyBytes = 64 << 20, kValues = 4;

namespace {

enum class Encoding { None, Sum, Ordered, Wide };

} // namespace

/// What `update` becomes on `device`.
static Encoding getEncoding(UpdateOp update, DeviceAttr device) {
  if (isNativeUpdate(update, device))
    return Encoding::None;
  bool has64 = device.getInteger("int64_atomics", 0) != 0;
  bool hasF64 = device.getInteger("f64", 0) != 0;
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  if (ops.size() != 1)
    return Encoding::None;
  Type type = update.getValue().getType();
  Operation *op = ops.front();
  if (isa<arith::AddFOp>(op) && type.isF32() && has64 && hasF64)
    return Encoding::Sum;
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op) &&
      (type.isF32() || (type.isF64() && has64)))
    return Encoding::Ordered;
  if (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 32 &&
      isa<arith::AddIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp,
          arith::MaxUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return Encoding::Wide;
  return Encoding::None;
}

//===----------------------------------------------------------------------===//
// One destination
//===----------------------------------------------------------------------===//

namespace {

/// Makes the updates of one array in one root loop updates of integers.
class Encoder {
public:
  Encoder(IRRewriter &rewriter, LaunchOp launch, ForOp root, unsigned number,
          Encoding encoding, ArrayRef<UpdateOp> updates)
      : b(rewriter), launch(launch), root(root), loc(root.getLoc()),
        name((root.getDim() + "_e" + Twine(number)).str()), encoding(encoding),
        updates(updates), model(this->updates.front()) {}

  /// False, and nothing is changed, if there is no neutral element.
  bool run();

private:
  void findSizes();
  Value countCopies();
  Value encode(Value value);
  Value decode(Value value);
  void replace(UpdateOp update);
  /// The number of the integer of its bin that takes `value`, and what it adds.
  std::pair<Value, Value> split(Value value);
  Value join(ArrayRef<Value> parts);
  /// The sums over copies, as an array without them.
  Value foldCopies();
  /// Loops over `sizes`; gives their indices.
  SmallVector<Value> openLoops(ArrayRef<OpFoldResult> sizes, StringRef suffix);
  LocalOp createLocal(ArrayRef<OpFoldResult> sizes);
  UpdateOp createUpdate(Value value, ValueRange place, Value mask);
  bool isUnsigned();

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value integer(int64_t value, Type type) {
    return arith::ConstantIntOp::create(b, loc, type, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  IRRewriter &b;
  LaunchOp launch;
  ForOp root;
  Location loc;
  std::string name;
  Encoding encoding;
  SmallVector<UpdateOp> updates;
  UpdateOp model;
  Type type;
  IntegerType code;
  SmallVector<OpFoldResult> sizes;
  Value local, copies;
};

} // namespace

void Encoder::findSizes() {
  Value dest = model.getDest();
  auto array = cast<MemRefType>(dest.getType());
  auto argument = dyn_cast<BlockArgument>(dest);
  auto outer = dest.getDefiningOp<LocalOp>();
  unsigned next = 0;
  for (int64_t dim = 0; dim < array.getRank(); ++dim) {
    if (!array.isDynamicDim(dim))
      sizes.push_back(b.getIndexAttr(array.getDimSize(dim)));
    else if (argument)
      sizes.push_back(launch.getSize(argument, dim));
    else
      sizes.push_back(outer.getSizes()[next++]);
  }
}

/// `kCopies` where they fit and each has enough to do, or one.
Value Encoder::countCopies() {
  Value bins = index(1);
  for (OpFoldResult size : sizes)
    bins = arith::MulIOp::create(b, loc, bins, toValue(b, loc, size));
  Value fits = compare(arith::CmpIPredicate::sle, bins,
                       index(kCopyBytes / (8 * kAll * kCopies)));
  Value most = arith::DivSIOp::create(
      b, loc, toValue(b, loc, root.getMixedExtent()), index(kValues));
  Value pays = compare(arith::CmpIPredicate::sle, bins, most);
  return select(arith::AndIOp::create(b, loc, fits, pays), index(kCopies),
                index(1));
}

LocalOp Encoder::createLocal(ArrayRef<OpFoldResult> extents) {
  auto [shape, dynamic] =
      decomposeMixedValues(SmallVector<OpFoldResult>(extents));
  return LocalOp::create(b, loc, MemRefType::get(shape, code), dynamic,
                         StringAttr());
}

SmallVector<Value> Encoder::openLoops(ArrayRef<OpFoldResult> extents,
                                      StringRef suffix) {
  SmallVector<Value> indices;
  for (auto [number, size] : llvm::enumerate(extents)) {
    auto loop = ForOp::create(
        b, loc, name + suffix.str() + std::to_string(number), size);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

/// Whether the operator takes its operands as unsigned, or does not care.
bool Encoder::isUnsigned() {
  return !isa<arith::MinSIOp, arith::MaxSIOp>(
      getCombinerOps(model.getCombiner()).front());
}

Value Encoder::encode(Value value) {
  if (encoding == Encoding::Wide)
    return isUnsigned()
               ? arith::ExtUIOp::create(b, loc, code, value).getResult()
               : arith::ExtSIOp::create(b, loc, code, value).getResult();
  bool isMax =
      isa<arith::MaximumFOp>(getCombinerOps(model.getCombiner()).front());
  unsigned width = code.getWidth();
  int64_t most = width == 32 ? INT32_MAX : INT64_MAX;
  Value bits = arith::BitcastOp::create(b, loc, code, value);
  Value turned = arith::XOrIOp::create(b, loc, bits, integer(most, code));
  Value negative = compare(arith::CmpIPredicate::slt, bits, integer(0, code));
  Value ordered = select(negative, turned, bits);
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  return select(isNaN, integer(isMax ? most : -most - 1, code), ordered);
}

Value Encoder::decode(Value value) {
  if (encoding == Encoding::Wide)
    return arith::TruncIOp::create(b, loc, type, value);
  int64_t most = code.getWidth() == 32 ? INT32_MAX : INT64_MAX;
  Value turned = arith::XOrIOp::create(b, loc, value, integer(most, code));
  Value negative = compare(arith::CmpIPredicate::slt, value, integer(0, code));
  return arith::BitcastOp::create(b, loc, type,
                                  select(negative, turned, value));
}

std::pair<Value, Value> Encoder::split(Value value) {
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto number = [&](int64_t n) { return integer(n, i32); };
  Value bits = arith::BitcastOp::create(b, loc, i32, value);
  Value exponent = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(23)), number(255));
  Value fraction = arith::AndIOp::create(b, loc, bits, number(0x7fffff));
  Value whole = arith::OrIOp::create(b, loc, fraction, number(0x800000));
  Value isTiny = compare(arith::CmpIPredicate::eq, exponent, number(0));
  Value mantissa = select(isTiny, fraction, whole);
  // Subnormal values have the scale of the smallest normal ones.
  Value scale = arith::SubIOp::create(
      b, loc, arith::MaxUIOp::create(b, loc, exponent, number(1)), number(1));
  Value part = arith::ShRUIOp::create(b, loc, scale, number(3));
  Value moved = arith::ShLIOp::create(
      b, loc, mantissa, arith::AndIOp::create(b, loc, scale, number(7)));
  Value negative = compare(arith::CmpIPredicate::slt, bits, number(0));
  Value signedPart =
      select(negative, arith::SubIOp::create(b, loc, number(0), moved), moved);
  Value amount = arith::ExtSIOp::create(b, loc, i64, signedPart);
  // +inf counts 1, NaN 2^32, -inf elsewhere.
  Value special = compare(arith::CmpIPredicate::eq, exponent, number(255));
  Value isNaN = compare(arith::CmpIPredicate::ne, fraction, number(0));
  Value below = arith::AndIOp::create(
      b, loc, negative, compare(arith::CmpIPredicate::eq, fraction, number(0)));
  part = select(special, select(below, number(kBelow), number(kAbove)), part);
  amount = select(
      special, select(isNaN, integer(int64_t(1) << 32, i64), integer(1, i64)),
      amount);
  return {arith::IndexCastUIOp::create(b, loc, b.getIndexType(), part), amount};
}

/// Carries go upwards, so that no digit is negative, of the sum and of what is
/// opposite to it; of the one that is not negative the digits are added up from
/// the lowest, and nothing cancels.
Value Encoder::join(ArrayRef<Value> parts) {
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  auto real = [&](double x) -> Value {
    return arith::ConstantFloatOp::create(b, loc, b.getF64Type(), APFloat(x));
  };
  Value zero = integer(0, i64), low = integer(255, i64),
        eight = integer(8, i64);
  Value sums[2], carries[2] = {zero, zero};
  for (int64_t k = 0; k < kParts; ++k)
    for (int side = 0; side < 2; ++side) {
      Value part =
          side ? arith::SubIOp::create(b, loc, zero, parts[k]) : parts[k];
      part = arith::AddIOp::create(b, loc, part, carries[side]);
      carries[side] = arith::ShRSIOp::create(b, loc, part, eight);
      Value digit = arith::SIToFPOp::create(
          b, loc, f64, arith::AndIOp::create(b, loc, part, low));
      if (sums[side]) {
        Value before = arith::MulFOp::create(b, loc, sums[side], real(0x1p-8));
        digit = arith::AddFOp::create(b, loc, before, digit);
      }
      sums[side] = digit;
    }
  for (int side = 0; side < 2; ++side) {
    // In units of the highest part, whose lowest bit is 2^(8 * 31 - 149).
    Value top = arith::MulFOp::create(
        b, loc, arith::SIToFPOp::create(b, loc, f64, carries[side]),
        real(0x1p8));
    sums[side] = arith::MulFOp::create(
        b, loc, arith::AddFOp::create(b, loc, top, sums[side]), real(0x1p99));
  }
  Value negative = compare(arith::CmpIPredicate::slt, carries[0], zero);
  Value sum = select(negative, arith::NegFOp::create(b, loc, sums[1]), sums[0]);
  Value result = arith::TruncFOp::create(b, loc, type, sum);
  auto constant = [&](const APFloat &x) -> Value {
    return arith::ConstantFloatOp::create(b, loc, cast<FloatType>(type), x);
  };
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  Value above = parts[kAbove], below = parts[kBelow];
  Value isAbove = compare(arith::CmpIPredicate::ne, above, zero);
  Value isBelow = compare(arith::CmpIPredicate::ne, below, zero);
  Value isNaN = arith::OrIOp::create(
      b, loc, arith::AndIOp::create(b, loc, isAbove, isBelow),
      compare(arith::CmpIPredicate::sge, above,
              integer(int64_t(1) << 32, i64)));
  result = select(isAbove, constant(APFloat::getInf(semantics)), result);
  result = select(isBelow, constant(APFloat::getInf(semantics, true)), result);
  return select(isNaN, constant(APFloat::getNaN(semantics)), result);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

UpdateOp Encoder::createUpdate(Value value, ValueRange place, Value mask) {
  auto update = UpdateOp::create(b, loc, value, local, place, mask);
  Operation *op = getCombinerOps(model.getCombiner()).front();
  CombinerOperator by{
      StringAttr::get(b.getContext(), arith::AddIOp::getOperationName())};
  if (encoding == Encoding::Wide)
    by.name = op->getName().getIdentifier();
  else if (encoding == Encoding::Ordered)
    by.name = StringAttr::get(b.getContext(),
                              isa<arith::MaximumFOp>(op)
                                  ? arith::MaxSIOp::getOperationName()
                                  : arith::MinSIOp::getOperationName());
  OpBuilder::InsertionGuard guard(b);
  buildCombiner(b, loc, update.getCombiner(), Type(code), by,
                YieldOp::getOperationName());
  return update;
}

void Encoder::replace(UpdateOp update) {
  loc = update.getLoc();
  b.setInsertionPoint(update);
  SmallVector<Value> place(update.getIndices());
  Value mask = update.getMask();
  if (encoding != Encoding::Sum) {
    createUpdate(encode(update.getValue()), place, mask);
    return;
  }
  auto [part, amount] = split(update.getValue());
  place.insert(place.begin(), part);
  auto around = update->getParentOfType<ForOp>();
  place.push_back(
      arith::AndIOp::create(b, loc, around.getInductionVar(),
                            arith::SubIOp::create(b, loc, copies, index(1))));
  createUpdate(amount, place, mask);
}

Value Encoder::foldCopies() {
  SmallVector<OpFoldResult> extents{b.getIndexAttr(kAll)};
  llvm::append_range(extents, sizes);
  Value sums = createLocal(extents);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> place = openLoops(extents, "_s");
  auto fold = ForOp::create(b, loc, name + "_r", OpFoldResult(copies),
                            ForKind::Reduce, ValueRange(integer(0, code)));
  {
    OpBuilder::InsertionGuard inside(b);
    CombinerOperator add{
        StringAttr::get(b.getContext(), arith::AddIOp::getOperationName())};
    buildCombiner(b, loc, fold.getCombiner(), Type(code), add,
                  YieldOp::getOperationName());
    b.setInsertionPointToEnd(fold.getBodyBlock());
    SmallVector<Value> from(place);
    from.push_back(fold.getInductionVar());
    Value part = LoadOp::create(b, loc, local, from);
    YieldOp::create(b, loc, ValueRange(part));
  }
  StoreOp::create(b, loc, fold.getResult(0), sums, place);
  return sums;
}

bool Encoder::run() {
  b.setInsertionPoint(root);
  Value neutral = createNeutral(b, model);
  if (!neutral)
    return false;
  type = model.getValue().getType();
  code = encoding == Encoding::Sum || type.isF64() ? b.getI64Type()
                                                   : b.getI32Type();
  findSizes();
  SmallVector<OpFoldResult> extents(sizes);
  if (encoding == Encoding::Sum) {
    copies = countCopies();
    extents.insert(extents.begin(), b.getIndexAttr(kAll));
    extents.push_back(copies);
  }
  local = createLocal(extents);
  {
    Value start =
        encoding == Encoding::Sum ? integer(0, code) : encode(neutral);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place = openLoops(extents, "_i");
    StoreOp::create(b, loc, start, local, place);
  }
  for (UpdateOp update : updates)
    replace(update);
  loc = root.getLoc();
  b.setInsertionPointAfter(root);
  Value sums = encoding == Encoding::Sum ? foldCopies() : local;
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place = openLoops(sizes, "_d");
    Value total;
    if (encoding == Encoding::Sum) {
      SmallVector<Value> parts;
      for (int64_t k = 0; k < kAll; ++k) {
        SmallVector<Value> from(place);
        from.insert(from.begin(), index(k));
        parts.push_back(LoadOp::create(b, loc, sums, from));
      }
      total = join(parts);
    } else {
      total = decode(LoadOp::create(b, loc, local, place));
    }
    Value old = LoadOp::create(b, loc, model.getDest(), place);
    Value combined = inlineCombiner(b, model.getCombiner(), old, total).front();
    StoreOp::create(b, loc, combined, model.getDest(), place);
  }
  for (UpdateOp update : updates)
    b.eraseOp(update);
  return true;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct EncodeUpdatesPass
    : public arrc::kernel::impl::EncodeUpdatesPassBase<EncodeUpdatesPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!isGPU(device))
      return;
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      if (launch.getScheduleAttr() || launch.getVersions() ||
          launch.isScheduled())
        return;
      for (ForOp root :
           llvm::make_early_inc_range(launch.getBody().getOps<ForOp>()))
        if (!root.isScan())
          encode(rewriter, launch, root, device);
    });
  }

  static void encode(IRRewriter &rewriter, LaunchOp launch, ForOp root,
                     DeviceAttr device) {
    llvm::MapVector<Value, SmallVector<UpdateOp>> all;
    root.getBody().walk([&](UpdateOp update) {
      Operation *def = update.getDest().getDefiningOp();
      if (!def || !root->isAncestor(def))
        all[update.getDest()].push_back(update);
    });
    unsigned number = 0;
    for (auto &[dest, updates] : all) {
      UpdateOp model = updates.front();
      Encoding encoding = getEncoding(model, device);
      bool alike = llvm::all_of(updates, [&](UpdateOp update) {
        return OperationEquivalence::isRegionEquivalentTo(
            &model.getCombiner(), &update.getCombiner(),
            OperationEquivalence::IgnoreLocations);
      });
      if (encoding != Encoding::None && alike)
        Encoder(rewriter, launch, root, number++, encoding, updates).run();
    }
  }
};

} // namespace
