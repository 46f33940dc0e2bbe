//===- MatrixShape.cpp - What a warp multiplies at once -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/MatrixShape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace arrc::kernel;

std::optional<MatrixShape>
arrc::kernel::getMatrixShape(DeviceAttr device, Type element, Type result) {
  if (!device)
    return std::nullopt;
  if (element.isF64() && result.isF64()) {
    switch (device.getInteger("matrix_f64", 0)) {
    case 16:
      return MatrixShape{16, 8, 1};
    case 8:
      return MatrixShape{8, 4, 1};
    default:
      return std::nullopt;
    }
  }
  bool isHalf = element.isF16() || element.isBF16();
  if (isHalf && result.isF32() && device.getInteger("matrix_f16", 0) == 16)
    return MatrixShape{16, 16, 2};
  return std::nullopt;
}

LoadOp arrc::kernel::getMatrixOperand(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  auto load = value.getDefiningOp<LoadOp>();
  return load && !load.getMask() && !load.getEdge() ? load : LoadOp();
}

static bool mayContract(arith::FastMathFlags flags) {
  return arith::bitEnumContainsAll(flags, arith::FastMathFlags::contract);
}

bool arrc::kernel::addsProducts(ForOp fold) {
  Block &combiner = fold.getCombiner().front();
  Operation *yield = combiner.getTerminator();
  unsigned count = yield->getNumOperands();
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    auto add = value.getDefiningOp<arith::AddFOp>();
    if (!add || add.getLhs() != combiner.getArgument(number) ||
        add.getRhs() != combiner.getArgument(count + number) ||
        !mayContract(add.getFastmath()))
      return false;
  }
  return llvm::all_of(fold.getYield().getValues(), [](Value term) {
    auto product = term.getDefiningOp<arith::MulFOp>();
    if (!product)
      return false;
    // Products of widened elements are exact.
    return product.getLhs().getDefiningOp<arith::ExtFOp>() ||
           mayContract(product.getFastmath());
  });
}
