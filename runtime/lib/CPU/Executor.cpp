//===- Executor.cpp - the threads that run tasks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPU/Executor.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace arrt;

namespace {

/// How long a worker without work, and a caller without results, spins before
/// it sleeps. Longer than the host code between two launches of a time loop,
/// short enough to cost nothing that shows.
constexpr std::chrono::microseconds spinTime(50);

/// Pieces of the smallest size that a worker has to have for its range to be
/// cut, and the part of what is left that it takes at a time.
constexpr int64_t fewestPieces = 4, pieceOfRest = 8;

/// Deep enough for the temporaries of generated tasks.
constexpr size_t stackBytes = size_t(8) << 20;

/// The executor whose task this thread runs, and as which worker.
struct Inside {
  const Executor *executor = nullptr;
  int64_t worker = 0;
};
thread_local Inside inside;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `done` or the time is over; returns whether it was done.
template <typename Done> bool spin(Done done) {
  auto start = std::chrono::steady_clock::now();
  for (;;) {
    for (int i = 0; i < 32; ++i) {
      if (done())
        return true;
      pause();
    }
    if (std::chrono::steady_clock::now() - start > spinTime)
      return done();
  }
}

/// Sleeps while the 32 bits at `word` are `value`. Of a 64-bit word these are
/// the low half.
void futexWait(void *word, uint32_t value) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void futexWake(void *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

constexpr uint64_t packRange(uint32_t begin, uint32_t end) {
  return uint64_t(end) << 32 | begin;
}

} // namespace

struct Executor::Start {
  Executor *executor;
  int64_t worker;
};

int64_t Executor::usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int64_t cores = 0;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    cores = CPU_COUNT(&set);
  if (cores <= 0)
    cores = sysconf(_SC_NPROCESSORS_ONLN);
  // A container with a quota of 2 cores on 64 must not spin on 64.
  if (FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "r")) {
    long long quota, period;
    if (std::fscanf(file, "%lld %lld", &quota, &period) == 2 && quota > 0 &&
        period > 0)
      cores = std::min<int64_t>(cores, (quota + period - 1) / period);
    std::fclose(file);
  }
  return std::max<int64_t>(cores, 1);
}

int64_t Executor::rangeBegin(int64_t tasks, int64_t workers, int64_t worker) {
  int64_t each = tasks / workers, rest = tasks % workers;
  return each * worker + std::min(worker, rest);
}

Executor::Executor(int64_t wanted) {
  if (wanted <= 0)
    wanted = usableCores();
  wanted = std::min<int64_t>(wanted, 1024);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  for (int64_t w = 1; w < wanted; ++w) {
    pthread_t thread;
    auto *start = new Start{this, w};
    if (pthread_create(&thread, &attributes, threadMain, start) != 0) {
      delete start;
      break;
    }
    threads.push_back(thread);
  }
  pthread_attr_destroy(&attributes);
  count = int64_t(threads.size()) + 1;
  shares = std::make_unique<Share[]>(count);
}

Executor::~Executor() {
  stop.store(true);
  state.fetch_add(uint64_t(1) << activeBits);
  futexWake(&state, INT_MAX);
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
}

void *Executor::threadMain(void *argument) {
  Start start = *static_cast<Start *>(argument);
  delete static_cast<Start *>(argument);
  start.executor->work(start.worker);
  return nullptr;
}

void Executor::work(int64_t worker) {
  inside = {this, worker};
  uint64_t seen = 0;
  for (;;) {
    auto changed = [&] {
      return state.load(std::memory_order_acquire) != seen;
    };
    if (!spin(changed)) {
      // `run` changes the state first and looks for sleepers then; this counts
      // itself first and looks at the state then: one of the two sees the
      // other. The futex compares the low half of the state.
      sleepers.fetch_add(1);
      while (state.load() == seen)
        futexWait(&state, uint32_t(seen));
      sleepers.fetch_sub(1);
    }
    // It may have missed runs and see a later one.
    seen = state.load(std::memory_order_acquire);
    if (stop.load())
      return;
    int64_t active = int64_t(seen & ((1 << activeBits) - 1));
    if (worker >= active || !join(seen >> activeBits))
      continue;
    runShare(worker, active);
    if (remaining.fetch_sub(1) == 1 && callerSleeps.load())
      futexWake(&remaining, 1);
  }
}

bool Executor::join(uint64_t run) {
  uint64_t seen = gate.load(std::memory_order_relaxed);
  while (seen >> joinedBits == run && !(seen & closedBit))
    if (gate.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return true;
  return false;
}

bool Executor::takePiece(Share &share, int64_t &begin, int64_t &end) {
  uint64_t range = share.range.load(std::memory_order_relaxed);
  for (;;) {
    uint32_t first = uint32_t(range), last = uint32_t(range >> 32);
    if (first >= last)
      return false;
    uint32_t left = last - first;
    uint32_t size =
        std::min(std::max<uint32_t>(left / pieceOfRest, piece), left);
    if (share.range.compare_exchange_weak(range, packRange(first + size, last),
                                          std::memory_order_relaxed)) {
      begin = first * unit;
      end = std::min((int64_t(first) + size) * unit, tasks);
      return true;
    }
  }
}

/// What a share holds nobody has run, so that an exchange that succeeds is
/// right whatever happened since the share was looked at.
bool Executor::steal(int64_t worker, int64_t active) {
  for (int64_t k = 1; k < active; ++k) {
    Share &other = shares[(worker + k) % active];
    uint64_t range = other.range.load(std::memory_order_relaxed);
    for (;;) {
      uint32_t first = uint32_t(range), last = uint32_t(range >> 32);
      if (first >= last)
        break;
      uint32_t left = last - first;
      uint32_t middle = left / 2 < piece ? first : first + left / 2;
      if (other.range.compare_exchange_weak(range, packRange(first, middle),
                                            std::memory_order_relaxed)) {
        shares[worker].range.store(packRange(middle, last),
                                   std::memory_order_relaxed);
        return true;
      }
    }
  }
  return false;
}

void Executor::share(int64_t active, int64_t grain) {
  // Halves of a word count 2^32 units.
  unit = (tasks >> 32) + 1;
  int64_t units = (tasks + unit - 1) / unit;
  // Ranges of few pieces run whole.
  piece = tasks / active < fewestPieces * grain
              ? UINT32_MAX
              : uint32_t(std::max<int64_t>(grain / unit, 1));
  for (int64_t w = 0; w < active; ++w)
    shares[w].range.store(packRange(uint32_t(rangeBegin(units, active, w)),
                                    uint32_t(rangeBegin(units, active, w + 1))),
                          std::memory_order_relaxed);
}

void Executor::runShare(int64_t worker, int64_t active) {
  do {
    for (int64_t begin, end; takePiece(shares[worker], begin, end);)
      fn(env, begin, end, worker);
  } while (steal(worker, active));
}

void Executor::run(arrt_task_fn task, void *environment, int64_t number,
                   int64_t grain) {
  if (number <= 0)
    return;
  if (inside.executor == this) {
    task(environment, 0, number, inside.worker);
    return;
  }
  Inside outer = inside;
  inside = {this, 0};
  int64_t active =
      std::clamp<int64_t>(number / std::max<int64_t>(grain, 1), 1, count);
  if (active == 1) {
    task(environment, 0, number, 0);
  } else {
    fn = task;
    env = environment;
    tasks = number;
    share(active, std::max<int64_t>(grain, 1));
    uint64_t run = (state.load() >> activeBits) + 1;
    gate.store(run << joinedBits, std::memory_order_release);
    state.store(run << activeBits | uint64_t(active));
    if (sleepers.load())
      futexWake(&state, INT_MAX);
    runShare(0, active);
    close();
  }
  inside = outer;
}

/// What a worker takes out of another's share before it puts it into its own is
/// in neither for a moment: it has joined, so that it is waited for.
void Executor::close() {
  uint64_t joined =
      gate.fetch_or(closedBit, std::memory_order_relaxed) & (closedBit - 1);
  remaining.fetch_add(uint32_t(joined));
  if (spin([&] { return remaining.load(std::memory_order_acquire) == 0; }))
    return;
  callerSleeps.store(1);
  while (uint32_t left = remaining.load())
    futexWait(&remaining, left);
  callerSleeps.store(0);
}
