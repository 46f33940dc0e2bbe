//===- ConvertTest.cpp ----------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "IO/Float.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace arrt;
using Convert = arrt_test::ContextTest;

template <typename To, typename From>
static std::vector<To> convert(arrt_context *ctx, std::vector<From> from,
                               int32_t source, int32_t target) {
  int64_t size = int64_t(from.size());
  arrt_array *a = arrt_array_borrow(ctx, from.data(), source, 1, &size);
  arrt_array *b = arrt_array_convert(ctx, a, target);
  std::vector<To> result;
  if (b) {
    auto *data = static_cast<To *>(arrt_array_data(b));
    result.assign(data, data + size);
  }
  arrt_array_release(a);
  arrt_array_release(b);
  return result;
}

TEST(Float16, EveryValueSurvivesARoundTrip) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    uint16_t half = uint16_t(bits);
    double f = fromF16(half), b = fromBF16(half);
    if (std::isnan(f))
      EXPECT_TRUE(std::isnan(fromF16(toF16(f))));
    else
      EXPECT_EQ(toF16(f), half);
    if (std::isnan(b))
      EXPECT_TRUE(std::isnan(fromBF16(toBF16(b))));
    else
      EXPECT_EQ(toBF16(b), half);
  }
}

TEST(Float16, RoundsToNearestEven) {
  EXPECT_EQ(toF16(1.0), 0x3c00);
  EXPECT_EQ(toF16(1.0 + 1.0 / 2048), 0x3c00); // tie, to even
  EXPECT_EQ(toF16(1.0 + 3.0 / 2048), 0x3c02); // tie, to even
  EXPECT_EQ(toF16(1.0 + 1.0 / 2048 + 1e-12), 0x3c01);
  EXPECT_EQ(toF16(65504.0), 0x7bff);
  EXPECT_EQ(toF16(65519.99), 0x7bff);
  EXPECT_EQ(toF16(65520.0), 0x7c00);
  EXPECT_EQ(toF16(-1e300), 0xfc00);
  EXPECT_EQ(toF16(std::ldexp(1.0, -24)), 0x0001);
  EXPECT_EQ(toF16(std::ldexp(1.0, -25)), 0x0000); // tie, to even
  EXPECT_EQ(toF16(std::ldexp(1.5, -25)), 0x0001);
  EXPECT_EQ(toF16(-std::ldexp(1.0, -30)), 0x8000);
  EXPECT_EQ(toBF16(1.0 + 1.0 / 256), 0x3f80);
  EXPECT_EQ(toBF16(3.4e38), 0x7f80);
  EXPECT_EQ(fromBF16(0x0001), std::ldexp(1.0, -133));
}

TEST_F(Convert, no_ComplexToReal) {
  EXPECT_TRUE((convert<float>(ctx, std::vector<float>{1, 2}, ARRT_C64, ARRT_F32)
                   .empty()));
  EXPECT_NE(message().find("no conversion from c64 to f32"), std::string::npos);
}

TEST_F(Convert, FloatsToIntegersSaturate) {
  double inf = std::numeric_limits<double>::infinity();
  std::vector<double> from = {1.9, -1.9, NAN, inf, -inf, 300, -300, 1e19};
  EXPECT_EQ((convert<int8_t>(ctx, from, ARRT_F64, ARRT_I8)),
            (std::vector<int8_t>{1, -1, 0, 127, -128, 127, -128, 127}));
  EXPECT_EQ((convert<uint8_t>(ctx, from, ARRT_F64, ARRT_U8)),
            (std::vector<uint8_t>{1, 0, 0, 255, 0, 255, 0, 255}));
  EXPECT_EQ((convert<int64_t>(ctx, from, ARRT_F64, ARRT_I64)),
            (std::vector<int64_t>{1, -1, 0, INT64_MAX, INT64_MIN, 300, -300,
                                  INT64_MAX}));
  EXPECT_EQ((convert<uint64_t>(ctx, from, ARRT_F64, ARRT_U64))[7],
            10000000000000000000u);
  std::vector<float> edge = {2147483648.0f, -2147483648.0f, 2147483520.0f};
  EXPECT_EQ((convert<int32_t>(ctx, edge, ARRT_F32, ARRT_I32)),
            (std::vector<int32_t>{INT32_MAX, INT32_MIN, 2147483520}));
}

TEST_F(Convert, IntegersKeepTheirLowBits) {
  EXPECT_EQ((convert<int8_t>(ctx, std::vector<int32_t>{300, -1, 128}, ARRT_I32,
                             ARRT_I8)),
            (std::vector<int8_t>{44, -1, -128}));
  EXPECT_EQ(
      (convert<uint64_t>(ctx, std::vector<int8_t>{-1}, ARRT_I8, ARRT_U64))[0],
      UINT64_MAX);
}

TEST_F(Convert, ToFloatRoundsOnce) {
  EXPECT_EQ((convert<float>(ctx, std::vector<int64_t>{(1 << 24) + 1}, ARRT_I64,
                            ARRT_F32))[0],
            16777216.0f);
  // Just above a tie of bf16, too close for double: must round up.
  int64_t above = (int64_t(1) << 62) + (int64_t(1) << 54) + 1;
  EXPECT_EQ((convert<uint16_t>(ctx, std::vector<int64_t>{above}, ARRT_I64,
                               ARRT_BF16))[0],
            0x5e81);
  EXPECT_EQ(
      (convert<float>(ctx, std::vector<double>{1e300}, ARRT_F64, ARRT_F32))[0],
      std::numeric_limits<float>::infinity());
}

TEST_F(Convert, BoolsAndComplex) {
  EXPECT_EQ((convert<uint8_t>(ctx, std::vector<float>{0, -0.0f, 2, NAN},
                              ARRT_F32, ARRT_BOOL)),
            (std::vector<uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(
      (convert<double>(ctx, std::vector<uint8_t>{0, 1}, ARRT_BOOL, ARRT_F64)),
      (std::vector<double>{0, 1}));
  int64_t size = 1;
  int16_t three = 3;
  arrt_array *a = arrt_array_borrow(ctx, &three, ARRT_I16, 1, &size);
  arrt_array *c = arrt_array_convert(ctx, a, ARRT_C128);
  EXPECT_EQ(static_cast<double *>(arrt_array_data(c))[0], 3);
  EXPECT_EQ(static_cast<double *>(arrt_array_data(c))[1], 0);
  arrt_array_release(a);
  arrt_array_release(c);
}
