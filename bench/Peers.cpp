//===- Peers.cpp - The loops of the comparison, in C++ --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What one writes by hand: OpenMP threads over the outer loop, SIMD in the
// inner one. Built by g++ with -O3 -march=native -fopenmp -ffast-math.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>

extern "C" {

void peer_saxpy(int64_t n, float a, const float *__restrict x,
                const float *__restrict y, float *__restrict r) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < n; ++i)
    r[i] = a * x[i] + y[i];
}

void peer_chain(int64_t n, const float *__restrict x, const float *__restrict y,
                float *__restrict r) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < n; ++i) {
    float p = std::fabs((x[i] + y[i]) * x[i] - y[i]);
    float q = std::min(std::max(p, 0.25f), 4.0f);
    r[i] = std::sqrt(q) * 0.5f + x[i];
  }
}

float peer_total(int64_t n, const float *__restrict x) {
  float s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (int64_t i = 0; i < n; ++i)
    s += x[i];
  return s;
}

void peer_rows(int64_t n, int64_t m, const float *__restrict a,
               float *__restrict r) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t j = 0; j < m; ++j)
      s += a[i * m + j];
    r[i] = s;
  }
}

// Row after row into one array of sums a thread: along the columns every read
// would be a cache line of its own.
void peer_columns(int64_t n, int64_t m, const float *__restrict a,
                  float *__restrict r) {
  std::fill(r, r + m, 0.0f);
#pragma omp parallel for reduction(+ : r[ : m])
  for (int64_t i = 0; i < n; ++i) {
#pragma omp simd
    for (int64_t j = 0; j < m; ++j)
      r[j] += a[i * m + j];
  }
}

void peer_blur(int64_t n, int64_t m, const float *__restrict a,
               float *__restrict r) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    const float *mid = a + i * m;
    const float *up = a + std::max<int64_t>(i - 1, 0) * m;
    const float *down = a + std::min<int64_t>(i + 1, n - 1) * m;
    float *out = r + i * m;
    out[0] = 0.2f * (mid[0] + up[0] + down[0] + mid[0] + mid[1]);
#pragma omp simd
    for (int64_t j = 1; j < m - 1; ++j)
      out[j] = 0.2f * (mid[j] + up[j] + down[j] + mid[j - 1] + mid[j + 1]);
    out[m - 1] =
        0.2f * (mid[m - 1] + up[m - 1] + down[m - 1] + mid[m - 2] + mid[m - 1]);
  }
}

} // extern "C"
