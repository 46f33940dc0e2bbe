//===- cpu.cpp - Limits of the memory and loops by hand, on a CPU ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The limits that bench/cpu.py holds times against, and what one writes by hand
// for the same work: OpenMP threads over the outer loop, SIMD in the inner one,
// everything fused into one pass. Built by
//
//   g++ -O3 -march=native -fopenmp -ffast-math -shared -fPIC
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <omp.h>
#include <vector>
#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

using Size = int64_t;

namespace {

constexpr Size kBlock = 16384;

/// Past the caches where there is such a store; `to` is a multiple of 64 bytes.
inline void stream(float *to, const float *from) {
#if defined(__AVX512F__)
  _mm512_stream_ps(to, _mm512_loadu_ps(from));
#elif defined(__AVX2__)
  _mm256_stream_ps(to, _mm256_loadu_ps(from));
  _mm256_stream_ps(to + 8, _mm256_loadu_ps(from + 8));
#else
  std::memcpy(to, from, 64);
#endif
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Limits. Sizes are multiples of 64. Dealt: threads that wake late leave blocks
// to others, and lines are asked for a page ahead.
//===----------------------------------------------------------------------===//

void limit_read(Size n, const float *__restrict x, float *__restrict r) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (Size b = 0; b < n; b += kBlock) {
    float part[64] = {};
    Size end = std::min(b + kBlock, n);
    for (Size i = b; i < end; i += 64)
#pragma omp simd
      for (int k = 0; k < 64; ++k)
        part[k] += x[i + k];
    for (float each : part)
      s += each;
  }
  *r = s;
}

void limit_read_dealt(Size n, const float *__restrict x, float *__restrict r) {
  float s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 8)
  for (Size b = 0; b < n; b += kBlock) {
    float part[64] = {};
    Size end = std::min(b + kBlock, n);
    for (Size i = b; i < end; i += 64) {
      for (int k = 0; k < 64; k += 16)
        __builtin_prefetch(x + i + k + 1024, 0, 2);
#pragma omp simd
      for (int k = 0; k < 64; ++k)
        part[k] += x[i + k];
    }
    for (float each : part)
      s += each;
  }
  *r = s;
}

void limit_triad(Size n, const float *__restrict x, const float *__restrict y,
                 float *__restrict r) {
#pragma omp parallel for simd
  for (Size i = 0; i < n; ++i)
    r[i] = 1.5f * x[i] + y[i];
}

void limit_triad_past(Size n, const float *__restrict x,
                      const float *__restrict y, float *__restrict r) {
#pragma omp parallel for
  for (Size i = 0; i < n; i += 16) {
    float v[16];
#pragma omp simd
    for (int k = 0; k < 16; ++k)
      v[k] = 1.5f * x[i + k] + y[i + k];
    stream(r + i, v);
  }
}

void limit_triad_dealt(Size n, const float *__restrict x,
                       const float *__restrict y, float *__restrict r) {
#pragma omp parallel for schedule(dynamic, 4096)
  for (Size i = 0; i < n; i += 16) {
    __builtin_prefetch(x + i + 1024, 0, 2);
    __builtin_prefetch(y + i + 1024, 0, 2);
    float v[16];
#pragma omp simd
    for (int k = 0; k < 16; ++k)
      v[k] = 1.5f * x[i + k] + y[i + k];
    stream(r + i, v);
  }
}

//===----------------------------------------------------------------------===//
// Folds of everything
//===----------------------------------------------------------------------===//

void sum_all(Size n, const float *__restrict x, float *__restrict r) {
  float s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Size i = 0; i < n; ++i)
    s += x[i];
  *r = s;
}

void max_all(Size n, const float *__restrict x, float *__restrict r) {
  float s = -std::numeric_limits<float>::max();
#pragma omp parallel for simd reduction(max : s)
  for (Size i = 0; i < n; ++i)
    s = x[i] > s ? x[i] : s;
  *r = s;
}

void dot(Size n, const float *__restrict x, const float *__restrict y,
         float *__restrict r) {
  float s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Size i = 0; i < n; ++i)
    s += x[i] * y[i];
  *r = s;
}

void mean_variance(Size n, const float *__restrict x, float *__restrict r) {
  float s = 0, q = 0;
#pragma omp parallel for simd reduction(+ : s, q)
  for (Size i = 0; i < n; ++i) {
    s += x[i];
    q += x[i] * x[i];
  }
  float mean = s / n;
  r[0] = mean;
  r[1] = q / n - mean * mean;
}

//===----------------------------------------------------------------------===//
// Folds of axes
//===----------------------------------------------------------------------===//

void sum_rows(Size n, Size m, const float *__restrict a, float *__restrict r) {
#pragma omp parallel for
  for (Size i = 0; i < n; ++i) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (Size j = 0; j < m; ++j)
      s += a[i * m + j];
    r[i] = s;
  }
}

// Row after row into one array of sums a thread: along the columns every read
// would be a cache line of its own.
void sum_columns(Size n, Size m, const float *__restrict a,
                 float *__restrict r) {
  if (n < 256) { // few rows: threads over the columns
    constexpr Size tile = 4096;
#pragma omp parallel for
    for (Size b = 0; b < m; b += tile) {
      Size end = std::min(b + tile, m);
      std::fill(r + b, r + end, 0.0f);
      for (Size i = 0; i < n; ++i)
#pragma omp simd
        for (Size j = b; j < end; ++j)
          r[j] += a[i * m + j];
    }
    return;
  }
  std::fill(r, r + m, 0.0f);
#pragma omp parallel
  {
    std::vector<float> mine(m, 0.0f);
    float *s = mine.data();
#pragma omp for
    for (Size i = 0; i < n; ++i)
#pragma omp simd
      for (Size j = 0; j < m; ++j)
        s[j] += a[i * m + j];
#pragma omp critical
    for (Size j = 0; j < m; ++j)
      r[j] += s[j];
  }
}

// a[o, n, m] over its middle dimension.
void sum_middle(Size o, Size n, Size m, const float *__restrict a,
                float *__restrict r) {
#pragma omp parallel for
  for (Size k = 0; k < o; ++k) {
    float *s = r + k * m;
    std::fill(s, s + m, 0.0f);
    for (Size i = 0; i < n; ++i)
#pragma omp simd
      for (Size j = 0; j < m; ++j)
        s[j] += a[(k * n + i) * m + j];
  }
}

void softmax(Size n, Size m, const float *__restrict a, float *__restrict r) {
#pragma omp parallel for
  for (Size i = 0; i < n; ++i) {
    const float *x = a + i * m;
    float *y = r + i * m, top = -std::numeric_limits<float>::max(), s = 0;
#pragma omp simd reduction(max : top)
    for (Size j = 0; j < m; ++j)
      top = x[j] > top ? x[j] : top;
#pragma omp simd reduction(+ : s)
    for (Size j = 0; j < m; ++j) {
      y[j] = expf(x[j] - top);
      s += y[j];
    }
    float scale = 1 / s;
#pragma omp simd
    for (Size j = 0; j < m; ++j)
      y[j] *= scale;
  }
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

// Sums of blocks, a scan of them, then each block from where it starts.
void scan_all(Size n, const float *__restrict x, float *__restrict r) {
  Size blocks = (n + kBlock - 1) / kBlock;
  std::vector<float> start(blocks + 1, 0.0f);
#pragma omp parallel for
  for (Size b = 0; b < blocks; ++b) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (Size i = b * kBlock; i < std::min((b + 1) * kBlock, n); ++i)
      s += x[i];
    start[b + 1] = s;
  }
  for (Size b = 0; b < blocks; ++b)
    start[b + 1] += start[b];
#pragma omp parallel for
  for (Size b = 0; b < blocks; ++b) {
    float s = start[b];
    for (Size i = b * kBlock; i < std::min((b + 1) * kBlock, n); ++i)
      r[i] = s += x[i];
  }
}

void scan_rows(Size n, Size m, const float *__restrict a, float *__restrict r) {
#pragma omp parallel for
  for (Size i = 0; i < n; ++i) {
    float s = 0;
    for (Size j = 0; j < m; ++j)
      r[i * m + j] = s += a[i * m + j];
  }
}

void scan_columns(Size n, Size m, const float *__restrict a,
                  float *__restrict r) {
  constexpr Size tile = 1024;
#pragma omp parallel for
  for (Size b = 0; b < m; b += tile) {
    Size end = std::min(b + tile, m);
    float s[tile] = {};
    for (Size i = 0; i < n; ++i)
#pragma omp simd
      for (Size j = b; j < end; ++j)
        r[i * m + j] = s[j - b] += a[i * m + j];
  }
}

void histogram(Size n, const int32_t *__restrict x, int32_t *__restrict r) {
  std::fill(r, r + 256, 0);
#pragma omp parallel
  {
    int32_t mine[256] = {};
#pragma omp for
    for (Size i = 0; i < n; ++i)
      ++mine[x[i] & 255];
#pragma omp critical
    for (int k = 0; k < 256; ++k)
      r[k] += mine[k];
  }
}

//===----------------------------------------------------------------------===//
// Time loops; the result is in `r`, `t` is as large
//===----------------------------------------------------------------------===//

// Five points with weights of 0.2, edges repeated.
void jacobi(Size n, Size m, Size steps, const float *__restrict a,
            float *__restrict r, float *__restrict t) {
  const float *from = a;
  for (Size step = 0; step < steps; ++step) {
    float *to = (steps - step) % 2 ? r : t;
    const float *f = from;
#pragma omp parallel for
    for (Size i = 0; i < n; ++i) {
      const float *mid = f + i * m;
      const float *up = f + std::max<Size>(i - 1, 0) * m;
      const float *down = f + std::min<Size>(i + 1, n - 1) * m;
      float *__restrict out = to + i * m;
      out[0] = 0.2f * (mid[0] + up[0] + down[0] + mid[0] + mid[1]);
#pragma omp simd
      for (Size j = 1; j < m - 1; ++j)
        out[j] = 0.2f * (mid[j] + up[j] + down[j] + mid[j - 1] + mid[j + 1]);
      out[m - 1] = 0.2f * (mid[m - 1] + up[m - 1] + down[m - 1] + mid[m - 2] +
                           mid[m - 1]);
    }
    from = to;
  }
}

// Four points, with the largest change of each step.
void heat(Size n, Size m, Size steps, float tolerance,
          const float *__restrict a, float *__restrict r, float *__restrict t) {
  const float *from = a;
  float error = std::numeric_limits<float>::max();
  for (Size step = 0; step < steps && error > tolerance; ++step) {
    float *to = (steps - step) % 2 ? r : t;
    const float *f = from;
    error = 0;
#pragma omp parallel for reduction(max : error)
    for (Size i = 0; i < n; ++i) {
      const float *mid = f + i * m;
      const float *up = f + std::max<Size>(i - 1, 0) * m;
      const float *down = f + std::min<Size>(i + 1, n - 1) * m;
      float *__restrict out = to + i * m;
      float most = 0;
      auto cell = [&](Size j, Size west, Size east) {
        float v = 0.25f * (up[j] + down[j] + mid[west] + mid[east]);
        out[j] = v;
        return std::fabs(v - mid[j]);
      };
      most = std::max(cell(0, 0, 1), cell(m - 1, m - 2, m - 1));
#pragma omp simd reduction(max : most)
      for (Size j = 1; j < m - 1; ++j) {
        float v = 0.25f * (up[j] + down[j] + mid[j - 1] + mid[j + 1]);
        out[j] = v;
        most = std::max(most, std::fabs(v - mid[j]));
      }
      error = std::max(error, most);
    }
    from = to;
  }
  if (from != r) // it converged early
    std::copy(from, from + n * m, r);
}

// One step of D2Q9 on f[9, n, m], periodic, with bounce-back walls: pull,
// collide, store, all in one loop.
static void lattice(Size n, Size m, const float *__restrict f,
                    const uint8_t *__restrict wall, float *__restrict g,
                    float tau) {
  constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}; // rows
  const Size plane = n * m;
  const float rate = 1 / tau;
#pragma omp parallel for
  for (Size i = 0; i < n; ++i) {
    auto row = [&](int q) { return f + q * plane + (i - cx[q] + n) % n * m; };
    const float *__restrict f0 = row(0), *__restrict f1 = row(1),
                            *__restrict f2 = row(2), *__restrict f3 = row(3),
                            *__restrict f4 = row(4), *__restrict f5 = row(5),
                            *__restrict f6 = row(6), *__restrict f7 = row(7),
                            *__restrict f8 = row(8);
    float *__restrict g0 = g + i * m, *__restrict g1 = g0 + plane,
                      *__restrict g2 = g1 + plane, *__restrict g3 = g2 + plane,
                      *__restrict g4 = g3 + plane, *__restrict g5 = g4 + plane,
                      *__restrict g6 = g5 + plane, *__restrict g7 = g6 + plane,
                      *__restrict g8 = g7 + plane;
    const uint8_t *__restrict blocked = wall + i * m;
// A macro: through a function's references nothing is vectorised.
#define RELAX(p, weight, u)                                                    \
  ((p) - ((p) - (weight) * (base + 3 * (u) + 4.5f * (u) * (u))) * rate)
#define CELL(j, west, east)                                                    \
  {                                                                            \
    float p0 = f0[j], p1 = f1[j], p2 = f2[west], p3 = f3[j], p4 = f4[east],    \
          p5 = f5[west], p6 = f6[west], p7 = f7[east], p8 = f8[east];          \
    float rho = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8, over = 1 / rho;    \
    float ux = (p1 - p3 + p5 - p6 - p7 + p8) * over;                           \
    float uy = (p2 - p4 + p5 + p6 - p7 - p8) * over;                           \
    float base = 1 - 1.5f * (ux * ux + uy * uy);                               \
    float side = rho * (1.0f / 9), edge = rho * (1.0f / 36);                   \
    bool solid = blocked[j] != 0;                                              \
    g0[j] = solid ? p0 : p0 - (p0 - rho * (4.0f / 9) * base) * rate;           \
    g1[j] = solid ? p3 : RELAX(p1, side, ux);                                  \
    g2[j] = solid ? p4 : RELAX(p2, side, uy);                                  \
    g3[j] = solid ? p1 : RELAX(p3, side, -ux);                                 \
    g4[j] = solid ? p2 : RELAX(p4, side, -uy);                                 \
    g5[j] = solid ? p7 : RELAX(p5, edge, ux + uy);                             \
    g6[j] = solid ? p8 : RELAX(p6, edge, uy - ux);                             \
    g7[j] = solid ? p5 : RELAX(p7, edge, -ux - uy);                            \
    g8[j] = solid ? p6 : RELAX(p8, edge, ux - uy);                             \
  }
    CELL(0, m - 1, 1)
#pragma omp simd
    for (Size j = 1; j < m - 1; ++j)
      CELL(j, j - 1, j + 1)
    CELL(m - 1, m - 2, 0)
#undef CELL
#undef RELAX
  }
}

void lbm(Size n, Size m, Size steps, float tau, const float *f,
         const uint8_t *wall, float *r, float *t) {
  const float *from = f;
  for (Size step = 0; step < steps; ++step) {
    float *to = (steps - step) % 2 ? r : t;
    lattice(n, m, from, wall, to, tau);
    from = to;
  }
}

} // extern "C"
