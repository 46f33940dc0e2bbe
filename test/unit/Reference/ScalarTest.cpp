//===- ScalarTest.cpp - Rounding and storage of numbers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Scalar.h"

#include "llvm/ADT/APFloat.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace arrc::reference;

namespace {

/// What APFloat rounds to.
double viaAPFloat(const llvm::fltSemantics &semantics, double value) {
  llvm::APFloat f(value);
  bool lost;
  f.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &lost);
  return f.convertToDouble();
}

TEST(ScalarTest, RoundsAsAPFloat) {
  uint64_t state = 1;
  for (int k = 0; k < 20000; ++k) {
    state = state * 6364136223846793005 + 1442695040888963407;
    double x = std::ldexp(double(int64_t(state)), int(state >> 58) - 95);
    EXPECT_EQ(roundTo(Element::F16, x),
              viaAPFloat(llvm::APFloat::IEEEhalf(), x))
        << x;
    EXPECT_EQ(roundTo(Element::BF16, x), viaAPFloat(llvm::APFloat::BFloat(), x))
        << x;
    EXPECT_EQ(roundTo(Element::F32, x),
              viaAPFloat(llvm::APFloat::IEEEsingle(), x))
        << x;
  }
}

TEST(ScalarTest, RoundsAtTheEdges) {
  EXPECT_EQ(roundTo(Element::F16, 65519.0), 65504.0);
  EXPECT_EQ(roundTo(Element::F16, 65520.0), HUGE_VAL);
  EXPECT_EQ(roundTo(Element::F16, -65520.0), -HUGE_VAL);
  EXPECT_EQ(roundTo(Element::F16, std::ldexp(1.0, -25)), 0.0);
  EXPECT_EQ(roundTo(Element::F16, std::ldexp(1.5, -25)), std::ldexp(1.0, -24));
  EXPECT_TRUE(std::signbit(roundTo(Element::F16, -1e-30)));
  EXPECT_TRUE(std::isnan(roundTo(Element::BF16, NAN)));
  EXPECT_EQ(roundTo(Element::BF16, 3.4e38), HUGE_VAL);
}

TEST(ScalarTest, UnitsInTheLastPlace) {
  EXPECT_EQ(ulpOf(Element::F32, 1.0), std::ldexp(1.0, -23));
  EXPECT_EQ(ulpOf(Element::F32, -1.5), std::ldexp(1.0, -23));
  EXPECT_EQ(ulpOf(Element::F32, 0.0), std::ldexp(1.0, -149));
  EXPECT_EQ(ulpOf(Element::F64, 2.0), std::ldexp(1.0, -51));
  EXPECT_EQ(ulpOf(Element::F16, 1e-7), std::ldexp(1.0, -24));
  EXPECT_EQ(ulpOf(Element::F32, HUGE_VAL), unbounded);
}

TEST(ScalarTest, StepsBetweenNumbers) {
  EXPECT_EQ(ulpsBetween(Element::F32, 1.0, std::nextafterf(1.0f, 2.0f)), 1u);
  EXPECT_EQ(ulpsBetween(Element::F32, -0.0, 0.0), 0u);
  float least = std::ldexp(1.0f, -149);
  EXPECT_EQ(ulpsBetween(Element::F32, -least, least), 2u);
  EXPECT_EQ(ulpsBetween(Element::F64, NAN, NAN), 0u);
  EXPECT_EQ(ulpsBetween(Element::F64, NAN, 1.0),
            std::numeric_limits<uint64_t>::max());
}

TEST(ScalarTest, IntegersWrap) {
  EXPECT_EQ(wrapTo(Element::I8, 128), -128);
  EXPECT_EQ(wrapTo(Element::I8, -129), 127);
  EXPECT_EQ(wrapTo(Element::I32, int64_t(1) << 31), -(int64_t(1) << 31));
  EXPECT_EQ(wrapTo(Element::Bool, 3), 1);
  EXPECT_EQ(wrapTo(Element::Index, -1), -1);
}

TEST(ScalarTest, Distances) {
  EXPECT_EQ(distance(NAN, NAN), 0);
  EXPECT_EQ(distance(HUGE_VAL, HUGE_VAL), 0);
  EXPECT_EQ(distance(HUGE_VAL, 1), unbounded);
  EXPECT_EQ(distance(NAN, 1), unbounded);
  EXPECT_EQ(distance(-0.0, 0.0), 0);
  EXPECT_EQ(distance(3, 1), 2);
}

TEST(ScalarTest, StoresAndLoadsEveryType) {
  char place[16];
  for (Element e : {Element::I8, Element::I16, Element::I32, Element::I64,
                    Element::Index}) {
    store(e, Scalar::integer(-5), place);
    EXPECT_EQ(load(e, place).i, -5) << nameOf(e).str();
  }
  for (Element e : {Element::F16, Element::BF16, Element::F32, Element::F64}) {
    for (double x : {-1.5, 0.0, HUGE_VAL}) {
      store(e, Scalar::real(x), place);
      EXPECT_EQ(load(e, place).re, x) << nameOf(e).str();
    }
    store(e, Scalar::real(NAN), place);
    EXPECT_TRUE(std::isnan(load(e, place).re)) << nameOf(e).str();
  }
  for (Element e : {Element::C64, Element::C128}) {
    store(e, Scalar::complex(1.5, -2.5), place);
    EXPECT_EQ(load(e, place).re, 1.5);
    EXPECT_EQ(load(e, place).im, -2.5);
  }
  store(Element::Bool, Scalar::integer(1), place);
  EXPECT_EQ(place[0], 1);
}

TEST(ScalarTest, HalvesHaveTheirBits) {
  char place[2];
  uint16_t bits;
  store(Element::F16, Scalar::real(1.0), place);
  std::memcpy(&bits, place, 2);
  EXPECT_EQ(bits, 0x3c00);
  store(Element::BF16, Scalar::real(1.0), place);
  std::memcpy(&bits, place, 2);
  EXPECT_EQ(bits, 0x3f80);
}

} // namespace
