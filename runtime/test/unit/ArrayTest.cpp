//===- ArrayTest.cpp ------------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "Core/Array.h"

#include <numeric>
#include <vector>

using Array = arrt_test::ContextTest;

TEST(Elements, NamesBytesAndBack) {
  for (int32_t e = 0; e < ARRT_NUM_ELEMENTS; ++e)
    EXPECT_EQ(arrt_element_from_name(arrt_element_name(e)), e);
  EXPECT_EQ(arrt_element_bytes(ARRT_C128), 16);
  EXPECT_EQ(arrt_element_bytes(ARRT_BOOL), 1);
  EXPECT_EQ(arrt_element_bytes(99), 0);
  EXPECT_EQ(arrt_element_name(-1), nullptr);
  EXPECT_EQ(arrt_element_from_name("float"), -1);
  EXPECT_STREQ(arrt_status_text(ARRT_STATUS_MEMORY), "out of memory");
  EXPECT_EQ(arrt_status_exit_code(ARRT_STATUS_IO), 74);
  EXPECT_EQ(arrt_status_exit_code(1234), 70);
}

TEST_F(Array, no_SizesThatOverflowOrAreNegative) {
  int64_t bytes;
  const int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_FALSE(arrt::byteCount(ARRT_I8, 2, huge, bytes));
  const int64_t limit[] = {INT64_MAX};
  EXPECT_TRUE(arrt::byteCount(ARRT_I8, 1, limit, bytes));
  EXPECT_FALSE(arrt::byteCount(ARRT_I16, 1, limit, bytes));
  const int64_t empty[] = {INT64_MAX, INT64_MAX, 0};
  EXPECT_TRUE(arrt::byteCount(ARRT_C128, 3, empty, bytes));
  EXPECT_EQ(bytes, 0);
  const int64_t negative[] = {0, -1};
  EXPECT_FALSE(arrt::byteCount(ARRT_I8, 2, negative, bytes));
  EXPECT_EQ(arrt_array_alloc(ctx, ARRT_I8, 2, huge, -1), nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_MEMORY);
  EXPECT_EQ(arrt_array_alloc(ctx, 77, 0, nullptr, -1), nullptr);
  EXPECT_EQ(arrt_last_status(ctx), ARRT_STATUS_INTERNAL);
}

TEST_F(Array, CountsOwners) {
  const int64_t sizes[] = {3, 5};
  arrt_array *array = arrt_array_alloc(ctx, ARRT_F32, 2, sizes, -1);
  ASSERT_NE(array, nullptr);
  EXPECT_EQ(arrt_array_count(array), 15);
  EXPECT_EQ(arrt_array_bytes(array), 60);
  EXPECT_EQ(arrt_array_size(array, 1), 5);
  EXPECT_EQ(arrt_array_retain(array), array);
  arrt_array_release(array);
  EXPECT_GT(arrt_memory_in_use(ctx), 0);
  arrt_array_release(array);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  arrt_array_release(nullptr);
  EXPECT_EQ(arrt_array_retain(nullptr), nullptr);
}

TEST_F(Array, ScalarsAndEmptyArrays) {
  arrt_array *scalar = arrt_array_alloc(ctx, ARRT_F64, 0, nullptr, -1);
  EXPECT_EQ(arrt_array_count(scalar), 1);
  const int64_t sizes[] = {4, 0, 2};
  arrt_array *empty = arrt_array_alloc(ctx, ARRT_F64, 3, sizes, -1);
  EXPECT_EQ(arrt_array_count(empty), 0);
  EXPECT_NE(arrt_array_data(empty), nullptr);
  arrt_array_release(scalar);
  arrt_array_release(empty);
}

TEST_F(Array, AdoptsBlocksAndBorrowsMemory) {
  void *block = arrt_buffer_alloc(ctx, 12, -1);
  const int64_t sizes[] = {3};
  arrt_array *array = arrt_array_adopt(ctx, block, ARRT_F32, 1, sizes);
  EXPECT_EQ(arrt_array_data(array), block);
  arrt_array_release(array);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);

  float mine[3] = {1, 2, 3};
  EXPECT_EQ(arrt_array_adopt(ctx, mine, ARRT_F32, 1, sizes), nullptr);
  arrt_array *borrowed = arrt_array_borrow(ctx, mine, ARRT_F32, 1, sizes);
  arrt_array_release(borrowed);
  EXPECT_EQ(mine[2], 3);
}

TEST_F(Array, PartsKeepTheWholeAlive) {
  auto *block = static_cast<char *>(arrt_buffer_alloc(ctx, 1024, -1));
  const int64_t all = 1024, few = 3;
  arrt_array *whole = arrt_array_adopt(ctx, block, ARRT_U8, 1, &all);
  arrt_array *one = arrt_array_part(ctx, whole, block, ARRT_F32, 1, &few);
  arrt_array *two = arrt_array_part(ctx, whole, block + 512, ARRT_F64, 1, &few);
  arrt_array_release(whole);
  EXPECT_EQ(arrt_array_data(two), block + 512);
  EXPECT_EQ(arrt_array_bytes(two), 24);
  arrt_array_release(one);
  EXPECT_GE(arrt_memory_in_use(ctx), 1024);
  arrt_array_release(two);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  EXPECT_EQ(arrt_array_part(ctx, nullptr, block, ARRT_F32, 1, &few), nullptr);
  // What is left goes with the context, each block once.
  block = static_cast<char *>(arrt_buffer_alloc(ctx, 1024, -1));
  whole = arrt_array_adopt(ctx, block, ARRT_U8, 1, &all);
  (void)arrt_array_part(ctx, whole, block, ARRT_F32, 1, &few);
  arrt_array_release(whole);
}

TEST_F(Array, CopiesLargeBlocks) {
  std::vector<int32_t> from(3000001);
  std::iota(from.begin(), from.end(), 0);
  int64_t bytes = int64_t(from.size()) * 4;
  void *to = arrt_buffer_alloc(ctx, bytes, -1);
  arrt_buffer_copy(ctx, to, from.data(), bytes);
  EXPECT_TRUE(std::equal(from.begin(), from.end(), static_cast<int32_t *>(to)));
}

TEST_F(Array, TasksOfAWorkerUseTheSameMemory) {
  void *first = arrt_task_alloc(ctx, 0, 1000, -1);
  void *other = arrt_task_alloc(ctx, 0, 1000, -1);
  void *elsewhere = arrt_task_alloc(ctx, 1, 1000, -1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(other) % 64, 0u);
  EXPECT_NE(first, other);
  EXPECT_NE(first, elsewhere);
  arrt_task_free(ctx, 0, first);
  EXPECT_EQ(arrt_task_alloc(ctx, 0, 10, -1), first);
  arrt_task_free(ctx, 0, first);
  // What is small is beside the pool; of what is large, one that is too small
  // makes room.
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
  void *large = arrt_task_alloc(ctx, 0, 100000, -1);
  EXPECT_NE(large, other);
  EXPECT_GE(arrt_memory_in_use(ctx), 100000);
  arrt_task_free(ctx, 0, large);
  EXPECT_NE(arrt_task_alloc(ctx, 0, 200000, -1), nullptr);
  EXPECT_LE(arrt_memory_in_use(ctx), 250000);
  EXPECT_EQ(arrt_task_alloc(ctx, 0, -1, -1), nullptr);
}

TEST_F(Array, MemoryOfTasksEndsWithTheCall) {
  arrt_entry entry{};
  entry.name = "left";
  entry.packed = [](arrt_context *ctx, void **) {
    arrt_task_alloc(ctx, 1, 500000, -1); // and the task fails
    return arrt_memory_in_use(ctx) >= 500000 ? 0 : 1;
  };
  EXPECT_EQ(arrt_call(ctx, nullptr, &entry, nullptr, 0), ARRT_STATUS_OK);
  EXPECT_EQ(arrt_memory_in_use(ctx), 0);
}
