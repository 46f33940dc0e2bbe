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

struct Statistics {
  arrt_context *ctx;
  const arrt_array *array;

  template <typename Stored> std::string operator()(Stored) const {
    using T = decltype(magnitude(Stored{}));
    Job<Stored, T> job;
    job.data = static_cast<const Stored *>(arrt_array_data(array));
    job.count = arrt_array_count(array);
    int64_t blocks = (job.count + block - 1) / block;
    job.parts.resize(size_t(blocks));
    arrt_parallel(ctx, job.task, &job, blocks, 4);
    Part<T> all;
    for (const Part<T> &part : job.parts)
      all.add(part);
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

std::string values(const arrt_array *array, int32_t dim, int64_t &next) {
  if (dim == arrt_array_rank(array)) {
    int64_t bytes = arrt_element_bytes(arrt_array_element(array));
    auto *data = static_cast<const char *>(arrt_array_data(array));
    return elementText(arrt_array_element(array), data + next++ * bytes);
  }
  std::string text = "[";
  for (int64_t i = 0; i < arrt_array_size(array, dim); ++i)
    text += (i ? ", " : "") + values(array, dim + 1, next);
  return text + "]";
}

} // namespace

std::string arrt::summarize(arrt_context *ctx, const arrt_param &param,
                            const arrt_array *array) {
  int64_t sizes[ARRT_MAX_RANK];
  for (int32_t d = 0; d < arrt_array_rank(array); ++d)
    sizes[d] = arrt_array_size(array, d);
  std::string text =
      std::string(param.name) + ": " +
      shapeText(arrt_array_element(array), arrt_array_rank(array), sizes);
  int64_t count = arrt_array_count(array), next = 0;
  // An empty array may still have 2^62 empty rows.
  if (count == 0)
    return text + " []";
  if (count <= few)
    return text + " " + values(array, 0, next);
  return text + dispatch(arrt_array_element(array), Statistics{ctx, array});
}

std::string arrt::summarize(const arrt_param &param, const void *scalar) {
  return std::string(param.name) + ": " + arrt_element_name(param.element) +
         " " + elementText(param.element, scalar);
}
