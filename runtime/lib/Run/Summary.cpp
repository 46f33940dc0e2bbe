//===- Summary.cpp - a line about a result --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Summary.h"
#include "Core/Array.h"
#include "IO/Stored.h"
#include "Run/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace arrt;

namespace {

/// What a block of elements gives. Complex numbers count by their magnitude.
template <typename T> struct Part {
  T least{}, most{};
  double sum = 0;
  int64_t nans = 0, others = 0;

  void add(T value) {
    if (value != value) {
      ++nans;
      return;
    }
    least = others ? std::min(least, value) : value;
    most = others ? std::max(most, value) : value;
    sum += double(value);
    ++others;
  }
  void add(const Part &part) {
    if (part.others) {
      least = others ? std::min(least, part.least) : part.least;
      most = others ? std::max(most, part.most) : part.most;
    }
    sum += part.sum;
    nans += part.nans;
    others += part.others;
  }
};

/// Elements in a block; blocks are joined in order, so that the mean does not
/// depend on the number of workers.
constexpr int64_t block = int64_t(1) << 16;

template <typename T> auto magnitude(T value) {
  if constexpr (IsComplex<T>::value)
    return std::hypot(value.re, value.im);
  else if constexpr (isHalf<T>)
    return float(load(value));
  else
    return load(value);
}

template <typename Stored, typename T> struct Job {
  const Stored *data;
  int64_t count;
  std::vector<Part<T>> parts;

  static void task(void *env, int64_t begin, int64_t end, int64_t) {
    auto &job = *static_cast<Job *>(env);
    for (int64_t b = begin; b < end; ++b) {
      Part<T> part;
      int64_t hi = std::min((b + 1) * block, job.count);
      for (int64_t i = b * block; i < hi; ++i)
        part.add(magnitude(job.data[i]));
      job.parts[size_t(b)] = part;
    }
  }
};

std::string number(float value) { return floatText(value); }
std::string number(double value) { return floatText(value); }
template <typename T> std::string number(T value) {
  return std::to_string(value);
}

/// The elements of an array, piece by piece where they are on a device.
class Pieces {
public:
  Pieces(arrt_context *ctx, const arrt_array *array)
      : ctx(ctx), array(array), bytes(arrt_element_bytes(array->element)) {}

  /// Elements from `begin` on, until the next call; null in processes that do
  /// not get them, or with a status.
  const void *get(int64_t begin, int64_t count, int32_t &status) {
    auto *data = static_cast<const char *>(array->data) + begin * bytes;
    if (array->device->isHostVisible())
      return data;
    held.resize(isFirst(ctx) ? size_t(count * bytes) : 0);
    status = deviceStatus(
        ctx, array->device->copyOutTo(0, held.data(), data, count * bytes));
    return status || !isFirst(ctx) ? nullptr : held.data();
  }
  /// How many elements are looked at a time.
  int64_t most() const {
    return array->device->isHostVisible() ? arrt_array_count(array)
                                          : 64 * block;
  }

private:
  arrt_context *ctx;
  const arrt_array *array;
  int64_t bytes;
  std::vector<char> held;
};

struct Statistics {
  arrt_context *ctx;
  const arrt_array *array;
  int32_t &status;

  template <typename Stored> std::string operator()(Stored) const {
    using T = decltype(magnitude(Stored{}));
    Pieces pieces(ctx, array);
    Part<T> all;
    int64_t count = arrt_array_count(array);
    for (int64_t at = 0; at < count && !status; at += pieces.most()) {
      Job<Stored, T> job;
      job.count = std::min(pieces.most(), count - at);
      job.data = static_cast<const Stored *>(pieces.get(at, job.count, status));
      if (!job.data)
        continue;
      int64_t blocks = (job.count + block - 1) / block;
      job.parts.resize(size_t(blocks));
      arrt_parallel(ctx, job.task, &job, blocks, 4);
      for (const Part<T> &part : job.parts)
        all.add(part);
    }
    std::string text;
    if (all.others) {
      char mean[40];
      std::snprintf(mean, sizeof mean, "%.6g", all.sum / double(all.others));
      const char *of = IsComplex<Stored>::value ? "abs " : "";
      text += std::string("  ") + of + "min " + number(all.least) + "  mean " +
              mean + "  max " + number(all.most);
    }
    if (all.nans)
      text += "  nan " + std::to_string(all.nans);
    return text;
  }
};

/// Arrays with so few elements are printed whole.
constexpr int64_t few = 64;

std::string values(const arrt_array *array, const void *elements, int32_t dim,
                   int64_t &next) {
  if (dim == arrt_array_rank(array)) {
    int64_t bytes = arrt_element_bytes(arrt_array_element(array));
    auto *data = static_cast<const char *>(elements);
    return elementText(arrt_array_element(array), data + next++ * bytes);
  }
  std::string text = "[";
  for (int64_t i = 0; i < arrt_array_size(array, dim); ++i)
    text += (i ? ", " : "") + values(array, elements, dim + 1, next);
  return text + "]";
}

} // namespace

int32_t arrt::summarize(arrt_context *ctx, const arrt_param &param,
                        const arrt_array *array, std::string &text) {
  int64_t sizes[ARRT_MAX_RANK];
  for (int32_t d = 0; d < arrt_array_rank(array); ++d)
    sizes[d] = arrt_array_size(array, d);
  text = std::string(param.name) + ": " +
         shapeText(arrt_array_element(array), arrt_array_rank(array), sizes);
  int64_t count = arrt_array_count(array), next = 0;
  // An empty array may still have 2^62 empty rows.
  int32_t status = ARRT_STATUS_OK;
  if (count == 0) {
    text += " []";
  } else if (count <= few) {
    Pieces pieces(ctx, array);
    if (const void *elements = pieces.get(0, count, status))
      text += " " + values(array, elements, 0, next);
  } else {
    text += dispatch(arrt_array_element(array), Statistics{ctx, array, status});
  }
  return status;
}

std::string arrt::summarize(const arrt_param &param, const void *scalar) {
  return std::string(param.name) + ": " + arrt_element_name(param.element) +
         " " + elementText(param.element, scalar);
}
