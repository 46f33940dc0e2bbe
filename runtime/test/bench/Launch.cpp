//===- Launch.cpp - what the host pays for launches and copies ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// usage: bench-launch [TARGET..]
//
// For each device (all that are found, or those that are named: cuda, opencl:1)
// a line for each of: the host's time of a launch with 1 and with 40 arrays
// (arrt_launch alone, medians of batches that end with a synchronization that
// is not counted), the same launches in a recording, a small write, a poll of a
// value, and copies of a large array from and to the host. For the stub:
// ARRC_CUDA_LIBRARY.
//
//===----------------------------------------------------------------------===//

#include "conformance/Images.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

const arrt_kernel kernels[] = {
    {"one", 0, 0, "p"},
    {"forty", 0, 0, "pppppppppppppppppppppppppppppppppppppppp"},
    {"step", 0, 0, "pp4"},
};

struct Bench {
  arrt_context *ctx;
  std::string device;
  std::vector<void *> places;
  std::vector<void *> args;
};

/// The exit of everything that fails.
void require(arrt_context *ctx, int32_t status) {
  if (!status)
    return;
  std::fprintf(stderr, "%s\n", arrt_message(ctx));
  std::exit(arrt_status_exit_code(status));
}

/// The median of `rounds` runs, in nanoseconds for each of `count`.
template <typename Run, typename End>
double median(int rounds, int64_t count, Run run, End end) {
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double, std::nano> took =
        std::chrono::steady_clock::now() - start;
    end();
    times.push_back(took.count() / double(count));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void print(const Bench &bench, const char *what, double value,
           const char *unit) {
  std::printf("%-10s %-36s %10.1f %s\n", bench.device.c_str(), what, value,
              unit);
}

int32_t launches(Bench &bench, int kernel, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (int32_t status = arrt_launch(bench.ctx, kernel, 1, 1, 1, 32, 1, 1, 0,
                                     bench.args.data()))
      return status;
  return 0;
}

/// A time loop of one small kernel, which says whether there is another step.
int32_t measureLoops(Bench &bench) {
  arrt_context *ctx = bench.ctx;
  auto body = [](arrt_context *ctx, void *env, void *) {
    auto &bench = *static_cast<Bench *>(env);
    int32_t limit = 1 << 30;
    void *args[] = {&bench.places[0], &bench.places[1], &limit};
    return arrt_launch(ctx, 2, 1, 1, 1, 32, 1, 1, 0, args);
  };
  void *state = bench.places[1];
  for (bool hasCondition : {true, false}) {
    constexpr int64_t steps = 2000;
    auto loop = [&] {
      require(ctx, arrt_buffer_fill(ctx, state, 1, 1, 1));
      int64_t times = 0;
      require(ctx, arrt_loop(ctx, body, &bench, &state, sizeof state,
                             hasCondition ? 0 : -1, steps, &times));
      require(ctx, arrt_synchronize(ctx));
    };
    loop();
    print(bench,
          hasCondition ? "step of a loop with a condition" : "step of a loop",
          median(9, steps, loop, [] {}), "ns");
  }
  return 0;
}

/// As an export: launches need a program that runs.
int32_t measureLaunches(arrt_context *ctx, void **args) {
  auto &bench = *static_cast<Bench *>(args[0]);
  auto wait = [&] { require(ctx, arrt_synchronize(ctx)); };
  for (int kernel : {0, 1}) {
    require(ctx, launches(bench, kernel, 10));
    wait();
    // Few enough that no queue is full.
    double time = median(
        51, 200, [&] { require(ctx, launches(bench, kernel, 200)); }, wait);
    print(bench, kernel ? "launch, 40 arrays" : "launch, 1 array", time, "ns");
  }
  for (int kernel : {0, 1}) {
    require(ctx, arrt_capture_begin(ctx));
    require(ctx, launches(bench, kernel, 100));
    arrt_recording *recording = arrt_capture_end(ctx);
    if (!recording)
      return arrt_last_status(ctx);
    require(ctx, arrt_replay(recording, 2));
    wait();
    auto replay = [&] { require(ctx, arrt_replay(recording, 1)); };
    print(bench,
          kernel ? "launch of a replay, 40 arrays"
                 : "launch of a replay, 1 array",
          median(51, 100, replay, wait), "ns");
    auto whole = [&] {
      replay();
      wait();
    };
    print(bench, "  and until it is done", median(51, 100, whole, [] {}), "ns");
    arrt_recording_release(recording);
  }
  int32_t value = 0;
  auto write = [&] {
    for (int i = 0; i < 200; ++i)
      require(ctx, arrt_write(ctx, bench.places[0], &value, 4));
  };
  print(bench, "write of 4 bytes", median(51, 200, write, wait), "ns");
  auto poll = [&] {
    require(ctx, launches(bench, 0, 1));
    require(ctx, arrt_read(ctx, &value, bench.places[0], 4));
  };
  print(bench, "launch and read of 4 bytes", median(201, 1, poll, [] {}), "ns");
  return measureLoops(bench);
}

/// Copies of n floats, from and to memory of the caller.
void measureCopies(Bench &bench) {
  arrt_context *ctx = bench.ctx;
  for (int64_t n : {int64_t(1) << 14, int64_t(1) << 20, int64_t(1) << 26}) {
    std::vector<float> host(static_cast<size_t>(n), 1);
    arrt_array *from = arrt_array_borrow(ctx, host.data(), ARRT_F32, 1, &n);
    arrt_array *there = arrt_array_to_device(ctx, from);
    if (!there)
      require(ctx, arrt_last_status(ctx));
    auto up = [&] {
      require(ctx, arrt_array_copy(ctx, there, from));
      require(ctx, arrt_synchronize(ctx));
    };
    auto down = [&] { require(ctx, arrt_array_copy(ctx, from, there)); };
    std::string size = std::to_string(n >> 8) + " KiB";
    double bytes = 4 * double(n);
    print(bench, ("upload of " + size).c_str(), bytes / median(9, 1, up, [] {}),
          "GB/s");
    print(bench, ("download of " + size).c_str(),
          bytes / median(9, 1, down, [] {}), "GB/s");
    arrt_array_release(there);
    arrt_array_release(from);
  }
}

void measure(int32_t target, int32_t device) {
  arrt_options options;
  std::memset(&options, 0, sizeof options);
  options.target = target;
  options.device = device;
  arrt_context *ctx = arrt_context_create(&options);
  if (!ctx)
    std::exit(1);
  require(ctx, arrt_last_status(ctx));
  arrt_image image = arrt_test::kernelsFor(target);
  arrt_program program;
  std::memset(&program, 0, sizeof program);
  program.version = ARRT_ABI_VERSION;
  program.target = target;
  program.num_images = 1;
  program.images = &image;
  program.num_kernels = 3;
  program.kernels = kernels;
  arrt_entry entry = {"f", measureLaunches, 0, 0, nullptr, nullptr};
  Bench bench;
  bench.ctx = ctx;
  bench.device = arrt_context_device(ctx);
  for (int i = 0; i < 40; ++i) {
    bench.places.push_back(arrt_buffer_alloc(ctx, 4096, -1));
    if (!bench.places.back())
      require(ctx, arrt_last_status(ctx));
    require(ctx, arrt_buffer_fill(ctx, bench.places.back(), 0, 4, 4096));
  }
  for (void *&place : bench.places)
    bench.args.push_back(&place);
  void *args[] = {&bench};
  require(ctx, arrt_call(ctx, &program, &entry, args, 0));
  measureCopies(bench);
  arrt_context_destroy(ctx);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<arrt_device_info> infos(64);
  infos.resize(size_t(std::min(arrt_devices(infos.data(), 64), 64)));
  for (const arrt_device_info &info : infos) {
    if (info.target == ARRT_TARGET_CPU)
      continue;
    bool isWanted = argc < 2;
    for (int i = 1; i < argc; ++i) {
      int32_t target = -1, device = -1;
      if (arrt_parse_target(argv[i], &target, &device)) {
        std::fprintf(stderr, "error: '%s' is no target\n", argv[i]);
        return 2;
      }
      isWanted |= target == info.target && device == info.device;
    }
    if (!isWanted && !*info.problem)
      continue;
    if (*info.problem) {
      std::printf("%s: %s\n", arrt_target_name(info.target), info.problem);
      continue;
    }
    std::printf("%s:%d is %s, %s\n", arrt_target_name(info.target), info.device,
                info.name, info.arch);
    measure(info.target, info.device);
  }
  return 0;
}
