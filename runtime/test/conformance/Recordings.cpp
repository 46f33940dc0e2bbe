//===- Recordings.cpp - launches that are run again -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Programs.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

using namespace arrt_test;

namespace {

class Recordings : public Programs {
protected:
  /// Records one call.
  arrt_recording *record(arrt_context *ctx, arrt_packed_fn code,
                         std::vector<void *> args) {
    EXPECT_EQ(arrt_capture_begin(ctx), 0) << arrt_message(ctx);
    EXPECT_EQ(call(ctx, code, std::move(args)), 0) << arrt_message(ctx);
    arrt_recording *recording = arrt_capture_end(ctx);
    EXPECT_NE(recording, nullptr) << arrt_message(ctx);
    return recording;
  }
};

/// y = x; y += 2 * x in a buffer of its own; x = y; x[1] = 5; x[2..] = 1, 2, 3.
int32_t mixed(arrt_context *ctx, void **args) {
  char *x = *static_cast<char **>(args[0]);
  int64_t n = *static_cast<int64_t *>(args[1]);
  void *y = arrt_buffer_alloc(ctx, 4 * n, -1);
  if (!y)
    return arrt_last_status(ctx);
  arrt_buffer_copy(ctx, y, x, 4 * n);
  float a = 2;
  void *values[] = {&y, &x, &a, &n};
  if (int32_t status =
          arrt_launch(ctx, Axpy, (n + 63) / 64, 1, 1, 64, 1, 1, 0, values))
    return status;
  arrt_buffer_copy(ctx, x, y, 4 * n);
  arrt_buffer_free(ctx, y);
  float five = 5, three[] = {1, 2, 3};
  if (int32_t status = arrt_write(ctx, x + 4, &five, 4))
    return status;
  if (int32_t status = arrt_write(ctx, x + 8, three, 12))
    return status;
  five = three[0] = -1;
  return arrt_buffer_fill(ctx, x + 20, 0x40000000, 4, 4);
}

TEST_F(Recordings, AreRunAsOftenAsIsAsked) {
  for (uint32_t flags : {0, int(ARRT_OPTION_NO_POOL)}) {
    arrt_context *mine = create(flags);
    std::vector<float> expected(100, 1);
    arrt_array *x = upload(mine, ARRT_F32, expected);
    void *data = arrt_array_data(x);
    int64_t n = 100;
    arrt_recording *recording = record(mine, mixed, {&data, &n});
    ASSERT_NE(recording, nullptr);
    // Nothing was done yet.
    EXPECT_EQ(download<float>(mine, x), expected);
    // Memory of a size that was free then must not be used by it.
    void *other = arrt_buffer_alloc(mine, 4 * n, -1);
    EXPECT_EQ(arrt_buffer_fill(mine, other, 0, 4, 4 * n), 0);
    for (int64_t times : {0, 1, 3}) {
      EXPECT_EQ(arrt_replay(recording, times), 0) << arrt_message(mine);
      for (int64_t i = 0; i < times; ++i) {
        for (float &value : expected)
          value *= 3;
        const float written[] = {5, 1, 2, 3, 2};
        std::copy_n(written, 5, expected.begin() + 1);
      }
      EXPECT_EQ(download<float>(mine, x), expected) << times;
    }
    std::vector<float> zeros(size_t(n), 1);
    EXPECT_EQ(arrt_read(mine, zeros.data(), other, 4 * n), 0);
    EXPECT_EQ(zeros, std::vector<float>(size_t(n), 0));
    arrt_buffer_free(mine, other);
    arrt_recording_release(recording);
    arrt_array_release(x);
    EXPECT_EQ(arrt_memory_in_use(mine), 0);
    arrt_context_destroy(mine);
  }
}

TEST_F(Recordings, LaunchesInHalvesAreRecorded) {
  arrt_context *mine = create(ARRT_OPTION_HALVES);
  arrt_array *x = upload(mine, ARRT_I32, std::vector<int32_t>(12, 0));
  void *data = arrt_array_data(x);
  auto code = [](arrt_context *ctx, void **args) {
    void *out = *static_cast<void **>(args[0]);
    int64_t columns = 4, zero = 0, rows = 3;
    void *values[] = {&out, &columns, &zero, &rows, &zero, &columns};
    return arrt_launch(ctx, Blocks32, 12, 1, 1, 32, 1, 1, 0, values);
  };
  arrt_recording *recording = record(mine, code, {&data});
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(arrt_replay(recording, 7), 0) << arrt_message(mine);
  EXPECT_EQ(download<int32_t>(mine, x), std::vector<int32_t>(12, 7));
  arrt_array_release(x);
  // The context takes what is left of the recording with it.
  arrt_context_destroy(mine);
}

TEST_F(Recordings, LoopsEndWhenTheDeviceSaysSo) {
  arrt_array *value = upload<int32_t>(ctx, ARRT_I32, {0});
  arrt_array *condition = upload<char>(ctx, ARRT_BOOL, {1});
  void *at = arrt_array_data(value), *goes = arrt_array_data(condition);
  int32_t limit = 37;
  auto code = [](arrt_context *ctx, void **args) {
    return arrt_launch(ctx, Step, 1, 1, 1, 32, 1, 1, 0, args);
  };
  arrt_recording *recording = record(ctx, code, {&at, &goes, &limit});
  ASSERT_NE(recording, nullptr);
  int64_t times = -1;
  EXPECT_EQ(arrt_replay_while(recording, goes, 10, &times), 0);
  EXPECT_EQ(times, 10);
  EXPECT_EQ(download<int32_t>(ctx, value), std::vector<int32_t>{10});
  EXPECT_EQ(arrt_replay_while(recording, goes, INT64_MAX, &times), 0);
  EXPECT_EQ(times, 27);
  EXPECT_EQ(download<int32_t>(ctx, value), std::vector<int32_t>{37});
  EXPECT_EQ(arrt_replay_while(recording, goes, INT64_MAX, nullptr), 0);
  EXPECT_EQ(download<int32_t>(ctx, value), std::vector<int32_t>{37});
  arrt_recording_release(recording);
  arrt_array_release(value);
  arrt_array_release(condition);
}

/// A loop with two places that take turns, and two conditions that do too.
struct LoopState {
  void *value, *other, *condition, *next;
};

/// next value = this value + 1, and whether that is below the limit in env.
int32_t turn(arrt_context *ctx, void *env, void *place) {
  auto &state = *static_cast<LoopState *>(place);
  arrt_buffer_copy(ctx, state.other, state.value, 4);
  void *values[] = {&state.other, &state.next, env};
  if (int32_t status = arrt_launch(ctx, Step, 1, 1, 1, 32, 1, 1, 0, values))
    return status;
  std::swap(state.value, state.other);
  std::swap(state.condition, state.next);
  return 0;
}

TEST_F(Recordings, LoopsRunAsOftenAsTheirConditionSays) {
  for (uint32_t flags : {0, int(ARRT_OPTION_NO_POOL)}) {
    arrt_context *mine = create(flags);
    struct Env {
      int32_t limit;
      int64_t most, condition;
      LoopState state;
      int64_t times;
    };
    auto code = [](arrt_context *ctx, void **args) {
      auto &env = *static_cast<Env *>(args[0]);
      return arrt_loop(ctx, turn, &env.limit, &env.state, sizeof env.state,
                       env.condition, env.most, &env.times);
    };
    for (int32_t limit : {0, 1, 2, 31, 32, 33, 34, 39, 40, 41, 42, 100, 1001})
      for (int64_t most :
           {int64_t(5), int64_t(77), int64_t(999), int64_t(INT64_MAX)})
        for (bool hasCondition : {true, false}) {
          if (!hasCondition && most > 1000)
            continue;
          arrt_array *values[] = {upload<int32_t>(mine, ARRT_I32, {0}),
                                  upload<int32_t>(mine, ARRT_I32, {-1})};
          arrt_array *conditions[] = {
              upload<char>(mine, ARRT_BOOL, {limit > 0}),
              upload<char>(mine, ARRT_BOOL, {1})};
          LoopState start = {
              arrt_array_data(values[0]), arrt_array_data(values[1]),
              arrt_array_data(conditions[0]), arrt_array_data(conditions[1])};
          Env env = {limit, most,
                     hasCondition ? int64_t(offsetof(LoopState, condition))
                                  : int64_t(-1),
                     start, -1};
          ASSERT_EQ(call(mine, code, {&env}), 0) << arrt_message(mine);
          int64_t expected =
              hasCondition ? std::min<int64_t>(limit, most) : most;
          EXPECT_EQ(env.times, expected) << limit << ' ' << most;
          // The state is that of the next step.
          EXPECT_EQ(env.state.value, expected % 2 ? start.other : start.value);
          EXPECT_EQ(download<int32_t>(mine, values[expected % 2])[0], expected)
              << limit << ' ' << most;
          for (arrt_array *array :
               {values[0], values[1], conditions[0], conditions[1]})
            arrt_array_release(array);
        }
    EXPECT_EQ(arrt_memory_in_use(mine), 0);
    arrt_context_destroy(mine);
  }
}

TEST_F(Recordings, LoopsThatDoNotRepeatAreRunAllTheSame) {
  // A state that counts, and one whose step reads.
  struct Env {
    void *value, *condition;
    int64_t state[2];
  };
  auto counting = [](arrt_context *ctx, void *place, void *state) {
    auto &env = *static_cast<Env *>(place);
    int32_t limit = 90;
    ++static_cast<int64_t *>(state)[1];
    void *values[] = {&env.value, &env.condition, &limit};
    return arrt_launch(ctx, Step, 1, 1, 1, 32, 1, 1, 0, values);
  };
  auto reading = [](arrt_context *ctx, void *place, void *) {
    auto &env = *static_cast<Env *>(place);
    int32_t limit = 90, value = 0;
    void *values[] = {&env.value, &env.condition, &limit};
    if (int32_t status = arrt_launch(ctx, Step, 1, 1, 1, 32, 1, 1, 0, values))
      return status;
    return arrt_read(ctx, &value, env.value, 4);
  };
  static arrt_body_fn body;
  auto code = [](arrt_context *ctx, void **args) {
    auto &env = *static_cast<Env *>(args[0]);
    std::memcpy(env.state, &env.condition, sizeof env.condition);
    return arrt_loop(ctx, body, &env, env.state, sizeof env.state, 0, 1000,
                     static_cast<int64_t *>(args[1]));
  };
  for (arrt_body_fn each : {arrt_body_fn(counting), arrt_body_fn(reading)}) {
    body = each;
    arrt_array *value = upload<int32_t>(ctx, ARRT_I32, {0});
    arrt_array *condition = upload<char>(ctx, ARRT_BOOL, {1});
    Env env = {arrt_array_data(value), arrt_array_data(condition), {0, 0}};
    int64_t times = 0;
    ASSERT_EQ(call(ctx, code, {&env, &times}), 0) << arrt_message(ctx);
    EXPECT_EQ(times, 90);
    EXPECT_EQ(env.state[1],
              each == body && each == arrt_body_fn(counting) ? 90 : 0);
    EXPECT_EQ(download<int32_t>(ctx, value)[0], 90);
    arrt_array_release(value);
    arrt_array_release(condition);
  }
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}

TEST_F(Recordings, ACheckThatFailsEndsALoop) {
  struct Env {
    void *condition;
    int64_t steps;
  };
  auto code = [](arrt_context *ctx, void **args) {
    auto body = [](arrt_context *ctx, void *place, void *) {
      auto &env = *static_cast<Env *>(place);
      // From the 50th step on an iteration fails.
      int32_t site = 2;
      int64_t n = ++env.steps < 50 ? 1 : 2;
      void *values[] = {nullptr, &site, &n};
      return arrt_launch(ctx, Fails, 1, 1, 1, 128, 1, 1, 0, values);
    };
    auto &env = *static_cast<Env *>(args[0]);
    void *state = env.condition;
    return arrt_loop(ctx, body, &env, &state, sizeof state, 0, INT64_MAX,
                     nullptr);
  };
  arrt_array *condition = upload<char>(ctx, ARRT_BOOL, {1});
  Env env = {arrt_array_data(condition), 0};
  EXPECT_EQ(call(ctx, code, {&env}), ARRT_STATUS_CHECK);
  EXPECT_EQ(std::string(arrt_message(ctx)),
            "p.arr:4:9: error: index 1 is out of bounds of 2");
  EXPECT_LE(env.steps, 60);
  arrt_array_release(condition);
}

TEST_F(Recordings, ChecksFailInReplays) {
  auto code = [](arrt_context *ctx, void **) {
    int32_t site = 2;
    int64_t n = 100;
    void *values[] = {nullptr, &site, &n};
    if (int32_t status = arrt_launch(ctx, Fails, 1, 1, 1, 128, 1, 1, 0, values))
      return status;
    return arrt_poll_error(ctx);
  };
  arrt_recording *recording = record(ctx, code, {});
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(arrt_poll_error(ctx), 0);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(arrt_replay(recording, 2), 0) << arrt_message(ctx);
    EXPECT_EQ(arrt_poll_error(ctx), ARRT_STATUS_CHECK);
    EXPECT_EQ(arrt_poll_error(ctx), 0);
  }
  arrt_recording_release(recording);
}

TEST_F(Recordings, no_ReadingWhileRecording) {
  arrt_array *x = upload<float>(ctx, ARRT_F32, {1, 2});
  void *data = arrt_array_data(x);
  auto code = [](arrt_context *ctx, void **args) {
    float value;
    return arrt_read(ctx, &value, *static_cast<void **>(args[0]), 4);
  };
  EXPECT_EQ(arrt_capture_begin(ctx), 0);
  EXPECT_NE(arrt_capture_begin(ctx), 0);
  EXPECT_NE(call(ctx, code, {&data}), 0);
  EXPECT_NE(std::string(arrt_message(ctx)).find("reading from the device"),
            std::string::npos)
      << arrt_message(ctx);
  EXPECT_EQ(arrt_array_to_host(ctx, x), nullptr);
  EXPECT_EQ(arrt_capture_end(ctx), nullptr);
  EXPECT_EQ(arrt_capture_end(ctx), nullptr);
  // The context still works.
  EXPECT_EQ(download<float>(ctx, x), (std::vector<float>{1, 2}));
  arrt_array_release(x);
}

} // namespace
