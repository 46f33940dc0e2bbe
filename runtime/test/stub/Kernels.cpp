//===- Kernels.cpp - the suite's kernels, on the host ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/Kernels.h"

#include <cstring>
#include <vector>

using namespace stub;

template <typename T> static T get(void **args, int i) {
  T value;
  std::memcpy(&value, args[i], sizeof value);
  return value;
}

static void axpy(const Grid &grid, void **args) {
  auto *out = get<float *>(args, 0);
  auto *in = get<const float *>(args, 1);
  auto a = get<float>(args, 2);
  int64_t n = get<int64_t>(args, 3);
  for (int64_t i = 0; i < n && i < grid.blocks[0] * grid.threads[0]; ++i)
    out[i] = out[i] + a * in[i];
}

static void turn(const Grid &grid, void **args) {
  auto *out = get<int32_t *>(args, 0);
  auto *in = get<const int32_t *>(args, 1);
  int64_t threads = grid.threads[0];
  if (grid.shared < 4 * threads)
    return; // a kernel without its memory
  for (int64_t b = 0; b < grid.blocks[0]; ++b)
    for (int64_t t = 0; t < threads; ++t)
      out[b * threads + t] = in[b * threads + threads - 1 - t];
}

static void scalars(const Grid &, void **args) {
  auto *out = get<int64_t *>(args, 0);
  out[0] = get<int8_t>(args, 1);
  out[1] = get<int16_t>(args, 2);
  out[2] = get<int32_t>(args, 3);
  out[3] = get<int64_t>(args, 4);
}

static void gridKernel(const Grid &grid, void **args) {
  auto *out = get<int32_t *>(args, 0);
  int64_t size[3];
  for (int d = 0; d < 3; ++d)
    size[d] = grid.blocks[d] * grid.threads[d];
  for (int64_t k = 0; k < size[2]; ++k)
    for (int64_t j = 0; j < size[1]; ++j)
      for (int64_t i = 0; i < size[0]; ++i)
        *out++ += int32_t(100 * k + 10 * j + i);
}

static void fails(const Grid &grid, void **args) {
  auto *record = get<unsigned char *>(args, 0);
  auto site = get<int32_t>(args, 1);
  int64_t n = get<int64_t>(args, 2);
  uint64_t least;
  uint32_t count;
  std::memcpy(&least, record, sizeof least);
  std::memcpy(&count, record + 8, sizeof count);
  // From the end: the first to fail is not the least.
  for (int64_t i = grid.blocks[0] * grid.threads[0]; i-- > 0;) {
    uint64_t mine = uint64_t(site - (i & 1)) << 40 | uint64_t(i);
    if (i >= n || i % 3 != 1 || mine >= least)
      continue;
    least = mine;
    uint64_t slot[3] = {mine, uint64_t(i), uint64_t(n)};
    std::memcpy(record + 64 + 64 * uint64_t(count++ % 1024), slot, sizeof slot);
  }
  std::memcpy(record, &least, sizeof least);
  std::memcpy(record + 8, &count, sizeof count);
}

template <typename Index> static void blocksOf(const Grid &grid, void **args) {
  auto *out = get<int32_t *>(args, 0);
  int64_t columns = get<int64_t>(args, 1);
  Index offsets[2] = {get<Index>(args, 2), get<Index>(args, 4)};
  Index extents[2] = {get<Index>(args, 3), get<Index>(args, 5)};
  int64_t blocks = grid.blocks[0] * grid.blocks[1];
  for (int64_t b = 0; b < blocks && b < int64_t(extents[0]) * extents[1]; ++b) {
    int64_t i = offsets[0] + b / extents[1], j = offsets[1] + b % extents[1];
    out[i * columns + j] += 1;
  }
}

static void step(const Grid &, void **args) {
  int32_t value = ++*get<int32_t *>(args, 0);
  *get<char *>(args, 1) = value < get<int32_t>(args, 2);
}

static void one(const Grid &, void **args) { ++*get<int32_t *>(args, 0); }

static void forty(const Grid &, void **args) {
  *get<int32_t *>(args, 0) += *get<int32_t *>(args, 39);
}

static void shift(const Grid &, void **args) {
  auto *out = get<int32_t *>(args, 0);
  auto *in = get<const int32_t *>(args, 1);
  auto n = get<int64_t>(args, 2), by = get<int64_t>(args, 3);
  for (int64_t i = 0; i < n; ++i)
    out[i] = in[(i + by) % n] + 1;
}

const Kernel *stub::findKernel(const char *name) {
  static const Kernel kernels[] = {{"axpy", "pp48", axpy},
                                   {"turn", "pp", turn},
                                   {"scalars", "p1248", scalars},
                                   {"grid", "p", gridKernel},
                                   {"fails", "p48", fails},
                                   {"blocks32", "p84444", blocksOf<int32_t>},
                                   {"blocks64", "p88888", blocksOf<int64_t>},
                                   {"step", "pp4", step},
                                   {"one", "p", one},
                                   {"shift", "pp88", shift},
                                   {"forty", std::string(40, 'p'), forty}};
  for (const Kernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}
