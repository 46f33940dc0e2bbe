//===- SizeTests.cpp - Sizes as polynomials -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/HIR.h"
#include "arrc/Frontend/SizeFacts.h"

#include "gtest/gtest.h"

using namespace arrc;

namespace {

struct SizeTest : testing::Test {
  hir::Variable var(const char *name) {
    hir::Variable v;
    v.kind = hir::Variable::Kind::Let;
    v.name = name;
    v.type = Type::integer();
    v.id = nextId++;
    return v;
  }
  unsigned nextId = 0;
  hir::Variable nv = var("n"), mv = var("m"), kv = var("k");
  Size n{&nv}, m{&mv}, k{&kv};
};

TEST_F(SizeTest, NormalForm) {
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(n + 1 - n, Size(1));
  EXPECT_EQ(n - n, Size());
  EXPECT_TRUE((n - n).isConstant());
  EXPECT_EQ((n * 2 - 1).constantTerm(), -1);
  EXPECT_EQ((n + 0).asVariable(), &nv);
  EXPECT_EQ((n * 2).asVariable(), nullptr);
}

TEST_F(SizeTest, Text) {
  EXPECT_EQ((n * 2 - 1).str(), "2*n - 1");
  EXPECT_EQ((m - n).str(), "m - n");
  EXPECT_EQ((Size(5) - n).str(), "5 - n");
  EXPECT_EQ((-n - 2).str(), "-n - 2");
  EXPECT_EQ((n * m + n).str(), "n*m + n");
  EXPECT_EQ(Size(-3).str(), "-3");
  EXPECT_EQ(Size().str(), "0");
  EXPECT_EQ((n + 1).floorDiv(2).str(), "(n + 1) // 2");
  EXPECT_EQ((n.floorDiv(2) + 1).str(), "(n // 2) + 1");
}

TEST_F(SizeTest, FloorDivision) {
  // Multiples come out, constants fold, common factors cancel.
  EXPECT_EQ((n * 6 + 3).floorDiv(2), n * 3 + 1);
  EXPECT_EQ((n * 4 + 6).floorDiv(8), (n * 2 + 3).floorDiv(4));
  EXPECT_EQ((n * 2 + 1).floorDiv(4), n.floorDiv(2));
  EXPECT_EQ(n.floorDiv(2).floorDiv(3), n.floorDiv(6));
  EXPECT_EQ((n.floorDiv(2) + 1).floorDiv(3), (n + 2).floorDiv(6));
  EXPECT_EQ((n + 4).floorDiv(4), n.floorDiv(4) + 1);
  EXPECT_EQ((n - 1).floorDiv(4), (n + 3).floorDiv(4) - 1);
  EXPECT_EQ(Size(-7).floorDiv(2), Size(-4));
  EXPECT_EQ(Size(7).ceilDiv(2), Size(4));
  EXPECT_EQ(n.ceilDiv(2), (n + 1).floorDiv(2));
  EXPECT_NE(n.floorDiv(2), n.floorDiv(3));
}

TEST_F(SizeTest, FloorDivisionAgreesWithIntegers) {
  auto floorOf = [](int64_t a, int64_t b) {
    return a / b - (a % b != 0 && a < 0);
  };
  for (int64_t a : {1, 2, 3, 4, 6})
    for (int64_t c : {-5, -1, 0, 1, 7})
      for (int64_t d : {2, 3, 4, 6})
        for (int64_t value = -9; value <= 9; ++value) {
          Size s = (n * a + c).floorDiv(d);
          auto got = s.evaluate([&](hir::Variable *) { return value; });
          ASSERT_TRUE(got);
          EXPECT_EQ(*got, floorOf(a * value + c, d));
        }
}

TEST_F(SizeTest, SubstituteAndSplit) {
  auto twoM = [&](hir::Variable *v) -> std::optional<Size> {
    if (v == &nv)
      return m * 2;
    return std::nullopt;
  };
  EXPECT_EQ((n - 1).substitute(twoM), m * 2 - 1);
  EXPECT_EQ(n.floorDiv(2).substitute(twoM), m);
  EXPECT_EQ((n * n).substitute(twoM), m * m * 4);
  auto split = (n * 3 + m * n - 2).splitLinear(SizeAtom(&nv));
  ASSERT_TRUE(split);
  EXPECT_EQ(split->first, m + 3);
  EXPECT_EQ(split->second, Size(-2));
  EXPECT_FALSE((n * n).splitLinear(SizeAtom(&nv)));
  EXPECT_FALSE(n.floorDiv(2).splitLinear(SizeAtom(&nv)));
  EXPECT_TRUE((n.floorDiv(2) + m).mentions(&nv));
}

TEST_F(SizeTest, EqualDifferentUndecided) {
  SizeFacts facts;
  EXPECT_EQ(facts.equal(n + 1, n + 1), true);
  EXPECT_EQ(facts.equal(n, n - 1), false);
  EXPECT_EQ(facts.equal(n, m), std::nullopt);
  EXPECT_EQ(facts.equal(n, Size(3)), std::nullopt);
  // A size is not negative.
  facts.addSize(&nv);
  EXPECT_EQ(facts.equal(n + 4, Size(3)), false);
}

TEST_F(SizeTest, KnownEqualities) {
  SizeFacts facts;
  facts.addZero(n - m - 1);
  EXPECT_EQ(facts.equal(n * 2, m * 2 + 2), true);
  EXPECT_EQ(facts.equal(n, m), false);
  SizeFacts inner(&facts);
  inner.define(&kv, n + m);
  EXPECT_EQ(inner.equal(k, m * 2 + 1), true);
  EXPECT_EQ(facts.equal(k, m * 2 + 1), std::nullopt);
}

TEST_F(SizeTest, KnownDivisibilities) {
  SizeFacts facts;
  EXPECT_EQ(facts.equal(n.floorDiv(512) * 512, n), std::nullopt);
  facts.addDivisible(n, 512);
  EXPECT_EQ(facts.equal(n.floorDiv(512) * 512, n), true);
  EXPECT_EQ(facts.equal(n.floorDiv(64) * 64, n), true);
  EXPECT_EQ(facts.equal(n.floorDiv(3) * 3, n), std::nullopt);
  EXPECT_TRUE(facts.isDivisible(n * 3 + 1024, 256));
  EXPECT_FALSE(facts.isDivisible(n + 1, 2));
}

TEST_F(SizeTest, NonNegative) {
  SizeFacts facts;
  EXPECT_FALSE(facts.isNonNegative(n));
  facts.addSize(&nv);
  EXPECT_TRUE(facts.isNonNegative(n));
  EXPECT_TRUE(facts.isNonNegative(n * n + 2));
  EXPECT_FALSE(facts.isNonNegative(n - 2));
  facts.addNonNegative(n - 3);
  EXPECT_TRUE(facts.isNonNegative(n - 2));
  EXPECT_FALSE(facts.isNonNegative(n - 4));
  // An index: 0 <= k < m, and m = n // 4 chunks of 4 fit into n.
  facts.addNonNegative(k);
  facts.addNonNegative(n.floorDiv(4) - 1 - k);
  EXPECT_TRUE(facts.isNonNegative(n - k * 4 - 4));
  EXPECT_FALSE(facts.isNonNegative(n - k * 4 - 5));
}

} // namespace
