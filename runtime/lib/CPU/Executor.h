//===- Executor.h - the threads that run tasks -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Persistent workers with contiguous ranges. The caller is worker 0. A run
/// publishes its job under a generation number; workers that just had work spin
/// on that number for some microseconds (a time loop launches again at once),
/// then sleep on it with a futex.
///
/// Each worker begins with the range that follows from the numbers of workers
/// and tasks, the same in each run, so that it finds its part of an array in
/// its cache. It takes pieces from the front; one that is done takes half of
/// what another has left from the back: cores differ, and other programs run on
/// some. Ranges of a few pieces' work run whole.
///
/// A worker that sleeps takes long to wake, on a virtual machine a tenth of a
/// millisecond and more. So a worker joins a run when it comes, others have its
/// range by then if it comes late, and a run that has nothing left to do is
/// closed: it ends when those that joined are done.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CPU_EXECUTOR_H
#define ARRT_CPU_EXECUTOR_H

#include "arrt/arrt.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <vector>

namespace arrt {

/// A team of threads. `run` is called by one thread at a time.
class Executor {
public:
  /// `threads` workers, the caller among them; 0: usableCores().
  explicit Executor(int64_t threads);
  /// Ends the threads; no run may be going on.
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  /// The number of workers. Fewer than asked for if threads cannot be made.
  int64_t workers() const { return count; }
  /// As arrt_parallel says.
  void run(arrt_task_fn fn, void *env, int64_t tasks, int64_t grain);

  /// Cores that this process may use: affinity and container quota.
  static int64_t usableCores();
  /// The first task of `worker` out of `workers` at the start of a run;
  /// `worker == workers` gives the end. Ranges differ by one task at most.
  static int64_t rangeBegin(int64_t tasks, int64_t workers, int64_t worker);

private:
  struct Start;
  static void *threadMain(void *start);
  void work(int64_t worker);
  /// Takes part in run `run`, unless that is closed or over.
  bool join(uint64_t run);
  /// Lets nobody join any more and waits for those who have.
  void close();
  /// Tasks that a worker has before it, in units: the first in the low half of
  /// the word, the end in the high half.
  struct alignas(128) Share {
    std::atomic<uint64_t> range{0};
  };
  /// Gives each of `active` workers its range of the run to come.
  void share(int64_t active, int64_t grain);
  /// Runs what worker `worker` of `active` has to do in the run at work.
  void runShare(int64_t worker, int64_t active);
  bool takePiece(Share &share, int64_t &begin, int64_t &end);
  bool steal(int64_t worker, int64_t active);

  int64_t count = 1;
  std::vector<pthread_t> threads;

  // The job, written before `state` and read, by those that take part, after.
  arrt_task_fn fn = nullptr;
  void *env = nullptr;
  int64_t tasks = 0;
  /// Tasks of a unit, and the fewest units worth a piece.
  int64_t unit = 1;
  uint32_t piece = 1;
  std::unique_ptr<Share[]> shares;

  // Number of the run and how many workers may take part in it, in one word. On
  // cache lines of their own: all workers watch the first, all that take part
  // write the second.
  static constexpr int activeBits = 11;
  alignas(128) std::atomic<uint64_t> state{0};
  std::atomic<uint32_t> sleepers{0};
  std::atomic<bool> stop{false};
  /// Number of the run, whether it is closed, and how many workers have joined:
  /// who has not must not look at the job, which may already be the next one.
  static constexpr uint64_t closedBit = uint64_t(1) << activeBits;
  static constexpr int joinedBits = activeBits + 1;
  alignas(128) std::atomic<uint64_t> gate{closedBit};
  /// Those that have joined, once that is known, less those that are done.
  std::atomic<uint32_t> remaining{0};
  std::atomic<uint32_t> callerSleeps{0};
};

} // namespace arrt

#endif // ARRT_CPU_EXECUTOR_H
