//===- CompareTest.cpp - A target's results against the evaluator's -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Compare.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace arrc::reference;

namespace {

Tensor floats(std::initializer_list<Scalar> values) {
  Tensor t(Element::F32, {int64_t(values.size())});
  int64_t k = 0;
  for (const Scalar &v : values)
    t.set(k++, v);
  return t;
}
Tensor number(double value, double dev = 0) {
  return floats({Scalar::real(value, dev)});
}

TEST(CompareTest, SameBitsAgree) {
  EXPECT_TRUE(compare(number(1.5), number(1.5)).agrees);
  EXPECT_TRUE(compare(number(NAN), number(-NAN)).agrees);
  EXPECT_TRUE(compare(number(HUGE_VAL), number(HUGE_VAL)).agrees);
  EXPECT_EQ(compare(number(1.5), number(1.5)).worst, -1);
}

TEST(CompareTest, ExactNumbersMayNotMove) {
  float next = std::nextafterf(1.0f, 2.0f);
  Comparison c = compare(number(1), number(next));
  EXPECT_FALSE(c.agrees);
  EXPECT_EQ(c.ulps, 1u);
  EXPECT_EQ(c.worst, 0);
  EXPECT_FALSE(compare(number(0.0), number(-0.0)).agrees);
  EXPECT_FALSE(compare(number(NAN), number(1)).agrees);
}

TEST(CompareTest, BoundsAreKept) {
  EXPECT_TRUE(compare(number(1, 0.5), number(1.5)).agrees);
  EXPECT_FALSE(compare(number(1, 0.5), number(1.75)).agrees);
  EXPECT_TRUE(compare(number(0, 1e-3), number(-0.0)).agrees);
  EXPECT_FALSE(compare(number(1, 0.5), number(NAN)).agrees);
  EXPECT_FALSE(compare(number(1, 0.5), number(HUGE_VAL)).agrees);
  EXPECT_FALSE(compare(number(NAN, 0.5), number(1)).agrees);
}

TEST(CompareTest, UndecidedElementsAreCounted) {
  Comparison c = compare(number(1, unbounded), number(NAN));
  EXPECT_TRUE(c.agrees);
  EXPECT_EQ(c.undecided, 1);
}

TEST(CompareTest, TheWorstElementIsFound) {
  Tensor expected =
      floats({Scalar::real(1, 0.5), Scalar::real(1, 0.125), Scalar::real(3)});
  Tensor actual =
      floats({Scalar::real(1.25), Scalar::real(1.125), Scalar::real(3)});
  Comparison c = compare(expected, actual);
  EXPECT_TRUE(c.agrees);
  EXPECT_EQ(c.worst, 1);
  EXPECT_EQ(c.error, 0.125);
  EXPECT_EQ(c.allowed, 0.125);
}

TEST(CompareTest, IntegersAreExact) {
  Tensor a = Tensor::scalar(Element::I64, Scalar::integer(5));
  Tensor b = Tensor::scalar(Element::I64, Scalar::integer(6));
  EXPECT_TRUE(compare(a, a).agrees);
  EXPECT_FALSE(compare(a, b).agrees);
}

TEST(CompareTest, ShapesAndTypesCount) {
  Tensor a(Element::F32, {2, 3}), b(Element::F32, {3, 2}),
      c(Element::F64, {2, 3});
  EXPECT_EQ(compare(a, b).mismatch, "the shape is [3, 2], expected [2, 3]");
  EXPECT_EQ(compare(a, c).mismatch, "the elements are f64, expected f32");
  EXPECT_FALSE(compare(a, b).agrees);
}

TEST(CompareTest, ReportsSayWhere) {
  mlir::MLIRContext context;
  mlir::Location place = mlir::FileLineColLoc::get(&context, "a.arr", 3, 7);
  mlir::Location call =
      mlir::CallSiteLoc::get(mlir::UnknownLoc::get(&context), place);
  Tensor expected = number(1), actual = number(1.5);
  EXPECT_EQ(report("t", expected, compare(expected, actual), call),
            "t: 1 of 1 element differs, worst at [0]: 1.5, expected 1 "
            "(4194304 ulp, off by 0.5, allowed 0), computed at a.arr:3:7");
  EXPECT_EQ(report("t", expected, compare(expected, expected), call),
            "t: agrees");
  Tensor open = number(1, unbounded);
  EXPECT_EQ(report("t", open, compare(open, actual), call, place),
            "t: agrees, 1 element hangs on a decision that rounding may turn "
            "(at a.arr:3:7)");
}

} // namespace
