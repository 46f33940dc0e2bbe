//===- TensorTest.cpp - Arrays on the host --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Tensor.h"

#include "gtest/gtest.h"

using namespace arrc::reference;

namespace {

std::string text(const Tensor &tensor) {
  std::string s;
  llvm::raw_string_ostream os(s);
  tensor.print(os);
  return s;
}

TEST(TensorTest, PrintsAndReads) {
  for (const char *s : {"[[1, 2, 3], [4, 5, 6]]", "[]", "7", "-3"}) {
    std::optional<Tensor> t = parseTensor(s, Element::I32);
    ASSERT_TRUE(t) << s;
    EXPECT_TRUE(llvm::StringRef(text(*t)).ends_with(s)) << text(*t);
  }
  for (const char *s :
       {"[0.1, -0, inf, nan, 1e-30]", "2.5", "-inf", "16777216", "1.5e+20"}) {
    std::optional<Tensor> t = parseTensor(s, Element::F32);
    ASSERT_TRUE(t) << s;
    EXPECT_TRUE(llvm::StringRef(text(*t)).ends_with(s)) << text(*t);
  }
  EXPECT_EQ(text(*parseTensor("[true, false]", Element::Bool)),
            "bool[2] [true, false]");
  EXPECT_EQ(text(*parseTensor(" [ (1,2) ] ", Element::C64)), "c64[1] [(1, 2)]");
}

TEST(TensorTest, RefusesOtherText) {
  for (const char *s :
       {"", "[", "[1, 2", "[1, [2]]", "[[1], 2]", "[[1], [2, 3]]", "1 2", "x",
        "1.5", "[1,]", "[[[[[[[[[[[[1]]]]]]]]]]]]"})
    EXPECT_FALSE(parseTensor(s, Element::I64)) << s;
  EXPECT_FALSE(parseTensor("(1)", Element::C64));
  EXPECT_FALSE(parseTensor("1x", Element::F32));
}

TEST(TensorTest, PositionsAreRowMajor) {
  Tensor t(Element::F64, {2, 3, 4});
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(t.position({1, 2, 3}), 23);
  EXPECT_EQ(t.position({0, 1, 0}), 4);
  EXPECT_EQ(t.index(23), (llvm::SmallVector<int64_t>{1, 2, 3}));
  EXPECT_EQ(t.index(4), (llvm::SmallVector<int64_t>{0, 1, 0}));
}

TEST(TensorTest, CopiesMemory) {
  float data[] = {1, 2, 3};
  Tensor t(Element::F32, {3}, data);
  EXPECT_EQ(t.get(2).re, 3);
  Tensor empty(Element::F32, {0, 5}, nullptr);
  EXPECT_EQ(empty.size(), 0);
}

TEST(TensorTest, CountsElements) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({3, 0, int64_t(1) << 62}), 0);
  EXPECT_FALSE(elementCount({int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_FALSE(elementCount({-1}));
}

TEST(TensorTest, DeviationsAreKept) {
  Tensor t(Element::F32, {2});
  EXPECT_TRUE(t.isExact());
  t.set(1, Scalar::real(1, 0.5));
  EXPECT_FALSE(t.isExact());
  EXPECT_EQ(t.get(0).dev, 0);
  EXPECT_EQ(t.get(1).dev, 0.5);
}

TEST(TensorTest, RandomNumbersStayInRange) {
  RandomSource random(7);
  bool low = false, high = false;
  for (int k = 0; k < 1000; ++k) {
    int64_t i = random.integer(-2, 3);
    EXPECT_TRUE(i >= -2 && i <= 3);
    low |= i == -2;
    high |= i == 3;
    double x = random.scalar(Element::F32, 0, 1, false).re;
    EXPECT_TRUE(x >= -1 && x <= 1);
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(RandomSource(1).next(), 0x910a2dec89025cc1u);
}

} // namespace
