//===- Planes.cpp - Arrays beside each other in one allocation ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Planes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace arrc::target;

/// Marks a pointer to a plane of an allocation until its accesses say so.
static constexpr llvm::StringLiteral kPlaneAttr = "arrc.plane";

bool arrc::target::isPlane(UnrealizedConversionCastOp op) {
  return op.getNumOperands() == 2 && op.getNumResults() == 1 &&
         isa<MemRefType>(op.getOperand(0).getType()) &&
         op.getOperand(1).getType().isInteger(64) &&
         isa<MemRefType>(op.getType(0));
}

namespace {
/// An array so many bytes behind a pointer: a plane beside others.
struct ConvertPlane : ConvertOpToLLVMPattern<UnrealizedConversionCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isPlane(op))
      return failure();
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getType(0));
    MemRefDescriptor pack(adaptor.getOperands()[0]);
    Value pointer = pack.alignedPtr(rewriter, loc);
    auto plane = LLVM::GEPOp::create(
        rewriter, loc, pointer.getType(), rewriter.getI8Type(), pointer,
        ArrayRef<LLVM::GEPArg>{adaptor.getOperands()[1]},
        LLVM::GEPNoWrapFlags::inbounds);
    plane->setAttr(kPlaneAttr, rewriter.getUnitAttr());
    Value array = MemRefDescriptor::fromStaticShape(
        rewriter, loc, *getTypeConverter(), type, plane);
    rewriter.replaceOp(op, array);
    return success();
  }
};
} // namespace

void arrc::target::populatePlanePatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvertPlane>(converter, PatternBenefit(20));
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// The pointer that `pointer` comes from by steps inside of one array.
static Value getArrayPointer(Value pointer) {
  while (Operation *def = pointer.getDefiningOp()) {
    if (def->hasAttr(kPlaneAttr))
      break;
    if (auto step = dyn_cast<LLVM::GEPOp>(def)) {
      pointer = step.getBase();
      continue;
    }
    auto read = dyn_cast<LLVM::ExtractValueOp>(def);
    if (!read)
      break;
    // Out of a description that has just been put together.
    Value found;
    for (auto put = read.getContainer().getDefiningOp<LLVM::InsertValueOp>();
         put && !found;
         put = put.getContainer().getDefiningOp<LLVM::InsertValueOp>())
      if (put.getPosition() == read.getPosition())
        found = put.getValue();
    if (!found)
      break;
    pointer = found;
  }
  return pointer;
}

void arrc::target::nameScopes(LLVM::LLVMFuncOp function) {
  llvm::MapVector<Value, SmallVector<Operation *>> planes;
  llvm::DenseSet<Value> written;
  function.walk([&](LLVM::GEPOp op) {
    if (op->hasAttr(kPlaneAttr))
      planes[op];
  });
  if (planes.empty())
    return;
  auto getPack = [](Value plane) {
    return getArrayPointer(plane.getDefiningOp<LLVM::GEPOp>().getBase());
  };
  function.walk([&](LLVM::AliasAnalysisOpInterface op) {
    for (Value pointer : op.getAccessedOperands()) {
      auto *plane = planes.find(getArrayPointer(pointer));
      if (plane == planes.end())
        continue;
      plane->second.push_back(op);
      if (!isa<LLVM::LoadOp>(op))
        written.insert(getPack(plane->first));
    }
  });
  MLIRContext *context = function.getContext();
  auto domain = LLVM::AliasScopeDomainAttr::get(context);
  llvm::MapVector<Value, SmallVector<std::pair<Value, Attribute>>> packs;
  for (auto &[plane, accesses] : planes)
    if (written.contains(getPack(plane)))
      packs[getPack(plane)].emplace_back(plane,
                                         LLVM::AliasScopeAttr::get(domain));
  for (auto &[pack, scopes] : packs)
    for (auto [plane, scope] : scopes) {
      SmallVector<Attribute> others;
      for (auto [other, otherScope] : scopes)
        if (other != plane)
          others.push_back(otherScope);
      for (Operation *access : planes[plane]) {
        auto op = cast<LLVM::AliasAnalysisOpInterface>(access);
        op.setAliasScopes(ArrayAttr::get(context, scope));
        op.setNoAliasScopes(ArrayAttr::get(context, others));
      }
    }
  for (auto &[plane, accesses] : planes)
    plane.getDefiningOp()->removeAttr(kPlaneAttr);
}
