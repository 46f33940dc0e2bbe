//===- PoolTest.cpp -------------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "CPU/Device.h"
#include "Core/Pool.h"

#include <cstring>
#include <set>
#include <thread>
#include <vector>

using namespace arrt;

TEST(Pool, ClassesHoldWhatIsAskedAndWasteAtMostAQuarter) {
  for (int64_t bytes = 0; bytes < 100000; bytes += 7) {
    int64_t size = Pool::classSize(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_GE(size, 64);
    EXPECT_EQ(size % 64, 0) << bytes;
    EXPECT_LE(size, std::max<int64_t>(bytes + 64, bytes + bytes / 4)) << bytes;
  }
  EXPECT_EQ(Pool::classSize(INT64_MAX), -1);
  EXPECT_GE(Pool::classSize(int64_t(1) << 40), int64_t(1) << 40);
}

TEST(Pool, FreedBlocksAreUsedAgainLastFirst) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 0);
  void *a = pool.allocate(1000, 0), *b = pool.allocate(1000, 0);
  ASSERT_NE(a, b);
  EXPECT_TRUE(pool.release(a));
  EXPECT_TRUE(pool.release(b));
  EXPECT_EQ(pool.inUse(), 0);
  EXPECT_EQ(pool.allocate(1001, 0), b);
  EXPECT_EQ(pool.allocate(1001, 0), a);
}

TEST(Pool, ReleasingTwiceOrAForeignPointerIsRefused) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 0);
  void *a = pool.allocate(8, 0);
  int local = 0;
  EXPECT_FALSE(pool.release(&local));
  EXPECT_TRUE(pool.release(a));
  EXPECT_FALSE(pool.release(a));
}

TEST(Pool, BlocksAreAligned) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 0);
  for (int64_t bytes : {0, 1, 63, 64, 65, 4095, 100000, 5000000}) {
    auto address = reinterpret_cast<uintptr_t>(pool.allocate(bytes, 0));
    ASSERT_NE(address, 0u);
    EXPECT_EQ(address % ARRT_ALIGNMENT, 0u) << bytes;
  }
}

TEST(Pool, LimitRefusesAndFreeBlocksOfOtherSizesGiveWay) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 10000);
  EXPECT_EQ(pool.allocate(20000, 0), nullptr);
  EXPECT_EQ(pool.allocate(-1, 0), nullptr);
  void *a = pool.allocate(8000, 0);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(pool.allocate(4000, 0), nullptr);
  pool.release(a);
  EXPECT_NE(pool.allocate(4000, 0), nullptr);
  EXPECT_GE(pool.peak(), 8000);
}

TEST(Pool, FramesAreReleasedAsAWhole) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 0);
  pool.allocate(100, 1);
  void *kept = pool.allocate(100, 1);
  pool.allocate(100, 2);
  EXPECT_TRUE(pool.setFrame(kept, 0));
  pool.releaseFrame(1);
  EXPECT_EQ(pool.inUse(), 2 * Pool::classSize(100));
  EXPECT_TRUE(pool.release(kept));
}

TEST(Pool, ManyThreadsNeverShareABlock) {
  auto device = makeCPUDevice(1);
  Pool pool(*device, 0);
  std::atomic<int> wrong{0};
  auto work = [&](unsigned char mark) {
    std::vector<std::pair<unsigned char *, size_t>> mine;
    unsigned seed = mark;
    for (int i = 0; i < 5000; ++i) {
      seed = seed * 1664525 + 1013904223;
      if (mine.size() < 8 && seed & 0x10000) {
        size_t bytes = 64 + (seed >> 20);
        auto *block = static_cast<unsigned char *>(pool.allocate(bytes, 0));
        std::memset(block, mark, bytes);
        mine.push_back({block, bytes});
      } else if (!mine.empty()) {
        auto [block, bytes] = mine.back();
        mine.pop_back();
        for (size_t k = 0; k < bytes; ++k)
          if (block[k] != mark)
            ++wrong;
        pool.release(block);
      }
    }
    for (auto [block, bytes] : mine)
      pool.release(block);
  };
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t)
    threads.emplace_back(work, t);
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(pool.inUse(), 0);
}

using PoolContext = arrt_test::ContextTest;

TEST_F(PoolContext, OutOfMemoryNamesTheArrayItsPlaceAndTheBytes) {
  arrt_options options{1, 0, 1 << 20};
  arrt_context *small = arrt_context_create(&options);
  static const arrt_site site = {"heat.arr", 8,      7,      ARRT_CHECK_ALLOC,
                                 0,          "next", nullptr};
  static const arrt_program program = {
      ARRT_ABI_VERSION, 0, nullptr, &site, 1, 0, "heat.arr"};
  arrt_entry entry = {"f",
                      [](arrt_context *ctx, void **) {
                        arrt_buffer_alloc(ctx, 300000, -1);
                        return arrt_buffer_alloc(ctx, 4 << 20, 0)
                                   ? 0
                                   : arrt_last_status(ctx);
                      },
                      0,
                      0,
                      nullptr,
                      nullptr};
  EXPECT_EQ(arrt_call(small, &program, &entry, nullptr, 0), ARRT_STATUS_MEMORY);
  EXPECT_EQ(std::string(arrt_message(small)),
            "heat.arr:8:7: error: out of memory: 'next' needs 4.0 MiB, 704.0 "
            "KiB are free");
  EXPECT_EQ(arrt_memory_in_use(small), 0);
  arrt_context_destroy(small);
}
