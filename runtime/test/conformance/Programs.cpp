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

#include "conformance/Programs.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

using namespace arrt_test;

namespace {

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
            arrt_launch(ctx, Axpy, (n + 63) / 64, 1, 1, 64, 1, 1, 0, values))
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
          arrt_launch(ctx, Fails, (n + 127) / 128, 1, 1, 128, 1, 1, 0, values))
    return status;
  return arrt_poll_error(ctx);
}

const arrt_param params[2] = {{"x", "f32[n]", ARRT_F32, 1, nullptr, nullptr},
                              {"y", "f32", ARRT_F32, 0, nullptr, nullptr}};
const arrt_entry triple = {"f", tripled, 1, 2, params, params};
const arrt_entry fail = {"g", failing, 0, 0, nullptr, nullptr};

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
    ASSERT_EQ(arrt_call(ctx, &program, &triple, args, 3), 0)
        << arrt_message(ctx);
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
  ASSERT_EQ(arrt_call(ctx, &program, &triple, args, 3), 0) << arrt_message(ctx);
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
    ASSERT_EQ(arrt_call(ctx, &program, &fail, args, 0), ARRT_STATUS_CHECK);
    EXPECT_EQ(std::string(arrt_message(ctx)),
              "p.arr:4:9: error: index 1 is out of bounds of " +
                  std::to_string(n));
    n = 1;
    ASSERT_EQ(arrt_call(ctx, &program, &fail, args, 0), 0) << arrt_message(ctx);
  }
}

TEST_F(Programs, no_ArrayThatIsTooLargeAndTheContextGoesOn) {
  ARRT_PROVOKES();
  auto code = [](arrt_context *ctx, void **) {
    int64_t n = int64_t(1) << 52;
    return arrt_array_alloc(ctx, ARRT_F32, 1, &n, 0) ? 0
                                                     : arrt_last_status(ctx);
  };
  EXPECT_EQ(call(ctx, code), ARRT_STATUS_MEMORY);
  std::string text = arrt_message(ctx);
  EXPECT_EQ(text.find(std::string("p.arr:1:1: error: out of memory on ") +
                      arrt_context_device(ctx) + ": 'y' needs 16.0 PiB, "),
            0u)
      << text;
  EXPECT_NE(text.find("iB are free"), std::string::npos) << text;
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  arrt_array *x = upload<float>(ctx, ARRT_F32, {1, 2, 3}), *y = nullptr;
  float last = 0;
  void *args[] = {&x, &y, &last};
  ASSERT_EQ(arrt_call(ctx, &program, &triple, args, 3), 0) << arrt_message(ctx);
  EXPECT_EQ(last, 9);
  arrt_array_release(x);
  arrt_array_release(y);
}

TEST_F(Programs, FreeBlocksGiveWayToLargerOnes) {
  // What the pool keeps is given back before anything is refused.
  arrt_options options = {};
  options.threads = 1;
  options.target = subject.target;
  options.device = subject.device;
  options.memory_limit = 1 << 20;
  arrt_context *small = arrt_context_create(&options);
  for (int64_t bytes : {100000, 200000, 300000, 400000, 900000, 100000}) {
    void *data = arrt_buffer_alloc(small, bytes, -1);
    EXPECT_NE(data, nullptr) << arrt_message(small);
    arrt_buffer_free(small, data);
  }
  EXPECT_EQ(arrt_buffer_alloc(small, 2 << 20, -1), nullptr);
  EXPECT_EQ(arrt_last_status(small), ARRT_STATUS_MEMORY);
  EXPECT_EQ(arrt_memory_in_use(small), 0);
  arrt_context_destroy(small);
}

/// Marks every block of a matrix with an offset in both dimensions.
template <KernelNumber kernel, int rows>
int32_t marked(arrt_context *ctx, void **args) {
  void *out = *static_cast<void **>(args[0]);
  auto *ranges = static_cast<int64_t *>(args[1]); // columns and both pairs
  void *values[] = {&out,       ranges,     ranges + 1,
                    ranges + 2, ranges + 3, ranges + 4};
  int64_t blocks = ranges[2] * ranges[4];
  return arrt_launch(ctx, kernel, (blocks + rows - 1) / rows, rows, 1, 32, 1, 1,
                     0, values);
}

TEST_F(Programs, LaunchesRunInHalves) {
  constexpr int64_t rows = 11, columns = 7;
  for (uint32_t flags : {0, int(ARRT_OPTION_HALVES)}) {
    arrt_context *mine = create(flags);
    // The second is folded into three rows of blocks.
    arrt_packed_fn codes[] = {marked<Blocks32, 1>, marked<Blocks64, 3>,
                              marked<Blocks64, 1>, marked<Blocks32, 3>};
    for (arrt_packed_fn code : codes)
      for (int64_t extent : {0, 1, 2, 5, 10}) {
        arrt_array *x = upload(mine, ARRT_I32, std::vector<int32_t>(77, 0));
        void *data = arrt_array_data(x);
        int64_t ranges[] = {columns, 1, extent, 2, 4};
        EXPECT_EQ(call(mine, code, {&data, ranges}), 0) << arrt_message(mine);
        std::vector<int32_t> y = download<int32_t>(mine, x);
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j)
            EXPECT_EQ(y[size_t(i * columns + j)],
                      i >= 1 && i < 1 + extent && j >= 2 && j < 6)
                << i << ' ' << j << " of " << extent;
        arrt_array_release(x);
      }
    arrt_context_destroy(mine);
  }
}

TEST_F(Programs, no_HalvesOfAGridThatIsNotItsExtents) {
  arrt_context *mine = create(ARRT_OPTION_HALVES);
  auto code = [](arrt_context *ctx, void **args) {
    void *out = *static_cast<void **>(args[0]);
    int64_t columns = 1, offset = 0, extent = 3;
    void *values[] = {&out, &columns, &offset, &extent, &offset, &extent};
    return arrt_launch(ctx, Blocks64, 8, 1, 1, 32, 1, 1, 0, values);
  };
  arrt_array *x = upload(mine, ARRT_I32, std::vector<int32_t>(9, 0));
  void *data = arrt_array_data(x);
  EXPECT_EQ(call(mine, code, {&data}), ARRT_STATUS_INTERNAL);
  EXPECT_NE(std::string(arrt_message(mine)).find("'blocks64'"),
            std::string::npos)
      << arrt_message(mine);
  arrt_array_release(x);
  arrt_context_destroy(mine);
}

TEST_F(Programs, WithoutAPoolResultsAreTheSame) {
  arrt_context *mine = create(ARRT_OPTION_NO_POOL);
  for (int64_t n : {0, 1, 63, 1001}) {
    std::vector<float> host(size_t(n), 2);
    arrt_array *x = upload(mine, ARRT_F32, host), *y = nullptr;
    float last = 0;
    void *args[] = {&x, &y, &last};
    ASSERT_EQ(arrt_call(mine, &program, &triple, args, 3), 0)
        << arrt_message(mine);
    EXPECT_EQ(download<float>(mine, y), std::vector<float>(size_t(n), 6));
    EXPECT_LE(arrt_memory_in_use(mine), std::max<int64_t>(2 * 4 * n, 2));
    arrt_array_release(x);
    arrt_array_release(y);
    EXPECT_EQ(arrt_memory_in_use(mine), 0);
  }
  arrt_context_destroy(mine);
}

TEST_F(Programs, LargeArraysGoThereAndBack) {
  // With cores that help, in pieces that do not divide them.
  arrt_options options = {};
  options.threads = 4;
  options.target = subject.target;
  options.device = subject.device;
  arrt_context *mine = arrt_context_create(&options);
  for (int64_t n : {(1 << 24) - 1, 1 << 24, 20000003}) {
    std::vector<int32_t> host(static_cast<size_t>(n));
    std::iota(host.begin(), host.end(), int32_t(n));
    arrt_array *there = upload(mine, ARRT_I32, host);
    std::vector<int32_t> back = download<int32_t>(mine, there);
    EXPECT_TRUE(back == host) << n;
    arrt_array_release(there);
  }
  arrt_context_destroy(mine);
}

TEST_F(Programs, WritesKeepTheirOrder) {
  // Pieces of every size between launches that read them; what was written
  // from may change at once.
  constexpr int64_t n = 40000;
  arrt_array *x = upload(ctx, ARRT_F32, std::vector<float>(n, 0));
  arrt_array *sum = upload(ctx, ARRT_F32, std::vector<float>(n, 0));
  char *data = static_cast<char *>(arrt_array_data(x));
  void *to = arrt_array_data(sum);
  std::vector<float> expected(n, 0), current(n, 0);
  struct Env {
    void *to, *from;
  } env{to, data};
  auto add = [](arrt_context *ctx, void **args) {
    auto *env = static_cast<Env *>(args[0]);
    float a = 1;
    int64_t count = n;
    void *values[] = {&env->to, &env->from, &a, &count};
    return arrt_launch(ctx, Axpy, (n + 63) / 64, 1, 1, 64, 1, 1, 0, values);
  };
  int64_t sizes[] = {1, 2, 3, 4, 16, 31, 32, 33, 1000, 16384, 20000, n};
  for (int round = 0; round < 100; ++round) {
    int64_t count = sizes[size_t(round) % std::size(sizes)];
    int64_t first = (n - count) * round / 100;
    std::vector<float> values(static_cast<size_t>(count), float(round));
    ASSERT_EQ(arrt_write(ctx, data + 4 * first, values.data(), 4 * count), 0)
        << arrt_message(ctx);
    std::memset(values.data(), 0xff, size_t(4 * count));
    for (int64_t i = first; i < first + count; ++i)
      current[size_t(i)] = float(round);
    for (size_t i = 0; i < size_t(n); ++i)
      expected[i] += current[i];
    ASSERT_EQ(call(ctx, add, {&env}), 0) << arrt_message(ctx);
  }
  EXPECT_EQ(download<float>(ctx, sum), expected);
  arrt_array_release(x);
  arrt_array_release(sum);
}

TEST_F(Programs, NothingIsDoneForNoBytesAndNoBlocks) {
  auto code = [](arrt_context *ctx, void **) {
    void *data = arrt_buffer_alloc(ctx, 0, -1);
    if (!data)
      return arrt_last_status(ctx);
    void *other = arrt_buffer_alloc(ctx, 0, -1);
    EXPECT_NE(other, nullptr);
    EXPECT_NE(other, data);
    arrt_buffer_copy(ctx, other, data, 0);
    arrt_buffer_copy(ctx, data, data, 64);
    float a = 1;
    int64_t n = 0;
    void *values[] = {&data, &other, &a, &n};
    for (int32_t status :
         {arrt_buffer_fill(ctx, data, 1, 8, 0),
          arrt_write(ctx, data, nullptr, 0), arrt_read(ctx, nullptr, data, 0),
          arrt_launch(ctx, Axpy, 0, 1, 1, 64, 1, 1, 0, values),
          arrt_launch(ctx, Axpy, 1, 0, 1, 64, 1, 1, 0, values),
          arrt_launch(ctx, Axpy, 1, 1, 1, 64, 1, 1, 0, values)})
      if (status)
        return status;
    arrt_buffer_free(ctx, data);
    arrt_buffer_free(ctx, other);
    return arrt_poll_error(ctx);
  };
  EXPECT_EQ(call(ctx, code), 0) << arrt_message(ctx);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}

TEST_F(Programs, ArraysAbove4GiB) {
  if (!std::getenv("ARRT_TEST_LARGE"))
    GTEST_SKIP() << "ARRT_TEST_LARGE=1 runs it: it needs 9 GiB on the device "
                    "and 4 GiB on the host";
  // The last elements, those behind 4 GiB and those before.
  constexpr int64_t n = (int64_t(1) << 30) + 1000, bytes = 4 * n;
  arrt_array *x = arrt_array_alloc(ctx, ARRT_F32, 1, &n, -1);
  arrt_array *y = arrt_array_alloc(ctx, ARRT_F32, 1, &n, -1);
  ASSERT_TRUE(x && y) << arrt_message(ctx);
  auto *from = static_cast<char *>(arrt_array_data(x));
  auto *to = static_cast<char *>(arrt_array_data(y));
  const int64_t places[] = {0, (int64_t(1) << 30) - 8, int64_t(1) << 30, n - 8};
  auto expect = [&](const char *data, std::vector<float> values) {
    for (int64_t place : places) {
      std::vector<float> back(8);
      ASSERT_EQ(arrt_read(ctx, back.data(), data + 4 * place, 32), 0)
          << arrt_message(ctx);
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ(back[i], values[i % 2]) << place;
    }
  };
  // 1, 2, 1, 2, .. in words of 8 bytes, then of 4.
  EXPECT_EQ(arrt_buffer_fill(ctx, from, 0x400000003f800000, 8, bytes), 0);
  expect(from, {1, 2});
  arrt_buffer_copy(ctx, to, from, bytes);
  expect(to, {1, 2});
  EXPECT_EQ(arrt_buffer_fill(ctx, from, 0x40400000, 4, bytes), 0);
  expect(from, {3, 3});
  struct Env {
    void *to, *from;
  } env{to, from};
  auto add = [](arrt_context *ctx, void **args) {
    auto *env = static_cast<Env *>(args[0]);
    float a = 2;
    int64_t count = n;
    void *values[] = {&env->to, &env->from, &a, &count};
    return arrt_launch(ctx, Axpy, (n + 255) / 256, 1, 1, 256, 1, 1, 0, values);
  };
  EXPECT_EQ(call(ctx, add, {&env}), 0) << arrt_message(ctx);
  expect(to, {7, 8});
  arrt_array *host = arrt_array_to_host(ctx, y);
  ASSERT_NE(host, nullptr) << arrt_message(ctx);
  auto *values = static_cast<float *>(arrt_array_data(host));
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i)
    wrong += values[i] != float(7 + i % 2);
  EXPECT_EQ(wrong, 0);
  for (int64_t place : places)
    for (int64_t i = 0; i < 8; ++i)
      values[place + i] = float(i % 2);
  EXPECT_EQ(arrt_array_copy(ctx, x, host), 0) << arrt_message(ctx);
  expect(from, {0, 1});
  arrt_array_release(host);
  arrt_array_release(x);
  arrt_array_release(y);
}

TEST_F(Programs, no_KernelThatIsNotThere) {
  ARRT_PROVOKES();
  arrt_kernel missing = {"missing", 0, 0, ""};
  arrt_program other = program;
  other.num_kernels = 1;
  other.kernels = &missing;
  EXPECT_EQ(arrt_program_load(ctx, &other), 0);
  auto code = [](arrt_context *ctx, void **) {
    return arrt_launch(ctx, 0, 1, 1, 1, 1, 1, 1, 0, nullptr);
  };
  arrt_entry entry = {"f", code, 0, 0, nullptr, nullptr};
  EXPECT_EQ(arrt_call(ctx, &other, &entry, nullptr, 0), ARRT_STATUS_DEVICE);
  EXPECT_NE(std::string(arrt_message(ctx)).find("'missing'"),
            std::string::npos);
}

TEST_F(Programs, no_KernelWithoutAnImage) {
  for (arrt_kernel wrong :
       {arrt_kernel{"axpy", 1, 0, "pp48"}, arrt_kernel{"axpy", 0, 0, "pq"},
        arrt_kernel{"axpy", 0, 0, "po"}, arrt_kernel{"axpy", 0, 0, "px"},
        arrt_kernel{"axpy", 0, 16, "pp48"}}) {
    arrt_program other = program;
    other.num_kernels = 1;
    other.kernels = &wrong;
    EXPECT_EQ(arrt_program_load(ctx, &other), ARRT_STATUS_INTERNAL);
    EXPECT_NE(std::string(arrt_message(ctx)).find("'axpy'"), std::string::npos);
  }
}

// Blocks that wait for each other would wait for ever on a smaller device.
TEST_F(Programs, KernelsThatNeedMoreMultiprocessorsAreRefused) {
  arrt_kernel kernel = {"axpy", 0, 0, "pp48", 30000 * ARRT_KERNEL_UNITS};
  arrt_program large = program;
  large.num_kernels = 1;
  large.kernels = &kernel;
  auto code = [](arrt_context *ctx, void **args) {
    return arrt_launch(ctx, 0, 1, 1, 1, 1, 1, 1, 0, args);
  };
  arrt_entry entry = {"f", code, 0, 0, nullptr, nullptr};
  EXPECT_EQ(arrt_call(ctx, &large, &entry, nullptr, 0), ARRT_STATUS_DEVICE);
  EXPECT_NE(std::string(arrt_message(ctx)).find("30000 multiprocessors"),
            std::string::npos);
}

TEST_F(Programs, ImagesAreMadeWhenTheyAreLaunched) {
  struct Maker {
    arrt_image image;
    int made[2] = {0, 0};
  } maker{image};
  arrt_image none = image;
  none.bytes = 0;
  none.data = nullptr;
  arrt_image images[] = {none, none};
  arrt_kernel kernels[] = {
      {"axpy", 0, 0, "pp48"}, {"one", 0, 0, "p"}, {"axpy", 1, 0, "pp48"}};
  arrt_program lazy = program;
  lazy.num_images = 2;
  lazy.images = images;
  lazy.num_kernels = 3;
  lazy.kernels = kernels;
  arrt_array *x = upload<int32_t>(ctx, ARRT_I32, {1, 2});
  void *data = arrt_array_data(x);
  auto code = [](arrt_context *ctx, void **args) {
    return arrt_launch(ctx, 1, 1, 1, 1, 1, 1, 1, 0, args);
  };
  arrt_entry entry = {"f", code, 0, 0, nullptr, nullptr};
  void *args[] = {&data};
  EXPECT_EQ(arrt_call(ctx, &lazy, &entry, args, 0), ARRT_STATUS_INTERNAL);
  EXPECT_NE(std::string(arrt_message(ctx)).find("has no code"),
            std::string::npos);
  arrt_set_images(
      ctx,
      [](void *user, arrt_context *, const arrt_program *, int32_t number,
         arrt_image *made) {
        auto &maker = *static_cast<Maker *>(user);
        ++maker.made[number];
        *made = maker.image;
        return 0;
      },
      &maker);
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(arrt_call(ctx, &lazy, &entry, args, 0), 0) << arrt_message(ctx);
  EXPECT_EQ(maker.made[0], 1);
  EXPECT_EQ(maker.made[1], 0);
  EXPECT_EQ(download<int32_t>(ctx, x)[0], 4);
  arrt_array_release(x);
  arrt_program_unload(ctx, &lazy);
}

} // namespace
