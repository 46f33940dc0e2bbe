//===- ExpressionTest.cpp -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Expression.h"
#include "Run/Text.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace arrt;

/// The value as the language would print it, or "error: ..".
static std::string eval(const std::string &text, int32_t element) {
  Value value;
  std::string error = evaluate(text, element, {}, value);
  if (!error.empty())
    return "error: " + error;
  if (value.kind == Value::List) {
    std::vector<int64_t> sizes;
    error = listSizes(value, sizes);
    if (!error.empty())
      return "error: " + error;
    int64_t count = 1, bytes = arrt_element_bytes(element);
    std::string result = "(";
    for (int64_t size : sizes) {
      count *= size;
      result += std::to_string(size) + " ";
    }
    std::vector<char> data(size_t(count * bytes) + 16);
    error = storeValue(value, element, data.data());
    if (!error.empty())
      return "error: " + error;
    result.back() = ')';
    for (int64_t i = 0; i < count; ++i)
      result += " " + elementText(element, data.data() + i * bytes);
    return result;
  }
  alignas(16) char data[16];
  error = storeValue(value, element, data);
  return error.empty() ? elementText(element, data) : "error: " + error;
}

TEST(Expression, no_Syntax) {
  EXPECT_EQ(eval("", ARRT_I64), "error: the expression ends too early");
  EXPECT_EQ(eval("1 +", ARRT_I64), "error: the expression ends too early");
  EXPECT_EQ(eval("1 2", ARRT_I64), "error: unexpected '2'");
  EXPECT_EQ(eval("(1", ARRT_I64), "error: ')' is missing");
  EXPECT_EQ(eval("[1, 2", ARRT_I64), "error: ']' is missing");
  EXPECT_EQ(eval("1.", ARRT_F32),
            "error: a number has digits on both sides of its point: write 1.0");
  EXPECT_EQ(eval(".5", ARRT_F32),
            "error: a number begins with a digit: write 0.5");
  EXPECT_EQ(eval("012", ARRT_I64), "error: an integer has no leading zeros");
  EXPECT_EQ(eval("1e", ARRT_F32), "error: digits are missing in the exponent");
  EXPECT_EQ(eval("0x", ARRT_I64),
            "error: digits are missing after '0x' or '0b'");
  EXPECT_EQ(eval("12f", ARRT_F32), "error: unexpected 'f' after a number");
  EXPECT_EQ(eval("foo", ARRT_F32), "error: 'foo' is no constant");
  EXPECT_EQ(eval("1__0", ARRT_I64), "error: unexpected '__0' after a number");
  EXPECT_EQ(eval(std::string(100000, '('), ARRT_I64),
            "error: it is nested more than 256 deep");
  EXPECT_EQ(eval(std::string(100000, '['), ARRT_I64),
            "error: it is nested more than 256 deep");
  EXPECT_EQ(eval(std::string("1\0", 2), ARRT_I64), "error: unexpected '\\x00'");
}

static const char tooMany[] =
    "error: the values have more than 2^20 elements or rows; save the array as "
    "a file";

TEST(Expression, no_TypesThatDoNotFit) {
  EXPECT_EQ(eval("1.5", ARRT_I64), "error: a float, not i64");
  EXPECT_EQ(eval("1e4", ARRT_I64), "error: a float, not i64");
  EXPECT_EQ(eval("true", ARRT_I64), "error: a bool, not i64");
  EXPECT_EQ(eval("1", ARRT_BOOL), "error: an integer, not bool");
  EXPECT_EQ(eval("128", ARRT_I8), "error: an integer that does not fit i8");
  EXPECT_EQ(eval("-1", ARRT_U64), "error: an integer that does not fit u64");
  EXPECT_EQ(eval("2**64", ARRT_F64),
            "error: an integer that does not fit 64 bits");
  EXPECT_EQ(eval("1 / 2", ARRT_F64),
            "error: '/' of two integers: write '//', or one of them with a "
            "point");
  EXPECT_EQ(eval("1 // 0", ARRT_I64), "error: division by zero");
  EXPECT_EQ(eval("2 ** -1", ARRT_I64), "error: an integer to a negative power");
  EXPECT_EQ(eval("complex(1, 2)", ARRT_F32),
            "error: a complex number, not f32");
  EXPECT_EQ(eval("[[1], [1, 2]]", ARRT_F32),
            "error: its rows have different sizes");
  EXPECT_EQ(eval("true + 1", ARRT_I64), "error: an operator on a bool");
  EXPECT_EQ(eval("zeros(2**40)", ARRT_I64), tooMany);
}

TEST(Expression, no_MoreThanTheRoomOfACommandLine) {
  for (const char *text :
       {"[ones(2**20), ones(1)]", "full(ones(2**10), 2**10 + 1)",
        "zeros(2**62, 4)", "zeros(2**20, 0, 0)", "iota(2**20 + 1)",
        "zeros(2**20, 1, 1)", "full(zeros(2**40, 0), 2**40)"})
    EXPECT_EQ(eval(text, ARRT_F32), tooMany) << text;
  // Of what is empty nothing is made.
  EXPECT_EQ(eval("zeros(0, 2**62, 2**62)", ARRT_F32), eval("[]", ARRT_F32));
  Value value;
  Room room;
  EXPECT_EQ(evaluate("ones(1024, 1023)", ARRT_F32, {}, value, room), "");
  EXPECT_EQ(evaluate("[1, 2, 3]", ARRT_F32, {}, value, room), "");
  EXPECT_EQ(room.elements, 1021u);
  EXPECT_EQ("error: " + evaluate("ones(1022)", ARRT_F32, {}, value, room),
            tooMany);
}

TEST(Expression, Integers) {
  EXPECT_EQ(eval("10_000", ARRT_I64), "10000");
  EXPECT_EQ(eval("2**20", ARRT_I64), "1048576");
  EXPECT_EQ(eval("0xff + 0b11", ARRT_I64), "258");
  EXPECT_EQ(eval("-7 // 2", ARRT_I64), "-4");
  EXPECT_EQ(eval("-7 % 2", ARRT_I64), "1");
  EXPECT_EQ(eval("-2**2", ARRT_I64), "-4");
  EXPECT_EQ(eval("2**3**2", ARRT_I64), "512");
  EXPECT_EQ(eval("(-1)**1_000_000_000_001", ARRT_I64), "-1");
  EXPECT_EQ(eval("-9223372036854775808", ARRT_I64), "-9223372036854775808");
  EXPECT_EQ(eval("18446744073709551615", ARRT_U64), "18446744073709551615");
  EXPECT_EQ(eval("-128", ARRT_I8), "-128");
  EXPECT_EQ(eval("---3", ARRT_I8), "-3");
}

TEST(Expression, For) {
  EXPECT_EQ(eval("for i in 3, j in 2 { 0.5 * i + j }", ARRT_F32),
            "(3 2) 0 1 0.5 1.5 1 2");
  EXPECT_EQ(eval("for i in 2:9:3 { for _ in 1 { [i, -i] } }", ARRT_I64),
            "(3 1 2) 2 -2 5 -5 8 -8");
  EXPECT_EQ(eval("[for k in 3:0:-2 { 2 ** k }, [7, 8]]", ARRT_I64),
            "(2 2) 8 2 7 8");
  EXPECT_EQ(eval("for i in 0 { 1 / 0 }", ARRT_F32), eval("[]", ARRT_F32));
  EXPECT_EQ(eval("for i in 2 { for j in 3 { i } }", ARRT_I64),
            "(2 3) 0 0 0 1 1 1");
}

TEST(Expression, no_For) {
  EXPECT_EQ(eval("for i, j in 2 { 1 }", ARRT_I64),
            "error: an index has a range: 'for i in n { .. }'");
  EXPECT_EQ(eval("for", ARRT_I64),
            "error: an index has a range: 'for i in n { .. }'");
  EXPECT_EQ(eval("for i in 2 { for i in 2 { 1 } }", ARRT_I64),
            "error: 'i' is the index of another 'for'");
  EXPECT_EQ(eval("for i in 2, j in i { 1 }", ARRT_I64),
            "error: 'i' is no constant");
  EXPECT_EQ(eval("for i in 1.5 { 1 }", ARRT_I64),
            "error: the ends of a range are integers");
  EXPECT_EQ(eval("for i in 2**64 { 1 }", ARRT_I64),
            "error: an integer that does not fit 64 bits");
  EXPECT_EQ(eval("for i in 3:1 { 1 }", ARRT_I64),
            "error: the size of 'i' is negative");
  EXPECT_EQ(eval("for i in 0:4:0 { 1 }", ARRT_I64),
            "error: the step of a range is not 0");
  EXPECT_EQ(eval("for i in 3 if i > 1 { 1 }", ARRT_I64),
            "error: '{' is missing; a 'for' here has no condition");
  EXPECT_EQ(eval("for i in 3 { 1", ARRT_I64), "error: '}' is missing");
  EXPECT_EQ(eval("for i in 3 { 1 2 }", ARRT_I64), "error: unexpected '2 }'");
  EXPECT_EQ(eval("for i in 3 { }", ARRT_I64), "error: unexpected '}'");
  EXPECT_EQ(eval("for i in 3 { for j in i { j } }", ARRT_I64),
            "error: its rows have different sizes");
  EXPECT_EQ(eval("(for i in 3 { i }) + i", ARRT_I64),
            "error: 'i' is no constant");
  for (const char *text :
       {"for i in 2**20, j in 2 { 1 }", "for i in 2**62, j in 2**62 { 1 }",
        "for i in 2**62, j in 0 { 1 }", "for i in 2**10 { ones(2**10, 2) }"})
    EXPECT_EQ(eval(text, ARRT_F32), tooMany) << text;
  std::string body = "0";
  for (int k = 0; k < 1000; ++k)
    body += " + i";
  EXPECT_EQ(eval("for i in 2**20 { " + body + " }", ARRT_I64),
            "error: the values take more than 2^25 steps");
}

TEST(Expression, FloatsAreComputedInTheirType) {
  EXPECT_EQ(eval("0.1", ARRT_F32), "0.1");
  EXPECT_EQ(eval("0.1 + 0.2", ARRT_F64), "0.30000000000000004");
  EXPECT_EQ(eval("0.1 + 0.2", ARRT_F32), floatText(0.1f + 0.2f));
  EXPECT_EQ(eval("1e-4", ARRT_F32), floatText(1e-4f));
  EXPECT_EQ(eval("16777217", ARRT_F32), floatText(16777216.0f));
  EXPECT_EQ(eval("2.0**-1", ARRT_F32), "0.5");
  EXPECT_EQ(eval("-inf", ARRT_F32), "-inf");
  EXPECT_EQ(eval("nan", ARRT_F64), "nan");
  EXPECT_EQ(eval("2.0 * pi", ARRT_F64), floatText(2 * M_PI));
  EXPECT_EQ(eval("-7.5 % 2", ARRT_F64), "0.5");
  EXPECT_EQ(eval("1e400", ARRT_F64), "error: 1e400 does not fit f64");
  EXPECT_EQ(eval("1e-400", ARRT_F64), "0");
  EXPECT_EQ(eval("1.0 / 3", ARRT_F16), floatText(0.33325195f));
  EXPECT_EQ(eval("sqrt(2)", ARRT_F64), floatText(std::sqrt(2.0)));
  EXPECT_EQ(eval("complex(1, -2) * 2", ARRT_C64), "(2, -4)");
  EXPECT_EQ(eval("1 - 2j * 1.5e1j", ARRT_C64), "(31, 0)");
  EXPECT_EQ(eval("3", ARRT_C128), "(3, 0)");
  EXPECT_EQ(eval("true", ARRT_BOOL), "true");
}

TEST(Expression, Lists) {
  EXPECT_EQ(eval("[1, 2, 3]", ARRT_F32), "(3) 1 2 3");
  EXPECT_EQ(eval("[[1, 2,], [3, 4]]", ARRT_I32), "(2 2) 1 2 3 4");
  EXPECT_EQ(eval("[]", ARRT_I32), "(0)");
  EXPECT_EQ(eval("iota(3)", ARRT_I64), "(3) 0 1 2");
  EXPECT_EQ(eval("full(0.5, 2, 1)", ARRT_F32), "(2 1) 0.5 0.5");
  EXPECT_EQ(eval("[1, 2.5]", ARRT_I32), "error: a float, not i32");
}
