//===- CheckAccesses.cpp - Generated code checks its own accesses ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Code that was proved to stay inside of its arrays, or was told so by
// `@unsafe`, has no checks of the program's left. Here every access gets one of
// its own, behind all that rewrites accesses:
//
//   %x = vector.load %a[%i] : memref<?xf32>, vector<16xf32>
//
//   %outside = not (%i <u %n and %i + 15 <u %n)
//   scf.if %outside { llvm.call @arrt_fail_access(place, text, %i, %n) }
//   %x = vector.load %a[%i] : memref<?xf32>, vector<16xf32>
//
// Lanes that a mask turns off touch nothing and are not looked at. A gather's
// lanes are offsets from an element, over rows: they are held against the
// elements that the array spans. A view is checked where it is made, so that
// the sizes that its accesses are held against are right. Prefetches read
// nothing. An operation that reads or writes an array and is not known here is
// an error: what says "checked" has checked everything.
//
//===----------------------------------------------------------------------===//

#include "CheckSites.h"
#include "RuntimeCalls.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/xxhash.h"

namespace arrc {
#define GEN_PASS_DEF_CHECKACCESSESPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

/// Whether `view` shows the parts of an array of complex numbers one after the
/// other: its size follows from those of the array.
static bool isPartsOfComplex(memref::ReinterpretCastOp view) {
  auto cast = view.getSource().getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getNumOperands() != 1)
    return false;
  auto type = dyn_cast<MemRefType>(cast.getOperand(0).getType());
  return type && isa<ComplexType>(type.getElementType()) &&
         cast.getOperand(0).getDefiningOp<memref::ExtractStridedMetadataOp>();
}

using Predicate = arith::CmpIPredicate;

namespace {
/// Puts the checks of one operation in front of it.
class AccessChecker {
public:
  AccessChecker(Operation *op, RuntimeCalls &calls)
      : op(op), calls(calls), loc(op->getLoc()), b(op) {}

  LogicalResult run();

private:
  void checkScalar(Value array, ValueRange indices, StringRef what);
  void checkVector(Value array, ValueRange indices, VectorType type, Value mask,
                   StringRef what);
  void checkLanes(Value array, ValueRange origin, Value offsets, Value mask,
                  StringRef what);
  void checkCopy(memref::CopyOp copy);
  void checkSubView(memref::SubViewOp view);
  void checkView(memref::ViewOp view);
  void checkCast(memref::CastOp cast);

  /// `index` is one of `size`; only where `when` holds, if it is not null.
  void checkIndex(Value index, Value size, Value when, const Twine &text);
  /// Calls the runtime if `outside` holds; {0} and {1} in `text` are the
  /// values.
  void fail(Value outside, const Twine &text, Value first, Value second);

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value sizeOf(Value array, int64_t dim) {
    return memref::DimOp::create(b, loc, array, dim);
  }
  Value splat(Value index, int64_t lanes) {
    return vector::BroadcastOp::create(
        b, loc, VectorType::get({lanes}, index.getType()), index);
  }
  Value compare(Predicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value any(Value lanes) {
    return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                       lanes);
  }
  /// Of the lanes that are on the largest index, unsigned; 0 if none is.
  Value largest(Value lanes, Value on) {
    Value none =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(lanes.getType()));
    lanes = arith::SelectOp::create(b, loc, on, lanes, none);
    return vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXUI,
                                       lanes);
  }

  Operation *op;
  RuntimeCalls &calls;
  Location loc;
  OpBuilder b;
};

struct CheckAccessesPass
    : arrc::impl::CheckAccessesPassBase<CheckAccessesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> ops;
    module->walk([&](Operation *op) { ops.push_back(op); });
    RuntimeCalls calls(module);
    for (Operation *op : ops)
      if (failed(AccessChecker(op, calls).run()))
        return signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

/// The address of `text` in the module, with a zero behind it.
static Value getText(OpBuilder &b, Location loc, ModuleOp module,
                     StringRef text) {
  // One global a text: they are found by what they hold.
  std::string name =
      ("arrc_text_" + Twine::utohexstr(llvm::xxh3_64bits(text))).str();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    std::string bytes = text.str();
    bytes.push_back('\0');
    global = LLVM::GlobalOp::create(
        b, module.getLoc(),
        LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, loc, global);
}

void AccessChecker::fail(Value outside, const Twine &text, Value first,
                         Value second) {
  std::string place;
  if (FileLineColLoc source = findSourcePlace(loc))
    place = (source.getFilename().getValue() + ":" + Twine(source.getLine()) +
             ":" + Twine(source.getColumn()) + ": ")
                .str();
  auto branch = scf::IfOp::create(b, loc, outside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  auto module = op->getParentOfType<ModuleOp>();
  SmallVector<Value> operands = {getText(b, loc, module, place),
                                 getText(b, loc, module, text.str())};
  for (Value value : {first, second})
    operands.push_back(
        arith::IndexCastOp::create(b, loc, b.getI64Type(), value));
  calls.call(b, loc, "arrt_fail_access", operands);
}

void AccessChecker::checkIndex(Value index, Value size, Value when,
                               const Twine &text) {
  // A negative index is a large one without a sign.
  Value outside = compare(Predicate::uge, index, size);
  if (when)
    outside = arith::AndIOp::create(b, loc, outside, when);
  fail(outside, text, index, size);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void AccessChecker::checkScalar(Value array, ValueRange indices,
                                StringRef what) {
  for (auto [dim, index] : llvm::enumerate(indices))
    checkIndex(index, sizeOf(array, dim), /*when=*/{},
               what + " at index {0} of a dimension of size {1}");
}

/// Neighbours along the last dimension.
void AccessChecker::checkVector(Value array, ValueRange indices,
                                VectorType type, Value mask, StringRef what) {
  std::string text = (what + " at index {0} of a dimension of size {1}").str();
  Value on = mask ? any(mask) : Value();
  for (auto [dim, index] : llvm::enumerate(indices.drop_back()))
    checkIndex(index, sizeOf(array, dim), on, text);
  int64_t lanes = type.getNumElements();
  Value first = indices.back(), size = sizeOf(array, indices.size() - 1);
  if (!mask) {
    Value last = arith::AddIOp::create(b, loc, first, constant(lanes - 1));
    checkIndex(first, size, /*when=*/{}, text);
    return checkIndex(last, size, /*when=*/{}, text);
  }
  Value each = arith::AddIOp::create(
      b, loc, splat(first, lanes),
      vector::StepOp::create(b, loc,
                             VectorType::get({lanes}, b.getIndexType())));
  Value wrong = arith::AndIOp::create(
      b, loc, mask, compare(Predicate::uge, each, splat(size, lanes)));
  fail(any(wrong), text, largest(each, wrong), size);
}

/// Lanes at offsets, counted in elements, from the element `origin`.
void AccessChecker::checkLanes(Value array, ValueRange origin, Value offsets,
                               Value mask, StringRef what) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
  Value zero = constant(0), one = constant(1);
  Value begin = zero, span = one, empty;
  for (auto [index, size, stride] :
       llvm::zip(origin, metadata.getSizes(), metadata.getStrides())) {
    begin = arith::AddIOp::create(b, loc, begin,
                                  arith::MulIOp::create(b, loc, index, stride));
    Value last = arith::SubIOp::create(b, loc, size, one);
    span = arith::AddIOp::create(b, loc, span,
                                 arith::MulIOp::create(b, loc, last, stride));
    Value none = compare(Predicate::eq, size, zero);
    empty =
        empty ? arith::OrIOp::create(b, loc, empty, none).getResult() : none;
  }
  if (empty)
    span = arith::SelectOp::create(b, loc, empty, zero, span);
  auto type = cast<VectorType>(offsets.getType());
  int64_t lanes = type.getNumElements();
  if (!type.getElementType().isIndex())
    offsets = arith::IndexCastOp::create(
        b, loc, VectorType::get({lanes}, b.getIndexType()), offsets);
  Value each = arith::AddIOp::create(b, loc, offsets, splat(begin, lanes));
  Value wrong = arith::AndIOp::create(
      b, loc, mask, compare(Predicate::uge, each, splat(span, lanes)));
  fail(any(wrong), what + " of element {0} of an array of {1}",
       largest(each, wrong), span);
}

//===----------------------------------------------------------------------===//
// Views and copies
//===----------------------------------------------------------------------===//

void AccessChecker::checkCopy(memref::CopyOp copy) {
  Value from = copy.getSource(), to = copy.getTarget();
  for (int64_t dim : llvm::seq(cast<MemRefType>(to.getType()).getRank())) {
    Value ours = sizeOf(to, dim), theirs = sizeOf(from, dim);
    fail(compare(Predicate::ne, ours, theirs),
         "a copy to a dimension of size {0} from one of size {1}", ours,
         theirs);
  }
}

void AccessChecker::checkSubView(memref::SubViewOp view) {
  Value zero = constant(0), one = constant(1);
  for (auto [dim, parts] :
       llvm::enumerate(llvm::zip(view.getMixedOffsets(), view.getMixedSizes(),
                                 view.getMixedStrides()))) {
    auto [offset, size, stride] = parts;
    Value first = getValueOrCreateConstantIndexOp(b, loc, offset);
    Value count = getValueOrCreateConstantIndexOp(b, loc, size);
    Value step = getValueOrCreateConstantIndexOp(b, loc, stride);
    Value whole = sizeOf(view.getSource(), dim);
    Value any = compare(Predicate::ne, count, zero);
    Value last = arith::AddIOp::create(
        b, loc, first,
        arith::MulIOp::create(b, loc, step,
                              arith::SubIOp::create(b, loc, count, one)));
    for (Value edge : {first, last})
      checkIndex(edge, whole, any,
                 "a view of index {0} of a dimension of size {1}");
  }
}

void AccessChecker::checkView(memref::ViewOp view) {
  MemRefType type = view.getType();
  Value end = constant(getElementBytes(type.getElementType()));
  for (int64_t dim : llvm::seq(type.getRank()))
    end = arith::MulIOp::create(b, loc, end, sizeOf(view, dim));
  end = arith::AddIOp::create(b, loc, end, view.getByteShift());
  Value bytes = sizeOf(view.getSource(), 0);
  fail(compare(Predicate::ugt, end, bytes),
       "a part that ends behind byte {0} of {1}", end, bytes);
}

void AccessChecker::checkCast(memref::CastOp cast) {
  auto from = dyn_cast<MemRefType>(cast.getSource().getType());
  auto to = dyn_cast<MemRefType>(cast.getType());
  if (!from || !to)
    return;
  for (int64_t dim : llvm::seq(to.getRank())) {
    if (to.isDynamicDim(dim) || !from.isDynamicDim(dim))
      continue;
    Value is = sizeOf(cast.getSource(), dim);
    Value wanted = constant(to.getDimSize(dim));
    fail(compare(Predicate::ne, is, wanted),
         "a dimension of size {0} is taken for one of size {1}", is, wanted);
  }
}

/// Whether an operation reads or writes one of its arrays.
static bool accessesArray(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        (effects.getEffectOnValue<MemoryEffects::Read>(operand) ||
         effects.getEffectOnValue<MemoryEffects::Write>(operand)))
      return true;
  return false;
}

LogicalResult AccessChecker::run() {
  constexpr StringLiteral load = "a load", store = "a store";
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::LoadOp op) {
        checkScalar(op.getMemRef(), op.getIndices(), load);
        return success();
      })
      .Case([&](memref::StoreOp op) {
        checkScalar(op.getMemRef(), op.getIndices(), store);
        return success();
      })
      .Case([&](memref::AtomicRMWOp op) {
        checkScalar(op.getMemref(), op.getIndices(), store);
        return success();
      })
      .Case([&](vector::LoadOp op) {
        checkVector(op.getBase(), op.getIndices(), op.getVectorType(), {},
                    load);
        return success();
      })
      .Case([&](vector::StoreOp op) {
        checkVector(op.getBase(), op.getIndices(), op.getVectorType(), {},
                    store);
        return success();
      })
      .Case([&](vector::MaskedLoadOp op) {
        checkVector(op.getBase(), op.getIndices(), op.getVectorType(),
                    op.getMask(), load);
        return success();
      })
      .Case([&](vector::MaskedStoreOp op) {
        checkVector(op.getBase(), op.getIndices(), op.getVectorType(),
                    op.getMask(), store);
        return success();
      })
      .Case([&](vector::GatherOp op) {
        checkLanes(op.getBase(), op.getOffsets(), op.getIndices(), op.getMask(),
                   load);
        return success();
      })
      .Case([&](vector::ScatterOp op) {
        checkLanes(op.getBase(), op.getOffsets(), op.getIndices(), op.getMask(),
                   store);
        return success();
      })
      .Case([&](memref::CopyOp op) { return checkCopy(op), success(); })
      .Case([&](memref::SubViewOp op) { return checkSubView(op), success(); })
      .Case([&](memref::ViewOp op) {
        // The sizes are those of the view itself.
        b.setInsertionPointAfter(op);
        return checkView(op), success();
      })
      .Case([&](memref::CastOp op) { return checkCast(op), success(); })
      // What it does with its arrays nobody sees.
      .Case<memref::PrefetchOp, array::ExternOp>(
          [&](auto) { return success(); })
      .Case([&](memref::ReinterpretCastOp op) -> LogicalResult {
        if (isPartsOfComplex(op))
          return success();
        return op.emitOpError("makes a view that cannot be checked");
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (accessesArray(op))
          return op->emitOpError("is an access that cannot be checked");
        return success();
      });
}
