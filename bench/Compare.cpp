//===- Compare.cpp - Generated loops against C++ with OpenMP --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Runs each loop of programs/loops.arr and its peer of Peers.cpp by turns in
// one process, on the same data, with the same number of threads, and prints
// the best time of both. `bench-compare [--runs N] [--size N] [--threads N]
// [--only NAME] [--markdown]`; a ratio is peer time over ours: 1 is as fast,
// more is faster.
//
// Idle threads of both pools sleep (OMP_WAIT_POLICY=passive): threads that
// spin would take the cores from the other one.
//
//===----------------------------------------------------------------------===//

#include "arrt/arrt.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" const arrt_program arrt_program_table;

namespace {

using Clock = std::chrono::steady_clock;

/// One loop: what it moves, its peer, and the arguments of our export.
struct Row {
  const char *name, *entry;
  double bytes;
  std::function<void()> peer;
  std::vector<void *> inputs;
  const float *expected;
  int64_t count;
};

struct Options {
  int runs = 15;
  int64_t size = 8192;
  int threads = 0;
  bool markdown = false;
  std::string only;
};

template <typename Function> Function *find(void *library, const char *name) {
  void *address = dlsym(library, name);
  if (!address) {
    std::fprintf(stderr, "error: %s\n", dlerror());
    std::exit(4);
  }
  return reinterpret_cast<Function *>(address);
}

const arrt_entry *findEntry(const char *name) {
  for (int i = 0; i < arrt_program_table.num_entries; ++i)
    if (!std::strcmp(arrt_program_table.entries[i].name, name))
      return &arrt_program_table.entries[i];
  std::fprintf(stderr, "error: the program has no '%s'\n", name);
  std::exit(4);
}

template <typename Body> double milliseconds(Body body) {
  auto start = Clock::now();
  body();
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// The largest difference relative to the largest expected value.
double difference(const float *expected, const float *actual, int64_t count) {
  double scale = 1e-30, worst = 0;
  for (int64_t i = 0; i < count; ++i) {
    scale = std::max(scale, std::fabs(double(expected[i])));
    worst = std::max(worst, std::fabs(double(expected[i]) - actual[i]));
  }
  return worst / scale;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (flag == "--markdown")
      options.markdown = true;
    else if (flag == "--runs" && i + 1 < argc)
      options.runs = std::atoi(argv[++i]);
    else if (flag == "--size" && i + 1 < argc)
      options.size = std::atoll(argv[++i]);
    else if (flag == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else if (flag == "--threads" && i + 1 < argc)
      options.threads = std::atoi(argv[++i]);
    else {
      std::fprintf(stderr, "usage: bench-compare [--runs N] [--size N] "
                           "[--threads N] [--only NAME] [--markdown]\n");
      std::exit(2);
    }
  }
  return options;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  if (options.threads == 0)
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  // Read by the OpenMP library when it is loaded.
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
  void *peers = dlopen(BENCH_PEERS, RTLD_NOW | RTLD_LOCAL);
  if (!peers) {
    std::fprintf(stderr, "error: %s\n", dlerror());
    return 4;
  }
  using Map1 = void(int64_t, float, const float *, const float *, float *);
  using Map2 = void(int64_t, const float *, const float *, float *);
  using Fold = float(int64_t, const float *);
  using Matrix = void(int64_t, int64_t, const float *, float *);
  auto *saxpy = find<Map1>(peers, "peer_saxpy");
  auto *chain = find<Map2>(peers, "peer_chain");
  auto *total = find<Fold>(peers, "peer_total");
  auto *rows = find<Matrix>(peers, "peer_rows");
  auto *columns = find<Matrix>(peers, "peer_columns");
  auto *blur = find<Matrix>(peers, "peer_blur");

  const int64_t m = options.size, n = m * m;
  arrt_options contextOptions = {};
  contextOptions.threads = options.threads;
  arrt_context *ctx = arrt_context_create(&contextOptions);
  // Memory of the runtime for both sides: the same alignment and pages.
  auto vector = [&](int64_t count) {
    return arrt_array_alloc(ctx, ARRT_F32, 1, &count, -1);
  };
  arrt_array *x = vector(n), *y = vector(n), *expected = vector(n);
  auto data = [](arrt_array *array) {
    return static_cast<float *>(arrt_array_data(array));
  };
  float *xs = data(x), *ys = data(y), *out = data(expected), factor = 1.5f;
  uint32_t state = 12345;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    xs[i] = float(state >> 8) / float(1 << 24);
    state = state * 1664525u + 1013904223u;
    ys[i] = float(state >> 8) / float(1 << 24) - 0.5f;
  }
  int64_t square[] = {m, m};
  arrt_array *a = arrt_array_borrow(ctx, xs, ARRT_F32, 2, square);

  double array = double(n) * sizeof(float), edge = double(m) * sizeof(float);
  std::vector<Row> list = {
      {"saxpy",
       "saxpy",
       3 * array,
       [&] { saxpy(n, factor, xs, ys, out); },
       {&factor, &x, &y},
       out,
       n},
      {"chain of ten",
       "chain",
       3 * array,
       [&] { chain(n, xs, ys, out); },
       {&x, &y},
       out,
       n},
      {"full sum",
       "total",
       array,
       [&] { out[0] = total(n, xs); },
       {&x},
       out,
       1},
      {"row sums",
       "rows",
       array + edge,
       [&] { rows(m, m, xs, out); },
       {&a},
       out,
       m},
      {"column sums",
       "columns",
       array + edge,
       [&] { columns(m, m, xs, out); },
       {&a},
       out,
       m},
      {"5-point stencil",
       "blur",
       2 * array,
       [&] { blur(m, m, xs, out); },
       {&a},
       out,
       n},
  };

  const char *head = options.markdown
                         ? "| loop | C++ ms | GB/s | arrc ms | GB/s | ratio | "
                           "difference |\n|---|---|---|---|---|---|---|\n"
                         : "loop              C++ ms    GB/s  arrc ms    GB/s  "
                           "ratio  difference\n";
  const char *line = options.markdown
                         ? "| %s | %.2f | %.1f | %.2f | %.1f | %.2f | %.1e |\n"
                         : "%-16s %7.2f %7.1f  %7.2f %7.1f  %5.2f  %.1e\n";
  std::printf("%s", head);
  bool good = true;
  for (Row &row : list) {
    if (!options.only.empty() && options.only != row.entry)
      continue;
    const arrt_entry *entry = findEntry(row.entry);
    double best[2] = {1e30, 1e30}, worst = 0;
    for (int run = 0; run < options.runs; ++run) {
      best[0] = std::min(best[0], milliseconds(row.peer));
      arrt_array *result = nullptr;
      float scalar = 0;
      std::vector<void *> args = row.inputs;
      bool isScalar = entry->results[0].rank == 0;
      args.push_back(isScalar ? static_cast<void *>(&scalar)
                              : static_cast<void *>(&result));
      int32_t status = 0;
      best[1] = std::min(best[1], milliseconds([&] {
                           status = arrt_call(ctx, &arrt_program_table, entry,
                                              args.data());
                         }));
      if (status) {
        std::fprintf(stderr, "error: %s\n", arrt_message(ctx));
        return 3;
      }
      if (run == 0)
        worst = difference(row.expected, isScalar ? &scalar : data(result),
                           row.count);
      arrt_array_release(result);
    }
    good &= worst < 1e-4;
    std::printf(line, row.name, best[0], row.bytes / best[0] / 1e6, best[1],
                row.bytes / best[1] / 1e6, best[0] / best[1], worst);
  }
  if (!good)
    std::fprintf(stderr, "error: the results differ\n");
  return good ? 0 : 1;
}
