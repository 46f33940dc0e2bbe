//===- EmulatorArithmeticTest.cpp - corner cases of PTX's arithmetic ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"

#include <cmath>
#include <limits>

using namespace arrt_test;

namespace {
uint64_t bits(float value) { return emulator::put(value); }
uint64_t bits(double value) { return emulator::put(value); }
constexpr uint64_t nan32 = 0x7fffffff, least32 = 1, minus0 = 0x80000000;

/// `opcode to, a, b, c` with operands in registers of so many bytes.
uint64_t calculate(const std::string &opcode, std::vector<uint64_t> operands,
                   int toBytes = 4, int bytes = 4) {
  auto prefix = [](int bytes) {
    return std::string(bytes == 8 ? "%rd" : bytes == 4 ? "%r" : "%rs");
  };
  std::string body, call = opcode + " " + prefix(toBytes) + "9";
  for (size_t k = 0; k < operands.size(); ++k) {
    std::string name = prefix(bytes) + std::to_string(4 + k);
    body += "ld.global.b" + std::to_string(8 * bytes) + " " + name +
            ", [%rd0+" + std::to_string(8 * k) + "];\n";
    call += ", " + name;
  }
  body += call + ";\nst.global.b" + std::to_string(8 * toBytes) + " [%rd1], " +
          prefix(toBytes) + "9;";
  Emulated kernel(body);
  std::copy(operands.begin(), operands.end(), kernel.in.begin());
  EXPECT_EQ(kernel.run(), "") << opcode;
  return kernel.out[0];
}
uint64_t wide(const std::string &opcode, std::vector<uint64_t> operands) {
  return calculate(opcode, std::move(operands), 8, 8);
}
} // namespace

TEST(EmulatorArithmetic, Integers) {
  EXPECT_EQ(calculate("add.s32", {0x7fffffff, 1}), 0x80000000);
  EXPECT_EQ(calculate("mul.hi.u32", {~0u, ~0u}), 0xfffffffe);
  EXPECT_EQ(calculate("mul.hi.s32", {~0u, 5}), 0xffffffff);
  EXPECT_EQ(calculate("mul.wide.s32", {~0u, 5}, 8), ~uint64_t(0) - 4);
  EXPECT_EQ(calculate("mul.wide.u32", {~0u, ~0u}, 8), 0xfffffffe00000001);
  EXPECT_EQ(wide("mul.hi.u64", {~uint64_t(0), ~uint64_t(0)}), ~uint64_t(1));
  EXPECT_EQ(wide("mul.hi.s64", {~uint64_t(0), 3}), ~uint64_t(0));
  EXPECT_EQ(calculate("div.s32", {0x80000000, ~0u}), 0x80000000);
  EXPECT_EQ(calculate("rem.s32", {0x80000000, ~0u}), 0u);
  EXPECT_EQ(calculate("div.s32", {uint32_t(-7), 2}), uint32_t(-3));
  EXPECT_EQ(calculate("rem.s32", {uint32_t(-7), 2}), uint32_t(-1));
  EXPECT_EQ(calculate("div.u32", {7, 0}), ~0u);
  EXPECT_EQ(calculate("abs.s32", {0x80000000}), 0x80000000);
  EXPECT_EQ(calculate("min.s32", {~0u, 1}), ~0u);
  EXPECT_EQ(calculate("min.u32", {~0u, 1}), 1u);
  EXPECT_EQ(calculate("min.relu.s32", {~0u, 1}), 0u);
  EXPECT_EQ(calculate("max.relu.s32", {~0u, uint32_t(-7)}), 0u);
  EXPECT_EQ(calculate("max.s16", {0xffff, 1}, 2, 2), 1u);
}

TEST(EmulatorArithmetic, Carries) {
  Emulated kernel(R"(
  ld.global.b32 %r4, [%rd0];
  add.cc.u32 %r5, %r4, 1;
  addc.cc.u32 %r6, %r4, 0;
  addc.u32 %r7, 5, 0;
  st.global.v4.b32 [%rd1], {%r5, %r6, %r7, %r4};
  sub.cc.u32 %r5, 0, 1;
  subc.u32 %r6, 7, 0;
  mad.lo.cc.u32 %r7, %r4, %r4, %r4;
  madc.hi.u32 %r8, %r4, %r4, 0;
  st.global.v4.b32 [%rd1+16], {%r5, %r6, %r7, %r8};)");
  kernel.in[0] = ~0u;
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.out[0], 0u); // both
  EXPECT_EQ(kernel.out[1], 0xffffffff00000006);
  EXPECT_EQ(kernel.out[2], 0x00000006ffffffff);
  // ~0 * ~0 + ~0 = 2^64 - 2^32
  EXPECT_EQ(kernel.out[3], 0xffffffff00000000);
}

TEST(EmulatorArithmetic, Shifts) {
  EXPECT_EQ(calculate("shl.b32", {1, 31}), 0x80000000);
  EXPECT_EQ(calculate("shl.b32", {1, 32}), 0u);
  EXPECT_EQ(calculate("shr.u32", {~0u, 33}), 0u);
  EXPECT_EQ(calculate("shr.s32", {0x80000000, 100}), ~0u);
  EXPECT_EQ(calculate("shf.l.wrap.b32", {0x80000001, 2, 33}), 5u);
  EXPECT_EQ(calculate("shf.r.clamp.b32", {1, 2, 40}), 2u);
}

TEST(EmulatorArithmetic, Bits) {
  EXPECT_EQ(calculate("popc.b32", {0xf0f0}), 8u);
  EXPECT_EQ(calculate("clz.b32", {0}), 32u);
  EXPECT_EQ(calculate("clz.b64", {1}, 4, 8), 63u);
  EXPECT_EQ(calculate("brev.b32", {1}), 0x80000000);
  EXPECT_EQ(calculate("bfind.u32", {0x100}), 8u);
  EXPECT_EQ(calculate("bfind.s32", {~0u}), ~0u);
  EXPECT_EQ(calculate("bfe.u32", {0xabcd, 4, 8}), 0xbcu);
  EXPECT_EQ(calculate("bfe.s32", {0xabcd, 4, 8}), 0xffffffbc);
  EXPECT_EQ(calculate("bfe.s32", {0x80000000, 31, 5}), ~0u);
  EXPECT_EQ(calculate("bfi.b32", {0xf, 0xabcd0000, 4, 8}), 0xabcd00f0);
  EXPECT_EQ(calculate("prmt.b32", {0x03020100, 0x87060504, 0x7f40}),
            0x87ff0400);
  EXPECT_EQ(calculate("prmt.b32.f4e", {0x33221100, 0x77665544, 5}),
            0x44332211u);
  EXPECT_EQ(calculate("prmt.b32.b4e", {0x33221100, 0x77665544, 1}),
            0x66770011u);
  EXPECT_EQ(calculate("prmt.b32.rc8", {0x33221100, 0, 2}), 0x22222222u);
  EXPECT_EQ(calculate("prmt.b32.rc16", {0x33221100, 0, 1}), 0x33223322u);
  EXPECT_EQ(calculate("prmt.b32.ecl", {0x33221100, 0, 2}), 0x33222222u);
  EXPECT_EQ(calculate("prmt.b32.ecr", {0x33221100, 0, 1}), 0x11111100u);
}

TEST(EmulatorArithmetic, Floats) {
  float inf = INFINITY;
  // One pattern for every NaN of 32 bits.
  EXPECT_EQ(calculate("sub.rn.f32", {bits(inf), bits(inf)}), nan32);
  EXPECT_EQ(calculate("fma.rn.f32", {bits(0x1p-100f), bits(0x1p-49f), 0}),
            least32);
  EXPECT_EQ(calculate("mul.ftz.f32", {bits(0x1p-100f), bits(0x1p-40f)}), 0u);
  EXPECT_EQ(calculate("add.sat.f32", {bits(2.0f), bits(3.0f)}), bits(1.0f));
  EXPECT_EQ(calculate("add.rz.f32", {bits(1.0f), bits(0x1.8p-24f)}),
            bits(1.0f));
  EXPECT_EQ(calculate("add.rp.f32", {bits(1.0f), bits(0x1p-60f)}),
            bits(std::nextafterf(1.0f, 2.0f)));
  EXPECT_EQ(calculate("fma.rm.f32", {bits(1.0f), bits(1.0f), bits(-0x1p-60f)}),
            bits(std::nextafterf(1.0f, 0.0f)));
  EXPECT_EQ(calculate("div.rn.f32", {bits(1.0f), bits(3.0f)}),
            bits(1.0f / 3.0f));
  EXPECT_EQ(wide("rcp.approx.ftz.f64", {bits(3.0)}),
            bits(1.0 / 3.0) & ~uint64_t(0xffffffff));
  EXPECT_EQ(wide("rsqrt.approx.f64", {bits(3.0)}), bits(1 / std::sqrt(3.0)));
  EXPECT_EQ(calculate("ex2.approx.f32", {bits(-149.0f)}), least32);
  EXPECT_EQ(calculate("ex2.approx.ftz.f32", {bits(-149.0f)}), 0u);
}

TEST(EmulatorArithmetic, ExtremesOfFloats) {
  EXPECT_EQ(calculate("min.f32", {nan32, bits(1.0f)}), bits(1.0f));
  EXPECT_EQ(calculate("min.NaN.f32", {nan32, bits(1.0f)}), nan32);
  EXPECT_EQ(calculate("min.f32", {0, minus0}), minus0);
  EXPECT_EQ(calculate("max.f32", {minus0, 0}), 0u);
  EXPECT_EQ(calculate("abs.f32", {minus0}), 0u);
  EXPECT_EQ(calculate("neg.f32", {0}), minus0);
  // The sign of the first operand.
  EXPECT_EQ(calculate("copysign.f32", {minus0, bits(2.0f)}), bits(-2.0f));
}

TEST(EmulatorArithmetic, FloatsToIntegers) {
  EXPECT_EQ(calculate("cvt.rni.s32.f32", {bits(2.5f)}), 2u);
  EXPECT_EQ(calculate("cvt.rzi.s32.f32", {bits(-2.9f)}), uint32_t(-2));
  EXPECT_EQ(calculate("cvt.rmi.s32.f32", {bits(-2.1f)}), uint32_t(-3));
  EXPECT_EQ(calculate("cvt.rzi.s32.f32", {bits(3e9f)}), 0x7fffffffu);
  EXPECT_EQ(calculate("cvt.rzi.u32.f32", {bits(-3.0f)}), 0u);
  EXPECT_EQ(calculate("cvt.rzi.s32.f32", {nan32}), 0u);
  EXPECT_EQ(calculate("cvt.rzi.s64.f32", {nan32}, 8), uint64_t(1) << 63);
  EXPECT_EQ(calculate("cvt.rzi.u64.f32", {bits(INFINITY)}, 8), ~uint64_t(0));
  EXPECT_EQ(calculate("cvt.rzi.s8.f32", {bits(300.0f)}), 127u);
  EXPECT_EQ(calculate("cvt.rni.f32.f32", {bits(2.5f)}), bits(2.0f));
}

TEST(EmulatorArithmetic, BetweenFormats) {
  EXPECT_EQ(calculate("cvt.rn.f16.f32", {bits(65520.0f)}, 2) & 0xffff, 0x7c00u);
  EXPECT_EQ(calculate("cvt.rz.f16.f32", {bits(65520.0f)}, 2) & 0xffff, 0x7bffu);
  EXPECT_EQ(calculate("cvt.rn.f16.f32", {bits(0x1p-25f)}, 2) & 0xffff, 0u);
  EXPECT_EQ(calculate("cvt.rn.f16.f32", {bits(0x1.8p-25f)}, 2) & 0xffff, 1u);
  EXPECT_EQ(calculate("cvt.f32.f16", {0x0001}, 4, 2), bits(0x1p-24f));
  EXPECT_EQ(calculate("cvt.rn.bf16.f32", {0x3f808000}, 2) & 0xffff, 0x3f80u);
  EXPECT_EQ(calculate("cvt.rn.bf16.f32", {0x3f818000}, 2) & 0xffff, 0x3f82u);
  EXPECT_EQ(calculate("cvt.rn.f32.f64", {bits(1 + 0x1p-24)}, 4, 8), bits(1.0f));
  EXPECT_EQ(calculate("cvt.rn.f32.s64", {(uint64_t(1) << 53) + 1}, 4, 8),
            bits(0x1p53f));
  EXPECT_EQ(calculate("cvt.rp.f32.u32", {(1u << 24) + 1}),
            bits(0x1.000002p24f));
  EXPECT_EQ(calculate("cvt.rn.f16x2.f32", {bits(1.0f), bits(2.0f)}),
            0x3c004000u);
  EXPECT_EQ(calculate("fma.rn.f16", {0x3c00, 0x3c00, 0x0001}, 2, 2) & 0xffff,
            0x3c00u);
}

TEST(EmulatorArithmetic, BetweenIntegers) {
  EXPECT_EQ(calculate("cvt.s32.s8", {0x80}), 0xffffff80);
  EXPECT_EQ(calculate("cvt.u32.u8", {0x1ff}), 0xffu);
  EXPECT_EQ(calculate("cvt.s64.s32", {~0u}, 8), ~uint64_t(0));
  EXPECT_EQ(calculate("cvt.u64.u32", {~0u}, 8), 0xffffffffu);
  EXPECT_EQ(calculate("cvt.sat.s8.s32", {uint32_t(-300)}), uint32_t(-128));
}

TEST(EmulatorArithmetic, Comparisons) {
  auto holds = [](const std::string &what, uint64_t a, uint64_t b) {
    Emulated kernel("ld.global.b32 %r4, [%rd0];\nld.global.b32 %r5, [%rd0+8];\n"
                    "setp." +
                    what +
                    " %p1|%p2, %r4, %r5;\nselp.b32 %r6, 1, 0, %p1;\n"
                    "selp.b32 %r7, 1, 0, %p2;\nst.global.v2.b32 [%rd1], {%r6, "
                    "%r7};");
    kernel.in[0] = a;
    kernel.in[1] = b;
    EXPECT_EQ(kernel.run(), "");
    EXPECT_EQ(kernel.out[0] & 1, 1 - (kernel.out[0] >> 32)) << what;
    return (kernel.out[0] & 1) != 0;
  };
  EXPECT_FALSE(holds("eq.f32", nan32, nan32));
  EXPECT_TRUE(holds("equ.f32", nan32, nan32));
  EXPECT_FALSE(holds("ne.f32", nan32, 0));
  EXPECT_TRUE(holds("neu.f32", nan32, 0));
  EXPECT_TRUE(holds("eq.f32", 0, minus0));
  EXPECT_TRUE(holds("ltu.f32", nan32, 0));
  EXPECT_TRUE(holds("nan.f32", nan32, 0));
  EXPECT_FALSE(holds("num.f32", nan32, 0));
  EXPECT_TRUE(holds("lt.s32", ~0u, 0));
  EXPECT_FALSE(holds("lt.u32", ~0u, 0));
  EXPECT_TRUE(holds("hi.u32", ~0u, 0));
}

TEST(EmulatorArithmetic, MixedFormats) {
  Emulated kernel(R"(
  ld.global.b16 %rs4, [%rd0];
  ld.global.b32 %r4, [%rd0+8];
  add.rn.f32.f16 %r5, %rs4, %r4;
  fma.rn.f32.bf16 %r6, %rs4, %rs4, %r4;
  st.global.v2.b32 [%rd1], {%r5, %r6};)");
  kernel.in = {0x4000, bits(1.0f)}; // 2 in both formats of 16 bits
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.out[0], bits(5.0f) << 32 | bits(3.0f));
}
