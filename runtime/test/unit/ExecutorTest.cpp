//===- ExecutorTest.cpp ---------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPU/Executor.h"
#include "Fixture.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

using namespace arrt;

TEST(Executor, RangesAreContiguousAndCoverAll) {
  for (int64_t tasks : {0, 1, 2, 5, 64, 1000})
    for (int64_t workers : {1, 2, 3, 7, 64}) {
      EXPECT_EQ(Executor::rangeBegin(tasks, workers, 0), 0);
      EXPECT_EQ(Executor::rangeBegin(tasks, workers, workers), tasks);
      for (int64_t w = 0; w < workers; ++w) {
        int64_t size = Executor::rangeBegin(tasks, workers, w + 1) -
                       Executor::rangeBegin(tasks, workers, w);
        EXPECT_GE(size, tasks / workers);
        EXPECT_LE(size, tasks / workers + 1);
      }
    }
}

namespace {
struct Counts {
  std::vector<std::atomic<int>> seen;
  std::atomic<int64_t> workers{0};
  explicit Counts(size_t n) : seen(n) {}
  static void task(void *env, int64_t begin, int64_t end, int64_t worker) {
    auto &counts = *static_cast<Counts *>(env);
    for (int64_t i = begin; i < end; ++i)
      ++counts.seen[i];
    counts.workers |= int64_t(1) << worker;
  }
};
} // namespace

TEST(Executor, EveryTaskRunsOnce) {
  for (int64_t threads : {1, 2, 3, 8}) {
    Executor executor(threads);
    EXPECT_EQ(executor.workers(), threads);
    for (int64_t tasks : {0, 1, 2, 7, 100}) {
      Counts counts(100);
      executor.run(Counts::task, &counts, tasks, 1);
      for (int64_t i = 0; i < 100; ++i)
        EXPECT_EQ(counts.seen[i], i < tasks ? 1 : 0);
    }
  }
}

TEST(Executor, FewTasksTakeFewWorkers) {
  Executor executor(4);
  Counts counts(100);
  executor.run(Counts::task, &counts, 100, 60);
  EXPECT_EQ(counts.workers, 1);
  // Two, or one if the other sleeps.
  Counts two(100);
  executor.run(Counts::task, &two, 100, 50);
  EXPECT_EQ(two.workers & ~int64_t(3), 0);
}

TEST(Executor, LongRunsAreSharedByWhoIsDone) {
  // The first worker sleeps in its first piece until the others have done all
  // that it does not hold.
  for (int64_t tasks : {1000, 1001, 4096}) {
    Executor executor(4);
    struct Job {
      Counts counts{4096};
      std::atomic<int64_t> done{0}, waited{0};
      int64_t tasks;
    } job;
    job.tasks = tasks;
    executor.run(
        [](void *env, int64_t begin, int64_t end, int64_t worker) {
          auto &job = *static_cast<Job *>(env);
          Counts::task(&job.counts, begin, end, worker);
          if (begin == 0) {
            auto limit =
                std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (job.done < job.tasks - end &&
                   std::chrono::steady_clock::now() < limit)
              std::this_thread::yield();
            job.waited = job.done.load();
          }
          job.done += end - begin;
        },
        &job, tasks, 1);
    EXPECT_EQ(job.done, tasks);
    // Its first piece is part of a quarter.
    EXPECT_GT(job.waited, tasks - tasks / 4);
    for (int64_t i = 0; i < 4096; ++i)
      ASSERT_EQ(job.counts.seen[i], i < tasks ? 1 : 0) << i;
  }
}

TEST(Executor, EveryTaskOfLongRunsRunsOnce) {
  for (int64_t threads : {2, 3, 8}) {
    Executor executor(threads);
    for (int64_t grain : {1, 3, 70})
      for (int64_t tasks : {97, 1000, 20011}) {
        Counts counts(20011);
        executor.run(
            [](void *env, int64_t begin, int64_t end, int64_t worker) {
              Counts::task(env, begin, end, worker);
              if (begin % 7 == 0)
                std::this_thread::yield();
            },
            &counts, tasks, grain);
        for (int64_t i = 0; i < 20011; ++i)
          ASSERT_EQ(counts.seen[i], i < tasks ? 1 : 0) << i;
      }
  }
}

TEST(Executor, TasksBeyondHalfAWord) {
  struct Job {
    std::atomic<int64_t> sum{0};
    std::atomic<int64_t> last{0};
  } job;
  Executor executor(3);
  constexpr int64_t tasks = (int64_t(5) << 32) + 3;
  executor.run(
      [](void *env, int64_t begin, int64_t end, int64_t) {
        auto &job = *static_cast<Job *>(env);
        job.sum += end - begin;
        for (int64_t last = job.last;
             last < end && !job.last.compare_exchange_weak(last, end);)
          ;
      },
      &job, tasks, 1000);
  EXPECT_EQ(job.sum, tasks);
  EXPECT_EQ(job.last, tasks);
}

TEST(Executor, ManySmallRunsInChangingWidths) {
  Executor executor(4);
  std::atomic<int64_t> sum{0};
  int64_t expected = 0;
  for (int64_t r = 0; r < 20000; ++r) {
    int64_t tasks = r % 9;
    executor.run(
        [](void *env, int64_t begin, int64_t end, int64_t) {
          for (int64_t i = begin; i < end; ++i)
            *static_cast<std::atomic<int64_t> *>(env) += i + 1;
        },
        &sum, tasks, 1);
    expected += tasks * (tasks + 1) / 2;
    ASSERT_EQ(sum, expected) << r;
    if (r % 5000 == 0) // let them fall asleep
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(Executor, NestedRunsStayInTheirWorker) {
  struct Outer {
    Executor executor{3};
    std::atomic<int> wrong{0};
    std::atomic<int> inner{0};
  } outer;
  outer.executor.run(
      [](void *env, int64_t, int64_t, int64_t worker) {
        auto &outer = *static_cast<Outer *>(env);
        struct Inner {
          Outer &outer;
          int64_t worker;
        } inner{outer, worker};
        outer.executor.run(
            [](void *env, int64_t begin, int64_t end, int64_t worker) {
              auto &inner = *static_cast<Inner *>(env);
              if (worker != inner.worker)
                ++inner.outer.wrong;
              inner.outer.inner += int(end - begin);
            },
            &inner, 10, 1);
      },
      &outer, 3, 1);
  EXPECT_EQ(outer.wrong, 0);
  EXPECT_EQ(outer.inner, 30);
}

TEST(Executor, TwoExecutorsDoNotDisturbEachOther) {
  Executor one(2), two(3);
  struct Job {
    Executor &two;
    std::atomic<int64_t> sum{0}, ofFirst{0};
  } job{two};
  // The first worker may come late and find nothing left, but not each time.
  for (int round = 0; round < 1000 && job.ofFirst == 0; ++round)
    one.run(
        [](void *env, int64_t begin, int64_t end, int64_t worker) {
          auto &job = *static_cast<Job *>(env);
          if (worker != 0)
            return; // one thread at a time uses `two`
          job.ofFirst += end - begin;
          for (int64_t i = begin; i < end; ++i)
            job.two.run(
                [](void *env, int64_t begin, int64_t end, int64_t) {
                  static_cast<Job *>(env)->sum += end - begin;
                },
                &job, 12, 1);
        },
        &job, 4, 1);
  EXPECT_GT(job.ofFirst, 0);
  EXPECT_EQ(job.sum, 12 * job.ofFirst);
}

TEST(Executor, RunsDoNotWaitForSleepers) {
  // Two tasks for many workers that sleep, again and again: each is run once,
  // whoever comes in time.
  Executor executor(8);
  for (int round = 0; round < 50; ++round) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    Counts counts(100);
    executor.run(Counts::task, &counts, 2 + round, 1);
    for (int64_t i = 0; i < 100; ++i)
      ASSERT_EQ(counts.seen[i], i < 2 + round ? 1 : 0) << round;
  }
}

TEST(Executor, LatencyIsReported) {
  Executor executor(2);
  auto nothing = [](void *, int64_t, int64_t, int64_t) {};
  using Clock = std::chrono::steady_clock;
  auto hot = [&](int n) {
    auto start = Clock::now();
    for (int i = 0; i < n; ++i)
      executor.run(nothing, nullptr, 2, 1);
    return std::chrono::duration<double, std::micro>(Clock::now() - start)
               .count() /
           n;
  };
  hot(100);
  double warm = 1e9, cold = 1e9;
  for (int i = 0; i < 5; ++i)
    warm = std::min(warm, hot(1000));
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cold = std::min(cold, hot(1));
  }
  std::printf("dispatch to one worker: %.2f us hot, %.2f us from sleep\n", warm,
              cold);
  // No bound on time: the machine may be busy. Only that it is not absurd.
  EXPECT_LT(warm, 1e5);
}
