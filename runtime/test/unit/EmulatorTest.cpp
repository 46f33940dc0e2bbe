//===- EmulatorTest.cpp - threads, memory and errors of the emulator ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"

using namespace arrt_test;

namespace {
const char *const shared = ".shared .align 8 .b8 tile[512];\n";

/// Each thread stores its number, loads that of the next one.
const char *const exchange = R"(
  mul.wide.u32 %rd4, %r0, 4;
  mov.b64 %rd5, tile;
  add.s64 %rd6, %rd5, %rd4;
  st.shared.b32 [%rd6], %r0;
  BARRIER
  xor.b32 %r4, %r0, 33;
  mul.wide.u32 %rd7, %r4, 4;
  add.s64 %rd8, %rd5, %rd7;
  ld.shared.b32 %r5, [%rd8];
  add.s64 %rd9, %rd1, %rd4;
  st.global.b32 [%rd9], %r5;)";

std::string replace(std::string text, const std::string &what,
                    const std::string &by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Every block adds to out[0], then waits until block 0 has stored to out[1].
const char *const waiting = R"(
  ld.global.b64 %rd4, [%rd0];
  setp.ne.u32 %p1, %r1, LAST;
  @%p1 bra spin;
  st.global.b64 [%rd1+8], 1;
spin:
  ld.acquire.gpu.global.b64 %rd5, [%rd1+8];
  setp.eq.b64 %p2, %rd5, 0;
  @%p2 bra spin;)";

void expectContains(const std::string &text, const char *part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
} // namespace

TEST(Emulator, LanesThatPartMeetAgain) {
  Emulated kernel(R"(
  and.b32 %r4, %r0, 3;
  mov.b32 %r5, 0;
  setp.eq.b32 %p1, %r4, 0;
  @%p1 bra join;
loop:
  add.s32 %r5, %r5, %r0;
  sub.s32 %r4, %r4, 1;
  setp.ne.b32 %p2, %r4, 0;
  @%p2 bra loop;
join:
  shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;
  mul.wide.u32 %rd4, %r0, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.b32 [%rd5], %r6;)");
  kernel.grid.threads[0] = 32;
  for (uint64_t seed : {0, 1, 2, 3, 4}) {
    kernel.options.seed = seed;
    ASSERT_EQ(kernel.run(), "");
    auto *out = reinterpret_cast<uint32_t *>(kernel.out.data());
    for (uint32_t l = 0; l < 32; ++l)
      EXPECT_EQ(out[l], (l ^ 1) * ((l ^ 1) & 3)) << l;
  }
}

TEST(Emulator, Shuffles) {
  auto run = [](const std::string &direction, int by, int clamp) {
    Emulated kernel("shfl.sync." + direction + ".b32 %r4|%p1, %r0, " +
                    std::to_string(by) + ", " + std::to_string(clamp) +
                    ", -1;\n"
                    "@!%p1 add.s32 %r4, %r4, 100;\n"
                    "mul.wide.u32 %rd4, %r0, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
                    "st.global.b32 [%rd5], %r4;");
    kernel.grid.threads[0] = 32;
    EXPECT_EQ(kernel.run(), "");
    auto *out = reinterpret_cast<uint32_t *>(kernel.out.data());
    return std::vector<uint32_t>(out, out + 32);
  };
  auto up = run("up", 3, 0), down = run("down", 3, 31),
       segments = run("down", 1, 7 | 24 << 8), index = run("idx", 5, 31);
  EXPECT_EQ(up[2], 102u);
  EXPECT_EQ(up[3], 0u);
  EXPECT_EQ(down[28], 31u);
  EXPECT_EQ(down[29], 129u);
  EXPECT_EQ(segments[6], 7u);
  EXPECT_EQ(segments[7], 107u);
  EXPECT_EQ(index[17], 5u);
}

/// Lane l has row l / 4, step l % 4 of one matrix, and step l % 4, column l / 4
/// of the other; it gets columns 2 * (l % 4) and the next of row l / 4.
TEST(Emulator, Matrices) {
  const char *body = R"(
  mul.wide.u32 %rd2, %r0, 8;
  add.s64 %rd3, %rd0, %rd2;
  ld.global.b64 %rd4, [%rd3];
  ld.global.b64 %rd5, [%rd3+256];
  mov.b64 %rd6, 0d3FF0000000000000;
  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd7, %rd8}, {%rd4}, {%rd5}, {%rd6, %rd6};
  add.s64 %rd9, %rd1, %rd2;
  add.s64 %rd9, %rd9, %rd2;
  st.global.b64 [%rd9], %rd7;
  st.global.b64 [%rd9+8], %rd8;)";
  Emulated kernel(body);
  kernel.grid.threads[0] = 32;
  auto *in = reinterpret_cast<double *>(kernel.in.data());
  for (int l = 0; l < 64; ++l)
    in[l] = (l * 7 % 13) - 6.5;
  ASSERT_EQ(kernel.run(), "");
  auto *out = reinterpret_cast<double *>(kernel.out.data());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      double sum = 1;
      for (int k = 0; k < 4; ++k)
        sum += in[row * 4 + k] * in[32 + column * 4 + k];
      EXPECT_EQ(out[row * 8 + column], sum) << row << " " << column;
    }
  // All lanes take part.
  Emulated part(std::string("setp.gt.u32 %p1, %r0, 15;\n@%p1 bra done;\n") +
                body + "\ndone:");
  part.grid.threads[0] = 32;
  EXPECT_NE(part.run().find("not all lanes"), std::string::npos);
}

TEST(Emulator, SharedMemoryAndBarriers) {
  Emulated kernel(replace(exchange, "BARRIER", "bar.sync 0;"), shared);
  kernel.grid.threads[0] = 128;
  kernel.hasRaces = true;
  for (uint64_t seed : {0, 1, 2, 3}) {
    kernel.options.seed = seed;
    ASSERT_EQ(kernel.run(), "");
    auto *out = reinterpret_cast<uint32_t *>(kernel.out.data());
    for (uint32_t t = 0; t < 128; ++t)
      EXPECT_EQ(out[t], t ^ 33) << t;
  }
}

TEST(Emulator, MissingBarrierIsARace) {
  Emulated kernel(replace(exchange, "BARRIER", ""), shared);
  kernel.grid.threads[0] = 128;
  kernel.hasRaces = true;
  expectContains(kernel.run(), "a race: thread 1 of block 0 loaded there");
  // Lanes of one warp are not ordered by it alone.
  kernel.text = replace(kernel.text, "33;", "1;");
  expectContains(kernel.run(), "a race");
  Emulated warp(
      replace(replace(exchange, "BARRIER", "bar.warp.sync -1;"), "33;", "1;"),
      shared);
  warp.grid.threads[0] = 128;
  warp.hasRaces = true;
  EXPECT_EQ(warp.run(), "");
}

TEST(Emulator, LastBlockFoldsWhatTheOthersStored) {
  // Each block stores; the one with the last ticket adds up.
  const std::string body = R"(
  mul.wide.u32 %rd4, %r1, 8;
  add.s64 %rd5, %rd1, %rd4;
  add.s32 %r4, %r1, 1;
  cvt.u64.u32 %rd6, %r4;
  st.global.b64 [%rd5+64], %rd6;
  FENCE
  atom.global.add.u32 %r5, [%rd1], 1;
  fence.acq_rel.gpu;
  setp.ne.u32 %p1, %r5, 9;
  @%p1 bra done;
  mov.b64 %rd7, 0;
  mov.b32 %r6, 0;
loop:
  mul.wide.u32 %rd8, %r6, 8;
  add.s64 %rd9, %rd1, %rd8;
  ld.global.b64 %rd10, [%rd9+64];
  add.s64 %rd7, %rd7, %rd10;
  add.s32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 10;
  @%p2 bra loop;
  st.global.b64 [%rd1+8], %rd7;
done:)";
  for (uint64_t seed : {0, 1, 2, 3}) {
    Emulated kernel(replace(body, "FENCE", "fence.acq_rel.gpu;"));
    kernel.grid.blocks[0] = 10;
    kernel.options.seed = seed;
    kernel.hasRaces = true;
    ASSERT_EQ(kernel.run(), "");
    EXPECT_EQ(kernel.out[1], 55u);
    Emulated racy(replace(body, "FENCE", ""));
    racy.grid.blocks[0] = 10;
    racy.options.seed = seed;
    racy.hasRaces = true;
    expectContains(racy.run(), "a race");
  }
}

TEST(Emulator, BlocksThatWait) {
  Emulated kernel(replace(waiting, "LAST", "7"));
  kernel.grid.blocks[0] = 8;
  EXPECT_EQ(kernel.run(), "");
  // Of nine only eight are there at a time: the ninth never comes.
  Emulated stuck(replace(waiting, "LAST", "8"));
  stuck.grid.blocks[0] = 9;
  stuck.options.patience = 100000;
  expectContains(stuck.run(), "nothing was stored for too long");
}

TEST(Emulator, LaneThatWaitsForAnotherOfItsWarp) {
  // The waiting lanes come first in the program.
  Emulated kernel(R"(
  setp.eq.u32 %p1, %r0, 31;
  @%p1 bra give;
spin:
  ld.volatile.global.b64 %rd5, [%rd1];
  setp.eq.b64 %p2, %rd5, 0;
  @%p2 bra spin;
  bra done;
give:
  st.volatile.global.b64 [%rd1], 1;
done:)");
  kernel.grid.threads[0] = 32;
  EXPECT_EQ(kernel.run(), "");
}

TEST(Emulator, BarrierThatNotAllReach) {
  Emulated kernel(R"(
  setp.lt.u32 %p1, %r0, 16;
  @%p1 bra second;
  bar.sync 0;
second:
  bar.sync 1;)");
  kernel.grid.threads[0] = 32;
  expectContains(kernel.run(), "no thread can go on");
}

TEST(Emulator, AccessesOutside) {
  Emulated behind("st.global.b32 [%rd1+512], %r0;");
  std::string text = behind.run();
  expectContains(text, "line 15: 'st.global.b32 [%rd1+512], %r0;'");
  expectContains(text, "0 bytes behind a piece of 512");
  expectContains(Emulated("ld.global.b32 %r4, [%rd1+2];").run(),
                 "is not aligned");
  expectContains(
      Emulated("ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%rd1+8];").run(),
      "is not aligned");
  Emulated memory("mov.b64 %rd4, tile;\nst.shared.b32 [%rd4+512], %r0;",
                  shared);
  expectContains(memory.run(), "outside of shared memory");
}

TEST(Emulator, LoadOfWhatWasNotStored) {
  emulator::Written written;
  Emulated kernel(replace(exchange, "BARRIER", "bar.sync 0;"), shared);
  kernel.written = &written;
  kernel.grid.threads[0] = 128;
  EXPECT_EQ(kernel.run(), "");
  kernel.grid.threads[0] = 32; // those of the other warp are not there
  expectContains(kernel.run(), "nothing was stored there");
}

TEST(Emulator, Calls) {
  Emulated kernel(R"(
  {
    .param .b64 a;
    .param .align 8 .b8 r[16];
    st.param.b64 [a], 20;
    call.uni (r), twice, (a);
    ld.param.b64 %rd4, [r];
    ld.param.b32 %r4, [r+8];
  }
  st.global.b64 [%rd1], %rd4;
  st.global.b32 [%rd1+8], %r4;)",
                  R"(
.func (.param .align 8 .b8 twice_r[16]) twice(.param .b64 twice_a)
{
  .reg .b64 %rd<4>;
  ld.param.b64 %rd1, [twice_a];
  add.s64 %rd2, %rd1, %rd1;
  st.param.b64 [twice_r], %rd2;
  st.param.b32 [twice_r+8], 7;
  ret;
})");
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.out[0], 40u);
  EXPECT_EQ(kernel.out[1], 7u);
}

TEST(Emulator, IndexedBranches) {
  Emulated kernel(R"(
  mov.b64 %rd4, 0;
table: .branchtargets zero, one;
  brx.idx %r1, table;
zero:
  mov.b64 %rd4, 10;
  bra done;
one:
  mov.b64 %rd4, 11;
done:
  mul.wide.u32 %rd5, %r1, 8;
  add.s64 %rd6, %rd1, %rd5;
  st.global.b64 [%rd6], %rd4;)");
  kernel.grid.blocks[0] = 2;
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.out[0], 10u);
  EXPECT_EQ(kernel.out[1], 11u);
}

TEST(Emulator, RefusesWhatItDoesNotKnow) {
  expectContains(Emulated("wgmma.fence.sync.aligned;").run(),
                 "line 15: 'wgmma.fence.sync.aligned': the emulator does not "
                 "know this instruction");
  expectContains(Emulated("add.xyz.s32 %r4, %r4, %r4;").run(),
                 "does not know '.xyz' here");
  expectContains(Emulated("mov.u64 %rd4, %clock64;").run(), "%clock64");
  expectContains(Emulated("bra nowhere;").run(), "there is no label 'nowhere'");
  expectContains(Emulated("add.s32 %r4, %r4, %none;").run(), "%none");
}

TEST(Emulator, Statistics) {
  // A row of 32 words, and a column.
  Emulated kernel(R"(
  mul.wide.u32 %rd4, %r0, 4;
  add.s64 %rd5, %rd0, %rd4;
  ld.global.b32 %r4, [%rd5];
  mul.wide.u32 %rd6, %r0, 16;
  mov.b64 %rd7, tile;
  add.s64 %rd8, %rd7, %rd6;
  st.shared.b32 [%rd8], %r4;)",
                  shared);
  kernel.grid.threads[0] = 32;
  kernel.options.statistics = "/dev/null";
  EXPECT_EQ(kernel.run(), "");
  uint64_t sectors = 0, wavefronts = 0;
  for (auto &access : kernel.counts.accesses)
    (sectors ? wavefronts : sectors) += access.pieces;
  EXPECT_LE(sectors, 5u); // `in` is aligned to 16 bytes
  EXPECT_GE(sectors, 4u);
  EXPECT_EQ(wavefronts, 4u);
}

TEST(Emulator, KernelsThatAreStartedEarlyWait) {
  const char *const whole = R"(
  setp.ge.u32 %p1, %r0, 16;
  griddepcontrol.wait;
  @%p1 bra end;
  ld.global.b64 %rd4, [%rd0];
  st.global.b64 [%rd1], %rd4;
end:
  griddepcontrol.launch_dependents;)";
  auto run = [](const std::string &body, bool isEarly) {
    Emulated kernel(body);
    kernel.grid.threads[0] = 32;
    kernel.isEarly = isEarly;
    return kernel.run();
  };
  const std::string wait = "griddepcontrol.wait;";
  EXPECT_EQ(run(whole, true), "");
  EXPECT_EQ(run(whole, false), "");
  EXPECT_EQ(run(replace(whole, wait, ""), false), "");
  expectContains(run(replace(whole, wait, ""), true),
                 "'ld.global.b64 %rd4, [%rd0];': does not wait for the launch "
                 "before (block 0, 0, 0, thread 0)");
  expectContains(run(replace(whole, wait, "@!%p1 griddepcontrol.wait;"), true),
                 "'ret;': ends without waiting for the launch before (block 0, "
                 "0, 0, thread 16)");
  expectContains(run(replace(whole, wait, "griddepcontrol.other;"), true),
                 "expected .wait or .launch_dependents");
}
