//===- SplitScans.cpp - What a scan takes in, computed first --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Whoever scans in parallel needs what an iteration takes in two or three
// times: for the total of a block, of a thread, and for the prefixes. That is
// cheap for a read, not for a loop, which also wants lanes and threads of its
// own along what it reads:
//
//   Before   array.scan (%i) in (%n) { %s = array.reduce (%j) in (%m) {..}
//                                      array.yield %s } by arith.addf
//   After    %t = array.map (%i) in (%n) { %s = array.reduce (%j) in (%m) {..}
//                                          array.yield %s }
//            array.scan (%i) in (%n) { %s = array.at %t[%i]
//                                      array.yield %s } by arith.addf
//
// A filter is a scan that counts, and keeps what it has read for the values.
//
// Late: fusing producers would undo it, and may have brought the loop in.
//
// Legal: bodies are pure. Pays: one write and some reads of an element against
// a loop; not inside of another body, where the array would be one of many.
//
//===----------------------------------------------------------------------===//

#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::array {
#define GEN_PASS_DEF_SPLITSCANSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Legality and profitability
//===----------------------------------------------------------------------===//

static bool pays(IndexSpaceOpInterface scan) {
  if (isInBody(scan) ||
      llvm::any_of(scan.getYield().getValues().getTypes(),
                   [](Type type) { return isa<ShapedType>(type); }))
    return false;
  return scan->getRegion(0)
      .walk([](Operation *op) {
        return isa<IndexSpaceOpInterface, LoopLikeOpInterface>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

static void split(IRRewriter &rewriter, IndexSpaceOpInterface scan) {
  Location loc = scan.getLoc();
  rewriter.setInsertionPoint(scan);
  SmallVector<OpFoldResult> extents = scan.getMixedExtents();
  SmallVector<int64_t> shape = decomposeMixedValues(extents).first;
  SmallVector<Type> types;
  for (Type type : scan.getYield().getValues().getTypes())
    types.push_back(RankedTensorType::get(shape, type));
  auto map = MapOp::create(rewriter, loc, types, extents,
                           scan->getAttrOfType<ArrayAttr>("dims"));
  Region &region = scan->getRegion(0);
  rewriter.inlineRegionBefore(region, map.getBody(), map.getBody().end());
  Block *body = rewriter.createBlock(&region, {}, rewriter.getIndexType(), loc);
  SmallVector<Value> values;
  for (Value array : map.getResults())
    values.push_back(AtOp::create(rewriter, loc, array, body->getArguments(),
                                  /*inbounds=*/true));
  YieldOp::create(rewriter, loc, values);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitScansPass
    : public arrc::array::impl::SplitScansPassBase<SplitScansPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<IndexSpaceOpInterface> scans;
    getOperation().walk([&](IndexSpaceOpInterface scan) {
      if (isa<ScanOp, FilterOp>(scan) && pays(scan))
        scans.push_back(scan);
    });
    for (IndexSpaceOpInterface scan : scans)
      split(rewriter, scan);
  }
};
} // namespace
