//===- InvertRoots.cpp - Divisions by square roots ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A root and a division are two instructions on the slow pipe, with tests
// around each. Cards have the reciprocal of a root as one.
//
// Before   %s = math.sqrt %y fast              After   %r = rsqrt.approx %y
//          %d = arith.mulf %y, %s fast                 %t = %r * %r * %r
//          %q = arith.divf %x, %d fast                 %q = arith.mulf %x, %t
//
// Legal under `@fast` alone: the instruction has 2 units in the last place, and
// the product of three another 2. Where the product of %y and its root leaves
// the range of f32 the quotient is 0 or infinite either way, or in between.
//
// Of a number that is never subnormal (a sum of squares and a constant) the
// instruction is that which takes subnormal numbers for 0: the other one is
// four.
//
// Pays always: the root goes with its last other use.
//
// Source: the forces between bodies; Nyland, Harris and Prins, "Fast N-body
// simulation with CUDA" (GPU Gems 3, 2007).
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/FloatBounds.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace arrc::target {
#define GEN_PASS_DEF_INVERTROOTSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;

template <typename Op>
static bool mayBeInverted(Op op, arith::FastMathFlags flags) {
  return op && arith::bitEnumContainsAll(op.getFastmath(), flags);
}

/// What `value` is the root of, where that may be approximate; else null.
static Value getRooted(Value value) {
  auto root = value.getDefiningOp<math::SqrtOp>();
  return mayBeInverted(root, arith::FastMathFlags::afn) ? root.getOperand()
                                                        : Value();
}

namespace {

/// What divides as a power of a root: the number below the root, and 1 or 3.
struct RootPower {
  Value number;
  unsigned power;
};

struct InvertRootsPass
    : arrc::target::impl::InvertRootsPassBase<InvertRootsPass> {
  void runOnOperation() override;
};

} // namespace

static std::optional<RootPower> findRootPower(Value divisor) {
  if (Value number = getRooted(divisor))
    return RootPower{number, 1};
  auto product = divisor.getDefiningOp<arith::MulFOp>();
  if (!mayBeInverted(product, arith::FastMathFlags::reassoc))
    return std::nullopt;
  Value lhs = product.getLhs(), rhs = product.getRhs();
  if (getRooted(rhs) == lhs)
    return RootPower{lhs, 3};
  if (getRooted(lhs) == rhs)
    return RootPower{rhs, 3};
  return std::nullopt;
}

void InvertRootsPass::runOnOperation() {
  SmallVector<arith::DivFOp> divisions;
  getOperation().walk([&](arith::DivFOp op) {
    if (op.getType().isF32() &&
        mayBeInverted(op,
                      arith::FastMathFlags::arcp | arith::FastMathFlags::afn))
      divisions.push_back(op);
  });
  for (arith::DivFOp division : divisions) {
    std::optional<RootPower> root = findRootPower(division.getRhs());
    if (!root)
      continue;
    OpBuilder b(division);
    Location loc = division.getLoc();
    auto flags = division.getFastmathAttr();
    auto times = [&](Value x, Value y) -> Value {
      return arith::MulFOp::create(b, loc, x, y, flags);
    };
    Value inverse = LLVM::CallIntrinsicOp::create(
                        b, loc, b.getF32Type(),
                        b.getStringAttr(arrc::isNeverSubnormal(root->number)
                                            ? "llvm.nvvm.rsqrt.approx.ftz.f"
                                            : "llvm.nvvm.rsqrt.approx.f"),
                        root->number)
                        .getResult(0);
    if (root->power == 3)
      inverse = times(times(inverse, inverse), inverse);
    Value quotient = times(division.getLhs(), inverse);
    Operation *divisor = division.getRhs().getDefiningOp();
    division.replaceAllUsesWith(quotient);
    division.erase();
    // What nothing else needs goes, the root behind its product.
    while (divisor && divisor->use_empty()) {
      SmallVector<Value> operands(divisor->getOperands());
      divisor->erase();
      divisor = nullptr;
      for (Value operand : operands)
        if (Operation *op = operand.getDefiningOp();
            isa_and_present<math::SqrtOp>(op))
          divisor = op;
    }
  }
}
