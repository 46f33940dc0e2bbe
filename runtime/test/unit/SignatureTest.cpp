//===- SignatureTest.cpp - arguments that do not fit their entry ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// By hand what the compiler makes of
//
//   export def f(x: f32[n, m], y: f64[n], q: f32[3], w: i16[2*n - m // 2],
//                k: i32, b: bool, v: u8[n*k]) -> (z: f32[n], total: f64)
//
// Its code reads every element that the declaration promises, as generated
// code does: under a sanitizer an argument that slips through is an error.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

namespace {

const char *const dimsX[] = {"n", "m"}, *const dimsN[] = {"n"},
                  *const dims3[] = {"3"}, *const dimsW[] = {"2*n - (m // 2)"},
                  *const dimsV[] = {"n*k"};
enum { X, Y, Q, W, K, B, V, numParams, Z = numParams, Total, numArgs };
const arrt_param params[] = {
    {"x", "f32[n, m]", ARRT_F32, 2, dimsX, nullptr},
    {"y", "f64[n]", ARRT_F64, 1, dimsN, nullptr},
    {"q", "f32[3]", ARRT_F32, 1, dims3, nullptr},
    {"w", "i16[2*n - m // 2]", ARRT_I16, 1, dimsW, nullptr},
    {"k", "i32", ARRT_I32, 0, nullptr, nullptr},
    {"b", "bool", ARRT_BOOL, 0, nullptr, nullptr},
    {"v", "u8[n*k]", ARRT_U8, 1, dimsV, nullptr}};
const arrt_param results[] = {{"z", "f32[n]", ARRT_F32, 1, dimsN, nullptr},
                              {"total", "f64", ARRT_F64, 0, nullptr, nullptr}};

template <typename T> double sum(arrt_array *array, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i < count; ++i)
    total += double(static_cast<const T *>(arrt_array_data(array))[i]);
  return total;
}

int32_t code(arrt_context *ctx, void **args) {
  auto array = [&](int i) { return *static_cast<arrt_array **>(args[i]); };
  int64_t n = arrt_array_size(array(X), 0), m = arrt_array_size(array(X), 1);
  int64_t k = *static_cast<int32_t *>(args[K]);
  double total = sum<float>(array(X), n * m) + sum<double>(array(Y), n) +
                 sum<float>(array(Q), 3) +
                 sum<int16_t>(array(W), 2 * n - m / 2) +
                 sum<uint8_t>(array(V), n * k) + *static_cast<bool *>(args[B]);
  auto *z = arrt_array_alloc(ctx, ARRT_F32, 1, &n, -1);
  if (!z)
    return arrt_last_status(ctx);
  std::memset(arrt_array_data(z), 0, size_t(4 * n));
  *static_cast<arrt_array **>(args[Z]) = z;
  *static_cast<double *>(args[Total]) = total;
  return 0;
}

const arrt_entry entry = {"f", code, numParams, 2, params, results};
const arrt_program program = {ARRT_ABI_VERSION, 1,      &entry, nullptr, 0,
                              ARRT_TARGET_CPU,  "f.arr"};

class Signature : public arrt_test::ContextTest {
protected:
  void SetUp() override {
    ContextTest::SetUp();
    arrays[X] = make(ARRT_F32, {5, 6});
    arrays[Y] = make(ARRT_F64, {5});
    arrays[Q] = make(ARRT_F32, {3});
    arrays[W] = make(ARRT_I16, {7});
    arrays[V] = make(ARRT_U8, {10});
    for (int i = 0; i < numArgs; ++i)
      args[i] = &arrays[i];
    args[K] = &k;
    args[B] = &b;
    args[Total] = &total;
  }
  /// An array of ones, in a block of its very size.
  arrt_array *make(int32_t element, std::vector<int64_t> sizes,
                   arrt_context *in = nullptr) {
    arrt_array *array = arrt_array_alloc(
        in ? in : ctx, element, int32_t(sizes.size()), sizes.data(), -1);
    EXPECT_NE(array, nullptr);
    std::memset(arrt_array_data(array), 0, size_t(arrt_array_bytes(array)));
    made.push_back(array);
    return array;
  }
  void TearDown() override {
    for (arrt_array *array : made)
      arrt_array_release(array);
    ContextTest::TearDown();
  }
  int32_t call(int32_t count = numArgs) {
    return arrt_call(ctx, &program, &entry, args, count);
  }
  /// Expects a refusal that leaves no result and no memory.
  void refused(int32_t status, const std::string &text,
               int32_t count = numArgs) {
    int64_t before = arrt_memory_in_use(ctx);
    EXPECT_EQ(call(count), status) << message();
    EXPECT_EQ(message(), "error: " + text);
    EXPECT_EQ(arrt_memory_in_use(ctx), before);
    if (args[Z] == &arrays[Z] && count == numArgs) {
      EXPECT_EQ(arrays[Z], nullptr);
    }
  }
  void works() {
    ASSERT_EQ(call(), 0) << message();
    arrt_array_release(arrays[Z]);
    arrays[Z] = nullptr;
  }

  std::vector<arrt_array *> made;
  arrt_array *arrays[numArgs] = {};
  void *args[numArgs] = {};
  int32_t k = 2;
  uint8_t b = 1;
  double total = -1;
};

TEST_F(Signature, WhatFitsRuns) {
  works();
  EXPECT_EQ(total, 1);
  // One array for two parameters, sizes of 0, a size that no one binds.
  arrays[X] = make(ARRT_F32, {0, 0});
  arrays[Y] = make(ARRT_F64, {0});
  arrays[W] = make(ARRT_I16, {0});
  arrays[V] = make(ARRT_U8, {0});
  works();
}

TEST_F(Signature, no_OtherElements) {
  arrays[X] = make(ARRT_F64, {5, 6});
  refused(ARRT_STATUS_INPUT, "argument 'x' of 'f' is declared 'f32[n, m]', but "
                             "is f64[5, 6]");
  // As wide as it should be, but other.
  arrays[X] = make(ARRT_I32, {5, 6});
  refused(ARRT_STATUS_INPUT, "argument 'x' of 'f' is declared 'f32[n, m]', but "
                             "is i32[5, 6]");
}

TEST_F(Signature, no_OtherRank) {
  arrays[X] = make(ARRT_F32, {30});
  refused(ARRT_STATUS_INPUT, "argument 'x' of 'f' is declared 'f32[n, m]', but "
                             "is f32[30]");
  arrays[X] = make(ARRT_F32, {});
  refused(ARRT_STATUS_INPUT, "argument 'x' of 'f' is declared 'f32[n, m]', but "
                             "is f32");
}

TEST_F(Signature, no_OtherSizes) {
  arrays[Q] = make(ARRT_F32, {2});
  refused(ARRT_STATUS_INPUT, "argument 'q' of 'f' is declared 'f32[3]', but is "
                             "f32[2]: its dimension 0 is 2, not 3");
  arrays[Q] = make(ARRT_F32, {3});
  arrays[Y] = make(ARRT_F64, {4});
  refused(ARRT_STATUS_INPUT,
          "argument 'y' of 'f' is declared 'f64[n]', but is f64[4]: its "
          "dimension 0 is 4, not n with n = 5 (dimension 0 of 'x')");
  arrays[Y] = make(ARRT_F64, {5});
  arrays[W] = make(ARRT_I16, {8});
  refused(ARRT_STATUS_INPUT,
          "argument 'w' of 'f' is declared 'i16[2*n - m // 2]', but is i16[8]: "
          "its dimension 0 is 8, not 2*n - (m // 2) with n = 5 (dimension 0 of "
          "'x'), m = 6 (dimension 1 of 'x')");
  arrays[W] = make(ARRT_I16, {7});
  k = 3;
  refused(ARRT_STATUS_INPUT,
          "argument 'v' of 'f' is declared 'u8[n*k]', but is u8[10]: its "
          "dimension 0 is 10, not n*k with n = 5 (dimension 0 of 'x'), k = 3");
  k = -2;
  EXPECT_EQ(call(), ARRT_STATUS_INPUT);
}

// 2^32 * 2^32 and 2^31 * 2^31 * 4 are 0 in 64 bits, and 2^128 is in 128.
TEST_F(Signature, no_SizesThatWrap) {
  for (const char *text : {"k*k", "k*k*k*k*k*k*k", "4*k - 4*k + k*k",
                           "340282366920938463463374607431768211456"}) {
    const char *dims[] = {text};
    const arrt_param own[] = {{"k", "int", ARRT_I64, 0, nullptr, nullptr},
                              {"v", "u8[k*k]", ARRT_U8, 1, dims, nullptr}};
    arrt_entry wraps = {"g", code, 2, 0, own, nullptr};
    int64_t large = int64_t(1) << 32;
    arrt_array *empty = make(ARRT_U8, {0});
    void *list[] = {&large, &empty};
    EXPECT_EQ(arrt_call(ctx, &program, &wraps, list, 2), ARRT_STATUS_INPUT)
        << text;
    EXPECT_NE(message().find(std::string("is 0, not ") + text),
              std::string::npos)
        << message();
  }
}

// An array without elements may have any size; an argument may not.
TEST_F(Signature, no_SizeNearTheEndOfIntegers) {
  const int64_t most = int64_t(1) << 48;
  arrays[X] = make(ARRT_F32, {0, most + 1});
  refused(ARRT_STATUS_INPUT,
          "argument 'x' of 'f' is declared 'f32[n, m]', but is f32[0, " +
              std::to_string(most + 1) + "], and a size is at most 2^48");
}

TEST_F(Signature, no_PointerThatIsNull) {
  const char *names[] = {"x", "y", "q", "w", "k", "b", "v"};
  for (int i = 0; i < numParams; ++i) {
    void *place = std::exchange(args[i], nullptr);
    refused(ARRT_STATUS_USAGE, std::string("the pointer to argument '") +
                                   names[i] + "' of 'f' is null");
    args[i] = place;
  }
  for (int i : {Z, Total}) {
    void *place = std::exchange(args[i], nullptr);
    refused(ARRT_STATUS_USAGE, std::string("the pointer to result '") +
                                   (i == Z ? "z" : "total") +
                                   "' of 'f' is null");
    args[i] = place;
  }
  arrays[X] = nullptr;
  refused(ARRT_STATUS_USAGE, "argument 'x' of 'f' is no array, but null");
  EXPECT_EQ(arrt_call(ctx, &program, &entry, nullptr, numArgs),
            ARRT_STATUS_USAGE);
  EXPECT_EQ(arrt_call(ctx, &program, nullptr, args, numArgs),
            ARRT_STATUS_USAGE);
  EXPECT_EQ(arrt_call(nullptr, &program, &entry, args, numArgs),
            ARRT_STATUS_USAGE);
}

TEST_F(Signature, no_ArrayThatIsNone) {
  arrt_array *gone = made.back();
  made.pop_back();
  arrays[V] = gone;
  arrt_array_release(gone);
  refused(ARRT_STATUS_USAGE,
          "argument 'v' of 'f' is no array, or one that was released");
  double number = 1;
  arrays[V] = reinterpret_cast<arrt_array *>(&number);
  refused(ARRT_STATUS_USAGE,
          "argument 'v' of 'f' is no array, or one that was released");
}

TEST_F(Signature, no_OtherNumberOfArguments) {
  for (int count : {-1, 0, 1, numArgs - 1, numArgs + 1})
    refused(ARRT_STATUS_USAGE,
            "'f' has 7 parameters and 2 results, and was called with " +
                std::to_string(count) + " pointers",
            count);
}

TEST_F(Signature, no_BoolThatIsNeither) {
  b = 2;
  refused(ARRT_STATUS_INPUT, "argument 'b' of 'f' is declared 'bool', but the "
                             "byte is 2, and neither 0 nor 1");
}

TEST_F(Signature, ArraysOfOtherContexts) {
  arrt_context *other = arrt_context_create(nullptr);
  arrt_array *mine = arrays[X];
  arrays[X] = make(ARRT_F32, {5, 6}, other);
  works();
  arrt_array_release(made.back());
  made.pop_back();
  refused(ARRT_STATUS_USAGE,
          "argument 'x' of 'f' is no array, or one that was released");
  arrays[X] = mine;
  works();
  arrt_context_destroy(other);
}

// Threads with contexts of their own read the same arrays, while others come
// and go.
TEST_F(Signature, ContextsOfSeveralThreadsReadTheSameArrays) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        arrt_options options{2, 0, 0};
        arrt_context *mine = arrt_context_create(&options);
        arrt_array *z = nullptr;
        double sum = 0;
        void *list[numArgs];
        std::copy(std::begin(args), std::end(args), list);
        list[Z] = &z;
        list[Total] = &sum;
        right += !arrt_call(mine, &program, &entry, list, numArgs) && sum == 1;
        arrt_array_release(z);
        arrt_context_destroy(mine);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 40);
}

TEST_F(Signature, no_ProgramOfAnotherDevice) {
  arrt_program other = program;
  other.target = ARRT_TARGET_CUDA;
  EXPECT_EQ(arrt_call(ctx, &other, &entry, args, numArgs), ARRT_STATUS_DEVICE);
  EXPECT_EQ(message(),
            "error: the program was compiled for cuda, and runs on cpu\nhelp: "
            "compile it for this device, or choose another by --target");
}

TEST_F(Signature, no_ResultThatIsNotAsDeclared) {
  arrt_entry wrong = entry;
  wrong.packed = [](arrt_context *ctx, void **args) {
    const int64_t sizes[] = {5, 1};
    *static_cast<arrt_array **>(args[Z]) =
        arrt_array_alloc(ctx, ARRT_F32, 2, sizes, -1);
    return 0;
  };
  int64_t before = arrt_memory_in_use(ctx);
  EXPECT_EQ(arrt_call(ctx, &program, &wrong, args, numArgs),
            ARRT_STATUS_INTERNAL);
  EXPECT_EQ(message(),
            "error: result 'z' of 'f' is declared 'f32[n]', but is f32[5, 1]");
  EXPECT_EQ(arrays[Z], nullptr);
  EXPECT_EQ(arrt_memory_in_use(ctx), before);
}

// A place that an argument and a result share keeps its array on a failure.
TEST_F(Signature, APlaceMayBeOfAnArgumentAndAResult) {
  const arrt_param one[] = {params[Y]};
  arrt_entry same = {"g",
                     [](arrt_context *, void **args) {
                       arrt_array_retain(*static_cast<arrt_array **>(args[0]));
                       return 0;
                     },
                     1,
                     1,
                     one,
                     one};
  arrt_array *mine = arrays[Y];
  void *list[] = {&arrays[Y], &arrays[Y]};
  EXPECT_EQ(arrt_call(ctx, &program, &same, list, 2), 0) << message();
  arrt_array_release(mine);
  same.params = params;
  EXPECT_EQ(arrt_call(ctx, &program, &same, list, 2), ARRT_STATUS_INPUT);
  EXPECT_EQ(arrays[Y], mine);
}

TEST_F(Signature, no_HandleOnMemoryThatDoesNotHoldIt) {
  alignas(16) char memory[64];
  const int64_t negative[] = {4, -1}, large[] = {int64_t(1) << 40, 1 << 30},
                two[] = {2, 2}, none[] = {0, 3};
  auto borrow = [&](void *data, int32_t element, const int64_t *sizes) {
    return arrt_array_borrow(ctx, data, element, 2, sizes);
  };
  EXPECT_EQ(borrow(memory, ARRT_F32, negative), nullptr);
  EXPECT_EQ(message(), "error: there is no array f32[4, -1]: its sizes are "
                       "negative or too large");
  EXPECT_EQ(borrow(memory, ARRT_F32, large), nullptr);
  EXPECT_EQ(borrow(memory, ARRT_F32, nullptr), nullptr);
  EXPECT_EQ(borrow(nullptr, ARRT_F32, two), nullptr);
  EXPECT_EQ(message(), "error: an array f32[2, 2] was to be in no memory: the "
                       "pointer is null");
  EXPECT_EQ(borrow(memory + 2, ARRT_F32, two), nullptr);
  EXPECT_EQ(message(), "error: an array f32[2, 2] was to be in memory that is "
                       "not aligned to its elements");
  EXPECT_EQ(borrow(memory, ARRT_NUM_ELEMENTS, two), nullptr);
  arrt_array *empty = borrow(nullptr, ARRT_F32, none);
  EXPECT_NE(empty, nullptr);
  arrt_array_release(empty);
  arrt_array_release(borrow(memory + 8, ARRT_C128, two));

  auto *block = static_cast<char *>(arrt_buffer_alloc(ctx, 128, -1));
  const int64_t many[] = {33}, some[] = {32}, few[] = {16};
  EXPECT_EQ(arrt_array_adopt(ctx, block, ARRT_F32, 1, many), nullptr);
  EXPECT_EQ(message(), "error: an array f32[33] was to be in memory that does "
                       "not hold it");
  arrt_array *whole = arrt_array_adopt(ctx, block, ARRT_F32, 1, some);
  EXPECT_EQ(arrt_array_part(ctx, whole, block + 68, ARRT_F32, 1, few), nullptr);
  EXPECT_EQ(arrt_array_part(ctx, whole, block - 4, ARRT_F32, 1, few), nullptr);
  arrt_array *part = arrt_array_part(ctx, whole, block + 64, ARRT_F32, 1, few);
  EXPECT_NE(part, nullptr) << message();
  arrt_array_release(part);
  arrt_array_release(whole);
}

// Lists of arguments by chance: what is refused is what does not fit, and what
// runs reads no byte outside of its arrays.
TEST_F(Signature, ListsByChance) {
  std::mt19937 random(7);
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  int ran = 0, refusals = 0;
  for (int round = 0; round < 4000; ++round) {
    int64_t n = below(4), m = below(5);
    k = below(3);
    b = uint8_t(below(20) ? below(2) : below(256));
    bool fits = b < 2;
    for (int i = 0; i < numParams; ++i) {
      if (i == K || i == B)
        continue;
      // Whatever `x` is, it binds n and m.
      const std::vector<int64_t> wanted[numParams] = {
          {n, m}, {n}, {3}, {2 * n - m / 2}, {}, {}, {n * k}};
      std::vector<int64_t> sizes = wanted[i];
      int32_t element = params[i].element;
      bool isThere = true;
      switch (below(40)) {
      case 0:
        sizes[size_t(below(int(sizes.size())))] += below(3) - 1;
        break;
      case 1:
        element = below(ARRT_NUM_ELEMENTS);
        break;
      case 2:
        below(2) ? sizes.push_back(below(3)) : sizes.pop_back();
        break;
      case 3:
        isThere = false;
      }
      for (int64_t &size : sizes)
        size = size < 0 ? 0 : size;
      if (i == X && sizes.size() == 2)
        n = sizes[0], m = sizes[1];
      else
        fits &= sizes == wanted[i];
      fits &= isThere && element == params[i].element;
      arrays[i] = isThere ? make(element, sizes) : nullptr;
    }
    arrays[Z] = nullptr;
    int32_t status = call();
    EXPECT_EQ(status == 0, fits) << round << ": " << message();
    EXPECT_EQ(arrays[Z] != nullptr, status == 0);
    arrt_array_release(arrays[Z]);
    ++(status ? refusals : ran);
    for (arrt_array *array : made)
      arrt_array_release(array);
    made.clear();
  }
  EXPECT_GT(ran, 500);
  EXPECT_GT(refusals, 500);
}

} // namespace
