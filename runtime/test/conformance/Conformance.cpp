//===- Conformance.cpp - what every device must do ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

using arrt_test::Conformance;

namespace {

TEST_F(Conformance, HasANameAndWorkers) {
  EXPECT_GT(std::strlen(device->name()), 0u);
  EXPECT_GE(device->workers(), 1);
  EXPECT_GT(device->freeMemory(), 0);
}

TEST_F(Conformance, FactsAreKnown) {
  arrt_device_info info;
  ASSERT_EQ(arrt_device_facts(subject.target, subject.device, &info), 0)
      << info.problem;
  EXPECT_EQ(info.target, subject.target);
  EXPECT_EQ(info.device, subject.device);
  EXPECT_STRNE(info.name, "");
  EXPECT_STREQ(info.problem, "");
  EXPECT_GT(info.memory, 0);
  EXPECT_GT(info.units, 0);
  std::string line = std::string(info.name) + ", " + info.arch;
  auto add = [&](const char *name, int64_t value) {
    line += std::string(", ") + name + " " + std::to_string(value);
  };
  add("features", info.features);
  add("units", info.units);
  add("warp", info.warp);
  add("threads", info.max_threads);
  add("shared", info.shared_memory);
  add("by default", info.shared_default);
  add("align", info.align);
  for (int32_t size : info.subgroups)
    if (size)
      add("sub-groups of", size);
  std::printf("%s\n", line.c_str());
  if (info.target == ARRT_TARGET_CPU)
    return;
  EXPECT_GT(info.max_threads, 0);
  EXPECT_GT(info.shared_memory, 0);
  EXPECT_GT(info.max_allocation, 0);
  EXPECT_GT(info.align, 0);
}

TEST_F(Conformance, no_FactsOfADeviceThatIsNotThere) {
  arrt_device_info info;
  EXPECT_NE(arrt_device_facts(subject.target, 1000, &info), 0);
  EXPECT_STRNE(info.problem, "");
  EXPECT_STRNE(info.remedy, "");
  EXPECT_NE(arrt_device_facts(99, 0, &info), 0);
}

TEST_F(Conformance, no_AbsurdAllocation) {
  ARRT_PROVOKES();
  EXPECT_EQ(device->allocate(int64_t(1) << 60), nullptr);
  // The device still works.
  void *data = device->allocate(64);
  ASSERT_NE(data, nullptr);
  device->release(data, 64);
}

TEST_F(Conformance, AllocatesAlignedAndDistinct) {
  std::vector<std::pair<void *, int64_t>> blocks;
  for (int64_t bytes : {1, 64, 100, 4096, 1 << 20, 5 << 20}) {
    void *data = device->allocate(bytes);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % ARRT_ALIGNMENT, 0u);
    for (auto [other, size] : blocks)
      EXPECT_TRUE(static_cast<char *>(data) + bytes <= other ||
                  static_cast<char *>(other) + size <= data);
    blocks.push_back({data, bytes});
  }
  for (auto [data, bytes] : blocks)
    device->release(data, bytes);
}

TEST_F(Conformance, CopiesInAcrossAndOut) {
  for (int64_t bytes : {1, 3, 64, 1000003}) {
    std::vector<char> from(size_t(bytes), 0), to(size_t(bytes), 0);
    for (int64_t i = 0; i < bytes; ++i)
      from[size_t(i)] = char(i * 31 + 7);
    void *a = device->allocate(bytes), *b = device->allocate(bytes);
    EXPECT_EQ(device->copyIn(a, from.data(), bytes), ARRT_STATUS_OK);
    EXPECT_EQ(device->fill(b, 0xee, 1, bytes), ARRT_STATUS_OK);
    EXPECT_EQ(device->copy(b, a, bytes), ARRT_STATUS_OK);
    EXPECT_EQ(device->synchronize(), ARRT_STATUS_OK);
    EXPECT_EQ(device->copyOut(to.data(), b, bytes), ARRT_STATUS_OK);
    EXPECT_EQ(from, to);
    device->release(a, bytes);
    device->release(b, bytes);
  }
}

TEST_F(Conformance, FillsExactly) {
  std::vector<char> host(100, 'x');
  void *data = device->allocate(100);
  device->copyIn(data, host.data(), 100);
  device->fill(static_cast<char *>(data) + 10, 0, 1, 50);
  device->copyOut(host.data(), data, 100);
  EXPECT_EQ(host[9], 'x');
  EXPECT_EQ(host[10], 0);
  EXPECT_EQ(host[59], 0);
  EXPECT_EQ(host[60], 'x');
  device->release(data, 100);
}

TEST_F(Conformance, HostVisibleMemoryIsTheHosts) {
  if (!device->isHostVisible())
    GTEST_SKIP();
  auto *data = static_cast<int *>(device->allocate(4));
  *data = 42;
  int back = 0;
  device->copyOut(&back, data, 4);
  EXPECT_EQ(back, 42);
  device->release(data, 4);
}

TEST_F(Conformance, ParallelRunsEveryTaskOnce) {
  struct Env {
    std::vector<std::atomic<int>> seen;
    std::atomic<int> wrong{0};
    int64_t workers;
  } env{std::vector<std::atomic<int>>(1000), {}, device->workers()};
  device->parallel(
      [](void *argument, int64_t begin, int64_t end, int64_t worker) {
        auto &env = *static_cast<Env *>(argument);
        if (worker < 0 || worker >= env.workers || begin > end)
          ++env.wrong;
        for (int64_t i = begin; i < end; ++i)
          ++env.seen[size_t(i)];
      },
      &env, 1000, 1);
  EXPECT_EQ(device->synchronize(), ARRT_STATUS_OK);
  EXPECT_EQ(env.wrong, 0);
  for (auto &count : env.seen)
    EXPECT_EQ(count, 1);
  device->parallel([](void *, int64_t, int64_t, int64_t) { FAIL(); }, nullptr,
                   0, 1);
}

} // namespace
