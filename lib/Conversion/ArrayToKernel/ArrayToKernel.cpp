//===- ArrayToKernel.cpp - Every array operation its own launch -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each operation with an index space that stands outside of others becomes a
// launch: its nest, and in it the nests of what its body holds. Results go to
// new arrays; a fold of the host goes to an array of rank 0 and is read from
// there. Launches are joined and destinations improved by later passes.
//
//   %s = array.reduce (%i "i") in (%n) init (%z : f32) {
//     %v = array.at %x[%i] inbounds : tensor<?xf32>
//     array.yield %v : f32
//   } by arith.addf
//
//   %e = tensor.empty() : tensor<f32>
//   %r = kernel.launch @f_3 (%N = %n : index, %X[%N] = %x : tensor<?xf32>)
//       outs (%S = %e : tensor<f32>) {
//     %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
//       %v = kernel.load %X[%i] : memref<?xf32>
//       kernel.yield %v : f32
//     }
//     kernel.store %t, %S[] : memref<f32>
//   }
//   %s = tensor.extract %r[] : tensor<f32>
//
// Views cost nothing where they are read by index. One that escapes (returned,
// carried, put into a slice) is copied, and a remark says so.
//
//===----------------------------------------------------------------------===//

#include "arrc/Conversion/Passes.h"

#include "BodyEmitter.h"
#include "EmitSort.h"
#include "SortUpdates.h"
#include "UndoFolding.h"
#include "WrittenSchedule.h"

#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Support/DimNumber.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

namespace arrc {
#define GEN_PASS_DEF_CONVERTARRAYTOKERNELPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Sizes of results
//===----------------------------------------------------------------------===//

/// The sizes of an array result: the extents, then those of what is yielded.
static LogicalResult getResultSizes(array::IndexSpaceOpInterface op,
                                    OpResult result, LaunchFrame &frame,
                                    SmallVectorImpl<OpFoldResult> &sizes) {
  auto type = cast<RankedTensorType>(result.getType());
  unsigned k = result.getResultNumber();
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  Builder builder(op.getContext());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      sizes.push_back(builder.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    if (d < (int64_t)extents.size()) {
      sizes.push_back(extents[d]);
      continue;
    }
    Value row = op.getYield().getValues()[op.getYieldedIndex(k)];
    OpFoldResult size = frame.getHostSizes().getKnown(row, d - extents.size());
    if (auto value = dyn_cast_or_null<Value>(size);
        !size || (value && !frame.isOutside(value)))
      return emitError(op.getLoc(),
                       "the size of a row is known only inside of the 'for'");
    sizes.push_back(size);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations of the host
//===----------------------------------------------------------------------===//

static bool isView(Value array) {
  return isa_and_nonnull<array::ViewOp, array::ExtendOp>(array.getDefiningOp());
}

static LogicalResult convertIndexSpace(array::IndexSpaceOpInterface op,
                                       HostSizes &hostSizes) {
  LaunchFrame frame(op, hostSizes);
  BodyEmitter emitter(frame);
  OpBuilder &builder = emitter.getBuilder();
  SmallVector<Place> places;
  for (OpResult result : op->getResults()) {
    array::ResultForm form = op.getResultForm(result.getResultNumber());
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (form == array::ResultForm::Update) {
      Value into = array::skipBinds(
          cast<array::ScatterOp>(op).getInto()[result.getResultNumber()]);
      if (!isView(into)) {
        places.push_back(emitter.makePlace(frame.addOut(into)));
        continue;
      }
      Value out =
          frame.addEmptyOut(type, hostSizes.getAll(into, op.getOperation()));
      places.push_back(emitter.makePlace(out));
      if (failed(emitter.copyInto(into, places.back(), op.getLoc())))
        return failure();
      continue;
    }
    SmallVector<OpFoldResult> sizes;
    // Room for all: how many are kept is known when they are written.
    if (form == array::ResultForm::Kept) {
      sizes = op.getMixedExtents();
      type = RankedTensorType::get(op.getStaticExtentList(),
                                   type.getElementType());
    }
    if (form == array::ResultForm::Count)
      type = RankedTensorType::get({}, builder.getI64Type());
    else if (!type)
      type = RankedTensorType::get({}, result.getType());
    if (form == array::ResultForm::Kept)
      ;
    else if (type.hasStaticShape())
      for (int64_t size : type.getShape())
        sizes.push_back(builder.getIndexAttr(size));
    else if (failed(getResultSizes(op, result, frame, sizes)))
      return failure();
    places.push_back(emitter.makePlace(frame.addEmptyOut(type, sizes)));
  }

  LogicalResult written =
      TypeSwitch<Operation *, LogicalResult>(op)
          .Case([&](array::ReduceOp reduce) {
            return emitter.emitReduce(reduce);
          })
          .Case([&](array::ScanOp scan) {
            return emitter.emitScan(
                scan, ArrayRef(places).take_front(scan.getInit().size()));
          })
          .Case([&](array::ScatterOp scatter) {
            return emitter.emitScatter(scatter, places);
          })
          .Case([&](array::FilterOp filter) {
            return emitter.emitFilter(filter, places);
          })
          .Default([&](Operation *) { return emitter.emitMap(op, places); });
  if (failed(written))
    return failure();
  for (auto [result, place] : llvm::zip(op->getResults(), places)) {
    array::ResultForm form = op.getResultForm(result.getResultNumber());
    if (form != array::ResultForm::Fold && form != array::ResultForm::Total)
      continue;
    if (isa<RankedTensorType>(result.getType())) {
      if (failed(emitter.copyInto(result, place, op.getLoc())))
        return failure();
      continue;
    }
    kernel::StoreOp::create(builder, op.getLoc(), emitter.getScalar(result),
                            place.memref, ValueRange());
  }

  kernel::LaunchOp launch = frame.finish();
  obeyWrittenSchedule(op, launch);
  OpBuilder host(op);
  Value count;
  for (auto [result, made] : llvm::zip(op->getResults(), launch.getResults())) {
    array::ResultForm form = op.getResultForm(result.getResultNumber());
    if (form == array::ResultForm::Count) {
      Value number =
          tensor::ExtractOp::create(host, op.getLoc(), made, ValueRange());
      count = arith::IndexCastOp::create(host, op.getLoc(), host.getIndexType(),
                                         number);
      result.replaceAllUsesWith(count);
    } else if (form == array::ResultForm::Kept) {
      // The front of what there is room for; a slice of no elements does not
      // begin inside of them.
      OpFoldResult zero = host.getIndexAttr(0), one = host.getIndexAttr(1);
      auto type = cast<RankedTensorType>(result.getType());
      Value front;
      if (cast<RankedTensorType>(made.getType()).getNumDynamicDims() == 0 &&
          cast<RankedTensorType>(made.getType()).getNumElements() == 0)
        front = tensor::CastOp::create(host, op.getLoc(), type, made);
      else
        front = tensor::ExtractSliceOp::create(host, op.getLoc(), type, made,
                                               zero, OpFoldResult(count), one);
      hostSizes.set(front, OpFoldResult(count));
      result.replaceAllUsesWith(front);
    } else if (isa<RankedTensorType>(result.getType()))
      result.replaceAllUsesWith(made);
    else
      result.replaceAllUsesWith(
          tensor::ExtractOp::create(host, op.getLoc(), made, ValueRange()));
  }
  op->erase();
  return success();
}

/// Makes an array of what `result` shows.
static LogicalResult convertToCopy(Value result, HostSizes &hostSizes) {
  Operation *op = result.getDefiningOp();
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OpFoldResult size = hostSizes.getKnown(result, d);
    if (!size)
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()) && !isa<array::ViewOp>(op))
          size = hostSizes.get(operand, d, op);
    if (!size)
      return op->emitOpError("has a size that is not known");
    sizes.push_back(size);
  }
  LaunchFrame frame(op, hostSizes);
  BodyEmitter emitter(frame);
  Place place = emitter.makePlace(frame.addEmptyOut(type, sizes));
  if (failed(emitter.copyInto(result, place, op->getLoc())))
    return failure();
  kernel::LaunchOp launch = frame.finish();
  result.replaceAllUsesWith(launch.getResult(0));
  return success();
}

/// Sorts arrays that lie in memory.
static LogicalResult convertHostSort(array::SortOp sort, HostSizes &hostSizes) {
  for (OpOperand &operand : sort->getOpOperands()) {
    Value array = array::skipBinds(operand.get());
    if (isView(array) ||
        isa_and_nonnull<tensor::SplatOp>(array.getDefiningOp())) {
      // Of its own, in front of the sort: others look through the view.
      OpBuilder builder(sort);
      array = builder.clone(*array.getDefiningOp())->getResult(0);
      Operation *view = array.getDefiningOp();
      operand.set(array);
      if (failed(convertToCopy(array, hostSizes)))
        return failure();
      view->erase();
      continue;
    }
    operand.set(array);
  }
  convertSort(sort, hostSizes);
  return success();
}

/// A read by the host: of memory at once, through a boundary by a launch.
static LogicalResult convertHostRead(array::AtOp op, HostSizes &hostSizes) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  bool hasEdge = false;
  for (Value array = op.getSource(); array.getDefiningOp();) {
    Operation *source = array.getDefiningOp();
    hasEdge |= isa<array::ExtendOp>(source);
    if (!isa<array::BindOp, array::ViewOp, array::ExtendOp>(source))
      break;
    array = source->getOperand(0);
  }
  SmallVector<Value> index(op.getIndices());
  if (!op.getInbounds() && !hasEdge) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (auto [d, i] : llvm::enumerate(index)) {
      Value size = getValueOrCreateConstantIndexOp(
          builder, loc, hostSizes.get(op.getSource(), d, op));
      Value ok = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       i, size);
      array::CheckOp::create(builder, loc, array::CheckKind::Index, ok,
                             "index {0} is outside of a dimension of size {1}",
                             ValueRange{i, size});
      // The read may be moved in front of its check.
      index[d] = arith::SelectOp::create(builder, loc, ok, i, zero);
    }
  }
  if (!hasEdge) {
    Value array = op.getSource();
    while (
        isa_and_nonnull<array::BindOp, array::ViewOp>(array.getDefiningOp())) {
      if (auto view = array.getDefiningOp<array::ViewOp>()) {
        SmallVector<OpFoldResult> operands(index.begin(), index.end());
        llvm::append_range(operands, view.getSymbols());
        AffineMap map = view.getMap();
        index.clear();
        for (AffineExpr e : map.getResults())
          index.push_back(getValueOrCreateConstantIndexOp(
              builder, loc,
              affine::makeComposedFoldedAffineApply(
                  builder, loc,
                  AffineMap::get(map.getNumDims(), map.getNumSymbols(), e),
                  operands)));
      }
      array = array.getDefiningOp()->getOperand(0);
    }
    op.replaceAllUsesWith(
        tensor::ExtractOp::create(builder, loc, array, index).getResult());
    op.erase();
    return success();
  }
  LaunchFrame frame(op, hostSizes);
  BodyEmitter emitter(frame);
  Value out = frame.addEmptyOut(RankedTensorType::get({}, op.getType()), {});
  Value read = emitter.emitAt(op);
  if (!read)
    return failure();
  kernel::StoreOp::create(emitter.getBuilder(), loc, read, out, ValueRange());
  kernel::LaunchOp launch = frame.finish();
  op.replaceAllUsesWith(
      tensor::ExtractOp::create(builder, loc, launch.getResult(0), ValueRange())
          .getResult());
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertArrayToKernelPass
    : public arrc::impl::ConvertArrayToKernelPassBase<
          ConvertArrayToKernelPass> {
  using ConvertArrayToKernelPassBase::ConvertArrayToKernelPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    HostSizes sizes;
    refuseInnerSchedules(func);
    chooseByBranches(func);
    fillConstants(func);
    sortUpdates(func);
    findKeyRanges(func);
    chainAssignments(func);
    for (Operation *op : collect(func, [](Operation *op) {
           return isa<array::IndexSpaceOpInterface, array::AtOp, array::SortOp>(
                      op) ||
                  isElementwise(op);
         }))
      if (failed(convert(op, sizes)))
        return signalPassFailure();
    // Sizes that are kept may be such dimensions, too.
    HostSizes::Replaced folded;
    for (Operation *op : collect(func, llvm::IsaPred<tensor::DimOp>))
      foldDim(cast<tensor::DimOp>(op), sizes, folded);
    sizes.replace(folded);
    for (auto &entry : folded)
      entry.first.getDefiningOp()->erase();
    SmallVector<Operation *> views =
        collect(func, llvm::IsaPred<array::ViewOp, array::ExtendOp,
                                    array::BindOp, tensor::SplatOp>);
    for (Operation *op : llvm::reverse(views))
      if (failed(removeView(op, sizes)))
        return signalPassFailure();
    for (Operation *op : collect(func, llvm::IsaPred<tensor::InsertSliceOp>))
      storeElement(cast<tensor::InsertSliceOp>(op));
    nameLaunches(func);
  }

  /// Constants all of whose elements are one are filled where an array of its
  /// own begins with them: a copy of the image's would come from the host in
  /// each call. A few bytes are filled without a launch.
  static void fillConstants(func::FuncOp func) {
    constexpr int64_t fewBytes = 256;
    for (Operation *op : collect(func, llvm::IsaPred<arith::ConstantOp>)) {
      auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
      auto value =
          dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
      if (!type || !value || !value.isSplat() ||
          type.getNumElements() * getStoredBytes(type.getElementType()) <
              fewBytes)
        continue;
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        Operation *user = use.getOwner();
        bool isStart = isa<array::ScatterOp, scf::ForOp, scf::WhileOp,
                           tensor::InsertOp, tensor::InsertSliceOp>(user);
        if (!isStart ||
            (isa<tensor::InsertSliceOp>(user) && use.getOperandNumber() == 0))
          continue;
        OpBuilder b(user);
        Location loc = op->getLoc();
        Attribute element = value.getSplatValue<Attribute>();
        auto parts = dyn_cast<ArrayAttr>(element);
        Value scalar =
            parts ? complex::ConstantOp::create(b, loc, type.getElementType(),
                                                parts)
                        .getResult()
                  : arith::ConstantOp::create(b, loc, cast<TypedAttr>(element))
                        .getResult();
        use.set(tensor::SplatOp::create(b, loc, scalar, type));
      }
    }
  }

  /// The operations of the host that `wanted` names, in order.
  static SmallVector<Operation *>
  collect(func::FuncOp func, function_ref<bool(Operation *)> wanted) {
    SmallVector<Operation *> found;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (wanted(op))
        found.push_back(op);
      return isa<array::IndexSpaceOpInterface, kernel::LaunchOp>(op)
                 ? WalkResult::skip()
                 : WalkResult::advance();
    });
    return found;
  }

  static bool isElementwise(Operation *op) {
    return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
           isa<RankedTensorType>(op->getResult(0).getType());
  }

  static LogicalResult convert(Operation *op, HostSizes &sizes) {
    if (auto space = dyn_cast<array::IndexSpaceOpInterface>(op))
      return convertIndexSpace(space, sizes);
    if (auto at = dyn_cast<array::AtOp>(op))
      return convertHostRead(at, sizes);
    if (auto sort = dyn_cast<array::SortOp>(op))
      return convertHostSort(sort, sizes);
    if (failed(convertToCopy(op->getResult(0), sizes)))
      return failure();
    op->erase();
    return success();
  }

  static void foldDim(tensor::DimOp dim, HostSizes &sizes,
                      HostSizes::Replaced &folded) {
    auto number = getDimNumber(dim);
    if (!number)
      return;
    OpFoldResult size = sizes.getKnown(dim.getSource(), *number);
    if (!size)
      return;
    size = HostSizes::follow(size, folded);
    if (size == OpFoldResult(dim.getResult()))
      return;
    OpBuilder builder(dim);
    dim.replaceAllUsesWith(
        getValueOrCreateConstantIndexOp(builder, dim.getLoc(), size));
    folded.insert({dim.getResult(), size});
  }

  /// Views that nobody looks through any more are dead, others are copies.
  static LogicalResult removeView(Operation *op, HostSizes &sizes) {
    if (!op->use_empty() && isa<array::ViewOp, tensor::SplatOp>(op)) {
      if (failed(convertToCopy(op->getResult(0), sizes)))
        return failure();
      if (isa<array::ViewOp>(op))
        remark::missed(op->getLoc(), remark::RemarkOpts::name("CopiedView")
                                         .category("convert-array-to-kernel"))
            << remark::reason("the view is used as an array of its own");
    } else {
      // The sizes of what a loop starts with are known by this name alone.
      op->getResult(0).replaceUsesWithIf(
          op->getOperand(0), [&](OpOperand &use) {
            return !isa<array::BindOp>(op) ||
                   !isa<scf::ForOp, scf::WhileOp>(use.getOwner());
          });
    }
    if (op->use_empty())
      op->erase();
    return success();
  }

  /// An element assignment is a slice of rank 0: a store, not a copy.
  static void storeElement(tensor::InsertSliceOp insert) {
    auto element = insert.getSource().getDefiningOp<tensor::FromElementsOp>();
    if (!element || insert.getSourceType().getRank() != 0)
      return;
    OpBuilder builder(insert);
    SmallVector<Value> index = getValueOrCreateConstantIndexOp(
        builder, insert.getLoc(), insert.getMixedOffsets());
    insert.replaceAllUsesWith(
        tensor::InsertOp::create(builder, insert.getLoc(),
                                 element.getElements().front(),
                                 insert.getDest(), index)
            .getResult());
    insert.erase();
  }

  /// A number behind the names that occur twice.
  static void nameLaunches(func::FuncOp func) {
    llvm::StringMap<unsigned> count;
    func.walk([&](kernel::LaunchOp launch) {
      std::string name = launch.getKernelName().str();
      if (unsigned k = count[name]++)
        launch.setKernelName(name + "_" + std::to_string(k));
    });
  }
};
} // namespace
