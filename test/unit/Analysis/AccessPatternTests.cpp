//===- AccessPatternTests.cpp - Indices, accesses and dependences ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace arrc;

namespace {

/// A launch on X, Y : memref<?xf32> and A : memref<?x?xf32> of size N (x N)
/// with the body that a test gives.
class AccessPatternTest : public ::testing::Test {
protected:
  AccessPatternTest()
      : context([] {
          DialectRegistry registry;
          arrc::registerAllDialects(registry);
          return registry;
        }()) {}

  kernel::LaunchOp parse(StringRef body) {
    std::string text = R"(
      func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %a: memref<?x?xf32>, %n: index, %k: index) {
        kernel.launch @k (%X[%N] = %x : memref<?xf32>, %A[%N, %N] = %a : memref<?x?xf32>,
                          %N = %n : index, %K = %k : index) outs (%Y[%N] = %y : memref<?xf32>) {
          %c2 = arith.constant 2 : index
    )" + body.str() + "} return }";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    kernel::LaunchOp launch;
    module->walk([&](kernel::LaunchOp op) { launch = op; });
    return launch;
  }

  /// The forms of the first index of every access, in order of the text.
  SmallVector<LinearIndex> getForms(kernel::LaunchOp launch) {
    AccessPattern pattern(launch);
    SmallVector<LinearIndex> forms;
    for (const Access &access : pattern.getAccesses())
      forms.push_back(access.indices.front());
    return forms;
  }

  std::string whyCrossing(kernel::LaunchOp launch) {
    auto loops = launch.getBodyBlock()->getOps<kernel::ForOp>();
    auto first = loops.begin();
    return findCrossingDependence(*first, *std::next(first));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(AccessPatternTest, LooksThroughLinearArithmetic) {
  kernel::LaunchOp launch = parse(R"(
    kernel.for "i" (%i) in %N {
      %p = affine.apply affine_map<(d0)[s0] -> (3 * d0 + s0 - 4)>(%i)[%K]
      %q = arith.muli %i, %c2 : index
      %r = arith.addi %q, %i : index
      %s = arith.addi %r, %K : index
      %u = kernel.load %X[%p] : memref<?xf32>
      %v = kernel.load %X[%s] : memref<?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    })");
  auto forms = getForms(launch);
  ASSERT_EQ(forms.size(), 3u);
  auto loop = *launch.getBodyBlock()->getOps<kernel::ForOp>().begin();
  Value i = loop.getInductionVar();
  EXPECT_EQ(forms[0].getCoefficient(i), 3);
  EXPECT_EQ(forms[0].getConstant(), -4);
  // The same terms met in another order: the distance is a number.
  EXPECT_EQ(forms[1].distanceFrom(forms[0]), 4);
  EXPECT_FALSE(forms[2].distanceFrom(forms[0]));
  EXPECT_EQ(forms[2], LinearIndex(i));
}

TEST_F(AccessPatternTest, TermsThatCancelAreGone) {
  kernel::LaunchOp launch = parse(R"(
    kernel.for "i" (%i) in %N {
      %p = affine.apply affine_map<(d0) -> (d0 + 7)>(%i)
      %q = arith.subi %p, %i : index
      %u = kernel.load %X[%q] : memref<?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    })");
  auto forms = getForms(launch);
  EXPECT_TRUE(forms[0].getTerms().empty());
  EXPECT_EQ(forms[0].getConstant(), 7);
}

TEST_F(AccessPatternTest, WhatIsNotLinearIsATerm) {
  kernel::LaunchOp launch = parse(R"(
    kernel.for "i" (%i) in %N {
      %p = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
      %u = kernel.load %X[%p] : memref<?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    })");
  auto forms = getForms(launch);
  auto loop = *launch.getBodyBlock()->getOps<kernel::ForOp>().begin();
  EXPECT_EQ(forms[0].getCoefficient(loop.getInductionVar()), 0);
  EXPECT_EQ(forms[0].getTerms().size(), 1u);
}

TEST_F(AccessPatternTest, TellsElementsApart) {
  kernel::LaunchOp launch = parse(R"(
    kernel.for "i" (%i) in %N {
      %p = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %u = kernel.load %X[%i] : memref<?xf32>
      %v = kernel.load %X[%p] : memref<?xf32>
      %w = kernel.load %X[%K] : memref<?xf32>
      %z = kernel.load %X[%i] : memref<?xf32>
    })");
  AccessPattern pattern(launch);
  auto all = pattern.getAccesses();
  EXPECT_TRUE(isSameElement(all[0], all[3]));
  EXPECT_TRUE(isOtherElement(all[0], all[1]));
  // Neither is known of two indices that have nothing in common.
  EXPECT_FALSE(isSameElement(all[0], all[2]));
  EXPECT_FALSE(isOtherElement(all[0], all[2]));
}

TEST_F(AccessPatternTest, EqualIndicesDoNotCross) {
  EXPECT_EQ(whyCrossing(parse(R"(
    kernel.for "i" (%i) in %N {
      %u = kernel.load %X[%i] : memref<?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    }
    kernel.for "j" (%j) in %N {
      %u = kernel.load %Y[%j] : memref<?xf32>
      kernel.store %u, %Y[%j] : memref<?xf32>
    })")),
            "");
}

TEST_F(AccessPatternTest, ShiftedIndicesCross) {
  EXPECT_NE(whyCrossing(parse(R"(
    kernel.for "i" (%i) in %N {
      %u = kernel.load %X[%i] : memref<?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    }
    kernel.for "j" (%j) in %N {
      %p = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %u = kernel.load %Y[%p] edge [clamp] : memref<?xf32>
      kernel.store %u, %X[%j] : memref<?xf32>
    })")),
            "");
}

TEST_F(AccessPatternTest, IndicesThatAnInnerLoopMovesCross) {
  // Both are at i + j, but j runs in each iteration.
  EXPECT_NE(whyCrossing(parse(R"(
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %K {
        %p = arith.addi %i, %j : index
        %u = kernel.load %X[%i] : memref<?xf32>
        kernel.store %u, %Y[%p] : memref<?xf32>
      }
    }
    kernel.for "i" (%i) in %N {
      %u = kernel.load %Y[%i] : memref<?xf32>
      kernel.store %u, %X[%i] : memref<?xf32>
    })")),
            "");
}

TEST_F(AccessPatternTest, ReadsOfOneArrayDoNotCross) {
  EXPECT_EQ(whyCrossing(parse(R"(
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %u = kernel.load %A[%i, %K] : memref<?x?xf32>
      kernel.store %u, %Y[%i] : memref<?xf32>
    }
    %s = kernel.for "j" (%j) in %N reduce (%z : f32) by arith.addf {
      %u = kernel.load %A[%K, %j] : memref<?x?xf32>
      kernel.yield %u : f32
    })")),
            "");
}

TEST_F(AccessPatternTest, UpdatesByOneOperatorCommute) {
  StringRef text = R"(
    kernel.for "i" (%i) in %N {
      %u = kernel.load %X[%i] : memref<?xf32>
      kernel.update %u, %Y[%K] : memref<?xf32> by arith.addf
    }
    kernel.for "j" (%j) in %N {
      %u = kernel.load %X[%j] : memref<?xf32>
      kernel.update %u, %Y[%j] : memref<?xf32> by arith.)";
  EXPECT_EQ(whyCrossing(parse((text + "addf }").str())), "");
  EXPECT_NE(whyCrossing(parse((text + "maximumf }").str())), "");
}

} // namespace
