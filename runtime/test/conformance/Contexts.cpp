//===- Contexts.cpp - several devices at once -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Programs.h"

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

using namespace arrt_test;
using Contexts = Programs;

namespace {

/// Doubles n elements: x += x.
int32_t doubled(arrt_context *ctx, void **args) {
  void *x = *static_cast<void **>(args[0]);
  int64_t n = *static_cast<int64_t *>(args[1]);
  float a = 1;
  void *values[] = {&x, &x, &a, &n};
  return arrt_launch(ctx, Axpy, (n + 63) / 64, 1, 1, 64, 1, 1, 0, values);
}

TEST_F(Contexts, ContextsCopyBetweenEachOther) {
  // Another on the device, and the CPU beside it.
  for (bool onCPU : {false, true}) {
    arrt_context *other = create(0, onCPU);
    for (int64_t n : {0, 1, 5, 100003}) {
      std::vector<float> host(size_t(n), 0);
      std::iota(host.begin(), host.end(), 1.0f);
      arrt_array *here = upload(ctx, ARRT_F32, host);
      arrt_array *there = arrt_array_to_device(other, here);
      ASSERT_NE(there, nullptr) << arrt_message(other);
      EXPECT_NE(there, here);
      EXPECT_EQ(arrt_array_is_on_host(there), onCPU);
      // What happens here now is not seen there.
      void *data = arrt_array_data(here);
      EXPECT_EQ(call(ctx, doubled, {&data, &n}), 0) << arrt_message(ctx);
      EXPECT_EQ(download<float>(other, there), host);
      // And back, into an array that exists.
      EXPECT_EQ(arrt_array_copy(ctx, here, there), 0) << arrt_message(ctx);
      EXPECT_EQ(download<float>(ctx, here), host);
      EXPECT_EQ(call(ctx, doubled, {&data, &n}), 0) << arrt_message(ctx);
      EXPECT_EQ(arrt_array_copy(other, there, here), 0) << arrt_message(other);
      std::vector<float> twice = host;
      for (float &x : twice)
        x += x;
      EXPECT_EQ(download<float>(other, there), twice);
      arrt_array_release(here);
      arrt_array_release(there);
    }
    arrt_context_destroy(other);
  }
}

TEST_F(Contexts, DevicesCopyBetweenEachOther) {
  // Every device that is there, of whatever kind: there and back.
  std::vector<arrt_device_info> infos(64);
  infos.resize(size_t(std::min(arrt_devices(infos.data(), 64), 64)));
  std::vector<int32_t> host(100003);
  std::iota(host.begin(), host.end(), 7);
  arrt_array *here = upload(ctx, ARRT_I32, host);
  for (const arrt_device_info &info : infos) {
    if (*info.problem || info.device < 0)
      continue;
    arrt_options options = {};
    options.threads = 1;
    options.target = info.target;
    options.device = info.device;
    arrt_context *other = arrt_context_create(&options);
    ASSERT_EQ(arrt_last_status(other), 0) << arrt_message(other);
    arrt_array *there = arrt_array_to_device(other, here);
    ASSERT_NE(there, nullptr) << arrt_message(other);
    EXPECT_TRUE(download<int32_t>(other, there) == host)
        << arrt_context_device(other);
    arrt_array *back = arrt_array_to_device(ctx, there);
    ASSERT_NE(back, nullptr) << arrt_message(ctx);
    EXPECT_TRUE(download<int32_t>(ctx, back) == host)
        << arrt_context_device(other);
    arrt_array_release(back);
    arrt_array_release(there);
    arrt_context_destroy(other);
  }
  arrt_array_release(here);
}

TEST_F(Contexts, no_CopyBetweenArraysOfOtherSizes) {
  arrt_array *three = upload<float>(ctx, ARRT_F32, {1, 2, 3});
  arrt_array *two = upload<float>(ctx, ARRT_F32, {1, 2});
  EXPECT_EQ(arrt_array_copy(ctx, three, two), ARRT_STATUS_USAGE);
  EXPECT_NE(std::string(arrt_message(ctx)).find("12 bytes"), std::string::npos)
      << arrt_message(ctx);
  arrt_array_release(three);
  arrt_array_release(two);
}

TEST_F(Contexts, ContextsRunAtTheSameTime) {
  // A thread a context, three of them, one on the CPU.
  arrt_context *contexts[] = {ctx, create(), create(0, true)};
  std::vector<std::thread> threads;
  std::vector<float> sums(3, 0);
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      arrt_context *mine = contexts[t];
      for (int round = 0; round < 20; ++round) {
        arrt_array *x = upload<float>(mine, ARRT_F32, {1, float(t), 3});
        void *data = arrt_array_data(x);
        int64_t n = 3;
        if (t < 2)
          EXPECT_EQ(call(mine, doubled, {&data, &n}), 0) << arrt_message(mine);
        std::vector<float> y = download<float>(mine, x);
        sums[size_t(t)] += std::accumulate(y.begin(), y.end(), 0.0f);
        arrt_array_release(x);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sums, (std::vector<float>{160, 200, 120}));
  arrt_context_destroy(contexts[1]);
  arrt_context_destroy(contexts[2]);
}

} // namespace
