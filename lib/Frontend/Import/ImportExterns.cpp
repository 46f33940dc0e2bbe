//===- ImportExterns.cpp - Calls of functions of C ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What `extern def` declares is called with what an export of the same
// declaration has: sizes, parameters, places for results. Results that are
// numbers are arrays of rank 0 for the call, so that all of them are places.
//
//   extern def c(a: f32[n]) -> (r: f32[n], s: f32)
//   let (r, s) = c(a)
//   ->  %r, %s0 = array.extern "c" (%n, %a : i64, tensor<?xf32>) ..
//         into (%e, %e0 : tensor<?xf32>, tensor<f32>)
//       %s = array.at %s0[] : tensor<f32>
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

using namespace arrc;
using namespace mlir;

Values Importer::emitExtern(hir::ExternCallExpr *e) {
  Values inputs, outs;
  SmallVector<StringRef> elements;
  for (const Size &size : e->sizes) {
    inputs.push_back(make<arith::IndexCastOp>(b.getI64Type(), sizeValue(size)));
    elements.push_back(elementName(ScalarKind::I64));
  }
  for (hir::Expr *arg : e->args) {
    llvm::append_range(inputs, emit(arg));
    for (const Type::Leaf &leaf : arg->type.leaves())
      elements.push_back(elementName(leaf.scalar));
  }
  for (const Type::Leaf &leaf : e->type.leaves())
    outs.push_back(
        make<tensor::EmptyOp>(sizesOf(leaf.dims), scalarType(leaf.scalar)));
  auto call =
      array::ExternOp::create(b, loc, ValueRange(outs).getTypes(), e->callee,
                              inputs, outs, b.getStrArrayAttr(elements));
  Values results;
  for (auto [value, leaf] : llvm::zip(call.getResults(), e->type.leaves())) {
    if (leaf.dims.empty())
      results.push_back(make<array::AtOp>(value, ValueRange(),
                                          /*inbounds=*/true));
    else
      results.push_back(bind(value, leaf));
  }
  return results;
}
