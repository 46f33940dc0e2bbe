//===- CallTest.cpp - calls, failures and what they leave -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

using Call = arrt_test::ContextTest;

static const arrt_site sites[] = {
    {"p.arr", 4, 9, ARRT_CHECK_INDEX, 0, "index {0} is out of bounds of {1}",
     nullptr},
    {"p.arr", 6, 1, ARRT_CHECK_ASSERT, 0, "assertion failed", nullptr},
    {"p.arr", 2, 3, ARRT_CHECK_INPUT, 0, "'n' is {0}", nullptr},
};
static const arrt_program program = {ARRT_ABI_VERSION, 0, nullptr, sites, 3, 0,
                                     "p.arr"};

static arrt_entry entryOf(arrt_packed_fn packed) {
  return {"f", packed, 0, 0, nullptr, nullptr};
}

TEST_F(Call, AFailedCallLeavesNoMemory) {
  arrt_entry entry = entryOf([](arrt_context *ctx, void **) -> int32_t {
    arrt_buffer_alloc(ctx, 1000, -1);
    const int64_t sizes[] = {100};
    arrt_array_alloc(ctx, ARRT_F32, 1, sizes, -1);
    int64_t n = -3;
    return arrt_fail_check(ctx, 2, 1, &n);
  });
  EXPECT_EQ(arrt_call(ctx, &program, &entry, nullptr, 0), ARRT_STATUS_INPUT);
  EXPECT_EQ(message(), "p.arr:2:3: error: 'n' is -3");
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}

TEST_F(Call, AHandleThatTheCallerHoldsSurvivesAFailedCall) {
  const int64_t sizes[] = {100};
  arrt_array *input = arrt_array_alloc(ctx, ARRT_F32, 1, sizes, -1);
  int64_t before = arrt_memory_in_use(ctx);
  arrt_entry entry = entryOf([](arrt_context *ctx, void **) -> int32_t {
    return arrt_fail_check(ctx, 1, 0, nullptr);
  });
  EXPECT_EQ(arrt_call(ctx, &program, &entry, nullptr, 0), ARRT_STATUS_CHECK);
  EXPECT_EQ(arrt_memory_in_use(ctx), before);
  arrt_array_release(input);
}

TEST_F(Call, KernelErrorsAreReportedInSourceOrderEvenIfNotPolled) {
  arrt_entry entry = entryOf([](arrt_context *ctx, void **) -> int32_t {
    arrt_parallel(
        ctx,
        [](void *env, int64_t begin, int64_t end, int64_t) {
          auto *ctx = static_cast<arrt_context *>(env);
          for (int64_t i = end; i-- > begin;) {
            int64_t values[] = {i, 50};
            if (i >= 50)
              arrt_record_check(ctx, 0, i, 2, values);
            arrt_record_check(ctx, 1, i, 0, nullptr);
          }
        },
        ctx, 100, 1);
    return 0;
  });
  EXPECT_EQ(arrt_call(ctx, &program, &entry, nullptr, 0), ARRT_STATUS_CHECK);
  EXPECT_EQ(message(), "p.arr:4:9: error: index 50 is out of bounds of 50");
  arrt_entry fine = entryOf([](arrt_context *, void **) { return 0; });
  EXPECT_EQ(arrt_call(ctx, &program, &fine, nullptr, 0), ARRT_STATUS_OK);
  EXPECT_EQ(message(), "");
}

TEST_F(Call, no_ProgramOfAnotherVersion) {
  arrt_program other = program;
  other.version = 99;
  arrt_entry entry = entryOf([](arrt_context *, void **) { return 0; });
  EXPECT_EQ(arrt_call(ctx, &other, &entry, nullptr, 0), ARRT_STATUS_DEVICE);
  EXPECT_NE(message().find("version 99"), std::string::npos);
}

TEST_F(Call, AnObserverIsToldOfWhatIsDone) {
  struct Told {
    std::vector<int32_t> kinds, numbers;
    std::vector<int64_t> bytes;
  } told;
  arrt_entry entry = entryOf([](arrt_context *ctx, void **) -> int32_t {
    char *data = static_cast<char *>(arrt_buffer_alloc(ctx, 2000, -1));
    arrt_mark(ctx, 7);
    int32_t status = arrt_buffer_fill(ctx, data, 0, 4, 400);
    arrt_mark(ctx, -1);
    arrt_buffer_copy(ctx, data + 1000, data, 100);
    arrt_buffer_free(ctx, data);
    return status;
  });
  auto tell = [](void *user, const arrt_event *event) {
    auto &told = *static_cast<Told *>(user);
    told.kinds.push_back(event->kind);
    told.numbers.push_back(event->number);
    told.bytes.push_back(event->bytes);
    EXPECT_GE(event->begin, 0);
    EXPECT_GE(event->seconds, 0);
  };
  arrt_observe(ctx, tell, &told);
  ASSERT_EQ(arrt_call(ctx, &program, &entry, nullptr, 0), ARRT_STATUS_OK);
  EXPECT_EQ(told.kinds,
            (std::vector<int32_t>{ARRT_EVENT_FILL, ARRT_EVENT_KERNEL,
                                  ARRT_EVENT_COPY}));
  EXPECT_EQ(told.numbers[1], 7);
  EXPECT_EQ(told.bytes, (std::vector<int64_t>{400, 0, 100}));
  arrt_observe(ctx, nullptr, nullptr);
  ASSERT_EQ(arrt_call(ctx, &program, &entry, nullptr, 0), ARRT_STATUS_OK);
  EXPECT_EQ(told.kinds.size(), 3u);
}
