//===- HostReturn.cpp - Arguments and results of exports -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostConverter.h"
#include "ProgramTable.h"

#include "arrc/Analysis/BufferDistinctness.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace arrc;

Value arrc::readArgument(RuntimeCalls &calls, OpBuilder &b, Location loc,
                         Value args, unsigned number, Type type,
                         Value &handle) {
  Type pointer = calls.getPointer();
  Value slot =
      LLVM::GEPOp::create(b, loc, pointer, pointer, args,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
  Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    if (type.isInteger(1)) { // a byte in memory
      Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), address);
      return LLVM::TruncOp::create(b, loc, type, byte);
    }
    Value value = LLVM::LoadOp::create(
        b, loc, calls.getConverter().convertType(type), address);
    return calls.fromLLVM(b, loc, value, type);
  }
  handle = LLVM::LoadOp::create(b, loc, pointer, address);
  Value data = calls.call(b, loc, "arrt_array_data", {handle});
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < memref.getRank(); ++d)
    sizes.push_back(memref.isDynamicDim(d)
                        ? calls.call(b, loc, "arrt_array_size",
                                     {handle, calls.i32(b, loc, d)})
                        : calls.i64(b, loc, memref.getDimSize(d)));
  return calls.makeMemRef(b, loc, memref, data, sizes);
}

/// A handle that owns all bytes of an allocation.
Value HostConverter::adoptWhole(OpBuilder &b, Location loc, Value pack) {
  MemRefDescriptor bytes = calls.getDescriptor(b, loc, pack);
  Value size = getStackSlots(loc, 1);
  LLVM::StoreOp::create(b, loc, bytes.size(b, loc, 0), size);
  return calls.call(b, loc, "arrt_array_adopt",
                    {context, bytes.allocatedPtr(b, loc),
                     calls.i32(b, loc, *getElementNumber("u8")),
                     calls.i32(b, loc, 1), size});
}

LogicalResult HostConverter::convertReturn(func::ReturnOp op, ArrayAttr results,
                                           Value args,
                                           ArrayRef<BlockArgument> formals,
                                           ArrayRef<Value> actuals,
                                           ArrayRef<Value> handles) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type pointer = calls.getPointer();
  Value null = LLVM::ZeroOp::create(b, loc, pointer);
  /// A buffer that has a handle already.
  struct Owned {
    Value buffer, data, handle;
    int64_t rank;
  };
  SmallVector<Owned> owned;
  for (auto [formal, actual, handle] : llvm::zip(formals, actuals, handles))
    if (handle)
      owned.push_back({formal,
                       calls.getDescriptor(b, loc, actual).alignedPtr(b, loc),
                       handle, cast<MemRefType>(actual.getType()).getRank()});
  size_t numArguments = owned.size();
  /// Allocations of which planes are returned: each is an array that the
  /// handles of its planes own.
  llvm::MapVector<Value, Value> wholes;

  for (auto [number, value] : llvm::enumerate(op.getOperands())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, pointer, pointer, args,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(formals.size() + number)});
    Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      Value stored = calls.toLLVM(b, loc, value);
      if (value.getType().isInteger(1))
        stored = LLVM::ZExtOp::create(b, loc, b.getI8Type(), stored);
      LLVM::StoreOp::create(b, loc, stored, address);
      continue;
    }
    // The front of a one-dimensional buffer is dense as well.
    int64_t offset;
    SmallVector<int64_t> strides;
    if (!memref.getLayout().isIdentity() &&
        (failed(memref.getStridesAndOffset(strides, offset)) || offset != 0 ||
         memref.getRank() != 1 || strides.front() != 1))
      return op.emitOpError("of a view should have become a copy");
    auto facts = cast<DictionaryAttr>(results[number]);
    auto name = facts.getAs<StringAttr>("element");
    std::optional<int32_t> element =
        name ? getElementNumber(name) : std::nullopt;
    if (!element)
      return op.emitOpError("of an element type that the runtime lacks");

    MemRefDescriptor descriptor = calls.getDescriptor(b, loc, value);
    Value data = descriptor.alignedPtr(b, loc);
    Value sizes = getStackSlots(loc, memref.getRank());
    for (int32_t d = 0; d < memref.getRank(); ++d) {
      Value place = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), sizes,
                                        ArrayRef<LLVM::GEPArg>{d});
      LLVM::StoreOp::create(b, loc, descriptor.size(b, loc, d), place);
    }
    Value elementValue = calls.i32(b, loc, *element);
    Value rank = calls.i32(b, loc, memref.getRank());

    // A plane lies in an allocation beside others, which all go to the caller.
    if (auto plane = getBuffer(value).getDefiningOp<memref::ViewOp>()) {
      Value &whole = wholes[plane.getSource()];
      if (!whole)
        whole = adoptWhole(b, loc, plane.getSource());
      Value part =
          calls.call(b, loc, "arrt_array_part",
                     {context, whole, data, elementValue, rank, sizes});
      LLVM::StoreOp::create(b, loc, part, address);
      continue;
    }

    // Whose buffer is it? Where buffers met at a branch or a loop only the
    // addresses can tell.
    Value buffer = getBuffer(value);
    bool isFresh = buffer.getDefiningOp<memref::AllocOp>();
    Value shared = null, other;
    for (auto [position, candidate] : llvm::enumerate(owned)) {
      bool maybe =
          candidate.buffer == buffer ||
          !(isFresh && (position < numArguments ||
                        candidate.buffer.getDefiningOp<memref::AllocOp>()));
      if (!maybe)
        continue;
      Value same = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, data,
                                        candidate.data);
      if (candidate.rank == memref.getRank())
        shared = LLVM::SelectOp::create(b, loc, same, candidate.handle, shared);
      else // a reshaped array needs a handle and memory of its own
        other = other ? Value(LLVM::OrOp::create(b, loc, other, same)) : same;
    }

    Block *here = b.getInsertionBlock();
    Block *done = here->splitBlock(b.getInsertionPoint());
    Value result = done->addArgument(pointer, loc);
    auto inBlock = [&](auto emit) {
      OpBuilder::InsertionGuard guard(b);
      Block *block = b.createBlock(done);
      cf::BranchOp::create(b, loc, done, ValueRange(emit()));
      return block;
    };
    Block *adopt = inBlock([&] {
      return calls.call(b, loc, "arrt_array_adopt",
                        {context, data, elementValue, rank, sizes});
    });
    if (other) {
      Block *copy = inBlock([&]() -> Value {
        Value fresh = calls.call(
            b, loc, "arrt_array_alloc",
            {context, elementValue, rank, sizes, calls.i32(b, loc, -1)});
        Value failed =
            LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, fresh, null);
        returnIf(b, loc, failed, [&](OpBuilder &b) {
          return calls.call(b, loc, "arrt_last_status", {context});
        });
        Value bytes =
            calls.i64(b, loc, getElementBytes(memref.getElementType()));
        for (int64_t d = 0; d < memref.getRank(); ++d)
          bytes =
              LLVM::MulOp::create(b, loc, bytes, descriptor.size(b, loc, d));
        Value target = calls.call(b, loc, "arrt_array_data", {fresh});
        calls.call(b, loc, "arrt_buffer_copy", {context, target, data, bytes});
        return fresh;
      });
      OpBuilder::InsertionGuard guard(b);
      Block *choose = b.createBlock(done);
      cf::CondBranchOp::create(b, loc, other, copy, adopt);
      adopt = choose;
    }
    b.setInsertionPointToEnd(here);
    if (shared == null) {
      cf::BranchOp::create(b, loc, adopt);
    } else {
      Block *share = inBlock(
          [&] { return calls.call(b, loc, "arrt_array_retain", {shared}); });
      b.setInsertionPointToEnd(here);
      Value found =
          LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, shared, null);
      cf::CondBranchOp::create(b, loc, found, share, adopt);
    }
    b.setInsertionPointToStart(done);
    LLVM::StoreOp::create(b, loc, result, address);
    owned.push_back({buffer, data, result, memref.getRank()});
  }
  for (auto [pack, whole] : wholes)
    calls.call(b, loc, "arrt_array_release", {whole});
  LLVM::ReturnOp::create(b, loc, calls.i32(b, loc, 0));
  op.erase();
  return success();
}
