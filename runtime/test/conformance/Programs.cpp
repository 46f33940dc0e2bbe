//===- Programs.cpp - whole programs on every device with kernels ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What generated code does, by hand: the way of arrays from the host and back,
// launches by number, checks that fail in kernels.
//
//===----------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <numeric>
#include <vector>

using arrt_test::Conformance;

namespace {

const arrt_site sites[] = {
    {"p.arr", 1, 1, ARRT_CHECK_ALLOC, 0, "y", nullptr},
    {"p.arr", 4, 9, ARRT_CHECK_INDEX, 0, "index {0} is out of bounds of {1}",
     nullptr},
    {"p.arr", 6, 1, ARRT_CHECK_DIVIDE, 0, "division by zero", nullptr},
};
const arrt_kernel kernels[] = {
    {"axpy", 0, 0, "pp48"},
    {"fails", 0, 0, "e48"},
};

/// def f(x: f32[n]) -> (f32[n], f32): 3 * x, and its last element.
int32_t tripled(arrt_context *ctx, void **args) {
  arrt_array *x = *static_cast<arrt_array **>(args[0]);
  int64_t n = arrt_array_size(x, 0);
  arrt_array *y = arrt_array_alloc(ctx, ARRT_F32, 1, &n, 0);
  if (!y)
    return arrt_last_status(ctx);
  if (int32_t status = arrt_buffer_fill(ctx, arrt_array_data(y), 0, 4, 4 * n))
    return status;
  void *to = arrt_array_data(y), *from = arrt_array_data(x);
  float a = 1.5f;
  void *values[] = {&to, &from, &a, &n};
  for (int step = 0; step < 2; ++step)
    if (int32_t status =
            arrt_launch(ctx, 0, (n + 63) / 64, 1, 1, 64, 1, 1, 0, values))
      return status;
  *static_cast<arrt_array **>(args[1]) = y;
  return n == 0 ? 0
                : arrt_read(ctx, args[2], static_cast<char *>(to) + 4 * (n - 1),
                            4);
}

int32_t failing(arrt_context *ctx, void **args) {
  auto site = int32_t(*static_cast<int64_t *>(args[0]));
  int64_t n = *static_cast<int64_t *>(args[1]);
  void *values[] = {nullptr, &site, &n};
  if (int32_t status =
          arrt_launch(ctx, 1, (n + 127) / 128, 1, 1, 128, 1, 1, 0, values))
    return status;
  return arrt_poll_error(ctx);
}

class Programs : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!device)
      return;
    device.reset();
    image = arrt_test::kernelsFor(subject);
    if (!image.data)
      GTEST_SKIP() << "runs no kernels";
    program = {};
    program.version = ARRT_ABI_VERSION;
    program.sites = sites;
    program.num_sites = 3;
    program.target = subject.target;
    program.file = "p.arr";
    program.num_images = 1;
    program.images = &image;
    program.num_kernels = 2;
    program.kernels = kernels;
    ctx = create();
    ASSERT_EQ(arrt_last_status(ctx), 0) << arrt_message(ctx);
  }
  void TearDown() override { arrt_context_destroy(ctx); }
  arrt_context *create() {
    arrt_options options = {};
    options.threads = 1;
    options.target = subject.target;
    options.device = subject.device;
    return arrt_context_create(&options);
  }

  arrt_image image = {};
  arrt_program program = {};
  arrt_context *ctx = nullptr;
  arrt_param params[2] = {{"x", "f32[n]", ARRT_F32, 1, nullptr, nullptr},
                          {"y", "f32", ARRT_F32, 0, nullptr, nullptr}};
  arrt_entry triple = {"f", tripled, 1, 2, params, params};
  arrt_entry fail = {"g", failing, 0, 0, nullptr, nullptr};
};

TEST_F(Programs, ArraysGoThereAndBack) {
  for (int64_t n : {0, 1, 63, 1000001}) {
    arrt_array *x = arrt_array_alloc_host(ctx, ARRT_F32, 1, &n);
    auto *host = static_cast<float *>(arrt_array_data(x));
    std::iota(host, host + n, 0.0f);
    arrt_array *there = arrt_array_to_device(ctx, x), *y = nullptr;
    ASSERT_NE(there, nullptr) << arrt_message(ctx);
    EXPECT_FALSE(arrt_array_is_on_host(there));
    float last = -1;
    void *args[] = {&there, &y, &last};
    ASSERT_EQ(arrt_call(ctx, &program, &triple, args), 0) << arrt_message(ctx);
    EXPECT_EQ(last, n ? 3 * float(n - 1) : -1);
    arrt_array *back = arrt_array_to_host(ctx, y);
    ASSERT_NE(back, nullptr) << arrt_message(ctx);
    auto *result = static_cast<const float *>(arrt_array_data(back));
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(result[i], 3 * float(i)) << i;
    for (arrt_array *array : {x, there, y, back})
      arrt_array_release(array);
  }
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}

TEST_F(Programs, AnArrayOfTheHostIsCopiedForTheCall) {
  int64_t n = 3;
  float host[] = {1, 2, 3};
  arrt_array *x = arrt_array_borrow(ctx, host, ARRT_F32, 1, &n);
  arrt_array *original = x, *y = nullptr;
  float last = 0;
  void *args[] = {&x, &y, &last};
  ASSERT_EQ(arrt_call(ctx, &program, &triple, args), 0) << arrt_message(ctx);
  EXPECT_EQ(x, original);
  EXPECT_EQ(last, 9);
  arrt_array_release(y);
  arrt_array_release(x);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}

TEST_F(Programs, TheFirstFailingCheckIsReportedAndTheProcessGoesOn) {
  for (int64_t n : {2, 100, 100000}) {
    int64_t site = 2;
    void *args[] = {&site, &n};
    // The odd iterations fail at the site before: the least is site 1, index 1.
    ASSERT_EQ(arrt_call(ctx, &program, &fail, args), ARRT_STATUS_CHECK);
    EXPECT_EQ(std::string(arrt_message(ctx)),
              "p.arr:4:9: error: index 1 is out of bounds of " +
                  std::to_string(n));
    n = 1;
    ASSERT_EQ(arrt_call(ctx, &program, &fail, args), 0) << arrt_message(ctx);
  }
}

TEST_F(Programs, OutOfMemoryNamesTheArray) {
  int64_t n = int64_t(1) << 52;
  EXPECT_EQ(arrt_array_alloc(ctx, ARRT_F32, 1, &n, -1), nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_MEMORY);
  std::string text = arrt_message(ctx);
  EXPECT_NE(text.find(std::string("out of memory on ") +
                      arrt_context_device(ctx) + ": an array needs 16.0 PiB, "),
            std::string::npos)
      << text;
}

TEST_F(Programs, TwoContextsCopyBetweenEachOther) {
  arrt_context *other = create();
  int64_t n = 5;
  float host[] = {1, 2, 3, 4, 5};
  arrt_array *x = arrt_array_borrow(ctx, host, ARRT_F32, 1, &n);
  arrt_array *here = arrt_array_to_device(ctx, x);
  arrt_array *there = arrt_array_to_device(other, here);
  ASSERT_NE(there, nullptr) << arrt_message(other);
  EXPECT_NE(there, here);
  arrt_array *back = arrt_array_to_host(other, there);
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(static_cast<float *>(arrt_array_data(back))[4], 5);
  for (arrt_array *array : {x, here, there, back})
    arrt_array_release(array);
  arrt_context_destroy(other);
}

TEST_F(Programs, no_KernelThatIsNotThere) {
  arrt_kernel missing = {"missing", 0, 0, ""};
  arrt_program other = program;
  other.num_kernels = 1;
  other.kernels = &missing;
  EXPECT_EQ(arrt_program_load(ctx, &other), ARRT_STATUS_INTERNAL);
  EXPECT_NE(std::string(arrt_message(ctx)).find("'missing'"),
            std::string::npos);
}

} // namespace
