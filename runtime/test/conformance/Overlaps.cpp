//===- Overlaps.cpp - kernels that are started while others end -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Chains of launches in which each reads what the one before wrote, and writes
// what that one read, so that every element is wrong if two of them mix. The
// kernel lets the next one in as early as it may, and reads by the way that a
// card keeps copies for.
//
//===----------------------------------------------------------------------===//

#include "conformance/Programs.h"

#include <cstddef>
#include <utility>
#include <vector>

using namespace arrt_test;

/// out[i] = in[(i + by) mod n] + 1.
static const char ptx[] = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry shift(.param .u64 out, .param .u64 in, .param .u64 n,
                      .param .u64 by)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %rd<9>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  cvt.u64.u32 %rd0, %r3;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u64 %rd3, [n];
  ld.param.u64 %rd4, [by];
  griddepcontrol.wait;
  griddepcontrol.launch_dependents;
  setp.ge.u64 %p, %rd0, %rd3;
  @%p bra end;
  add.u64 %rd5, %rd0, %rd4;
  rem.u64 %rd5, %rd5, %rd3;
  shl.b64 %rd6, %rd5, 2;
  add.u64 %rd6, %rd2, %rd6;
  ld.global.nc.u32 %r4, [%rd6];
  add.u32 %r4, %r4, 1;
  shl.b64 %rd7, %rd0, 2;
  add.u64 %rd7, %rd1, %rd7;
  st.global.u32 [%rd7], %r4;
end:
  ret;
}
)";

namespace {

constexpr int64_t count = 1 << 15, by = 4099;

class Overlaps : public Programs {
protected:
  void SetUp() override {
    Programs::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    arrt_device_info infos[16];
    int32_t found = arrt_devices(infos, 16);
    bool isKnown = false;
    for (int32_t i = 0; i < found && i < 16; ++i)
      isKnown |= infos[i].target == ARRT_TARGET_CUDA &&
                 infos[i].device == subject.device && infos[i].compute >= 90;
    if (subject.target != ARRT_TARGET_CUDA || !isKnown)
      GTEST_SKIP() << "has no kernels that wait";
    image = {ARRT_IMAGE_PTX, int32_t(sizeof ptx), ptx, "sm_90"};
    program.num_kernels = 1;
    program.kernels = &kernel;
    for (int64_t i = 0; i < count; ++i)
      expected.push_back(int32_t(i * 7919));
    x = upload(ctx, ARRT_I32, expected);
    y = upload(ctx, ARRT_I32, expected);
    state = {arrt_array_data(x), arrt_array_data(y), nullptr};
  }
  void TearDown() override {
    arrt_array_release(x);
    arrt_array_release(y);
    Programs::TearDown();
  }

  /// The places that take turns, and one for a condition.
  struct State {
    void *from, *to, *condition;
  };
  /// A launch; the next one goes the other way.
  static int32_t step(arrt_context *ctx, void *, void *place) {
    auto &state = *static_cast<State *>(place);
    int64_t n = count, shiftBy = by;
    void *values[] = {&state.to, &state.from, &n, &shiftBy};
    int32_t status =
        arrt_launch(ctx, 0, (n + 255) / 256, 1, 1, 256, 1, 1, 0, values);
    std::swap(state.from, state.to);
    return status;
  }
  void expectStep() {
    std::vector<int32_t> before = expected;
    for (int64_t i = 0; i < count; ++i)
      expected[size_t(i)] = before[size_t((i + by) % count)] + 1;
  }
  /// 20 launches, with copies and fills between some.
  static int32_t mixed(arrt_context *ctx, void **args) {
    auto &state = *static_cast<State *>(args[0]);
    for (int s = 0; s < 20; ++s) {
      if (int32_t status = step(ctx, nullptr, &state))
        return status;
      if (s % 7 == 6) {
        arrt_buffer_copy(ctx, state.to, state.from, 4 * count);
        std::swap(state.from, state.to);
      }
      if (s % 5 == 4)
        if (int32_t status =
                arrt_buffer_fill(ctx, state.from, 3, 4, 4 * (count / 2)))
          return status;
    }
    return 0;
  }
  void expectMixed() {
    for (int s = 0; s < 20; ++s) {
      expectStep();
      for (int64_t i = 0; s % 5 == 4 && i < count / 2; ++i)
        expected[size_t(i)] = 3;
    }
  }
  void expectContent() {
    EXPECT_EQ(download<int32_t>(ctx, state.from == arrt_array_data(x) ? x : y),
              expected);
  }

  const arrt_kernel kernel = {"shift", 0, 0, "pp88", ARRT_KERNEL_OVERLAPS};
  std::vector<int32_t> expected;
  arrt_array *x = nullptr, *y = nullptr;
  State state = {};
};

TEST_F(Overlaps, EachLaunchSeesAllBefore) {
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(call(ctx, mixed, {&state}), 0) << arrt_message(ctx);
    expectMixed();
  }
  expectContent();
}

TEST_F(Overlaps, InRecordings) {
  ASSERT_EQ(arrt_capture_begin(ctx), 0) << arrt_message(ctx);
  EXPECT_EQ(call(ctx, mixed, {&state}), 0) << arrt_message(ctx);
  arrt_recording *recording = arrt_capture_end(ctx);
  ASSERT_NE(recording, nullptr) << arrt_message(ctx);
  // The places are back where they were: 20 launches and 2 copies.
  EXPECT_EQ(arrt_replay(recording, 3), 0) << arrt_message(ctx);
  for (int time = 0; time < 3; ++time)
    expectMixed();
  expectContent();
  arrt_recording_release(recording);
}

TEST_F(Overlaps, InLoops) {
  state.condition = arrt_buffer_alloc(ctx, 64, -1);
  ASSERT_NE(state.condition, nullptr);
  EXPECT_EQ(arrt_buffer_fill(ctx, state.condition, 1, 1, 64), 0);
  auto loop = [](arrt_context *ctx, void **args) {
    int64_t times = 0;
    return arrt_loop(ctx, step, nullptr, args[0], sizeof(State),
                     *static_cast<int64_t *>(args[1]), 101, &times);
  };
  // As often as is said, and as long as a byte of the device is not 0.
  for (int64_t condition : {int64_t(-1), int64_t(offsetof(State, condition))}) {
    EXPECT_EQ(call(ctx, loop, {&state, &condition}), 0) << arrt_message(ctx);
    for (int s = 0; s < 101; ++s)
      expectStep();
    expectContent();
  }
  arrt_buffer_free(ctx, state.condition);
}

} // namespace
