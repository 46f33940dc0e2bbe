// Hand-written CUDA for bench/device.py: copies and sums that set the roofs, and
// the maps that arrc is compared with. Every entry returns a cudaError_t and takes
// the stream last; sizes are multiples of 4.
#include <cstddef>
#include <cuda_runtime.h>

#define API extern "C" int
typedef cudaStream_t Stream;

static unsigned blocks(size_t n) { return (unsigned)((n / 4 + 255) / 256); }

__global__ void __launch_bounds__(256)
    copy_k(const float4 *__restrict__ a, float4 *__restrict__ b, size_t n4) {
  size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
  if (i < n4)
    b[i] = a[i];
}
API copy_hand(const float *a, float *b, size_t n, Stream s) {
  copy_k<<<blocks(n), 256, 0, s>>>((const float4 *)a, (float4 *)b, n / 4);
  return (int)cudaGetLastError();
}
API copy_memcpy(const float *a, float *b, size_t n, Stream s) {
  return (int)cudaMemcpyAsync(b, a, 4 * n, cudaMemcpyDeviceToDevice, s);
}

// A sum that only reads: each block a span of its own, or a stride of the grid;
// one atomic addition a block.
template <bool SPAN>
__global__ void __launch_bounds__(256)
    sum_k(const float4 *__restrict__ a, float *out, size_t n4) {
  size_t step = SPAN ? 256 : (size_t)gridDim.x * 256;
  size_t share = (n4 + gridDim.x - 1) / gridDim.x;
  size_t begin = SPAN ? blockIdx.x * share + threadIdx.x
                      : (size_t)blockIdx.x * 256 + threadIdx.x;
  size_t end = SPAN && (blockIdx.x + 1) * share < n4 ? (blockIdx.x + 1) * share : n4;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t i = begin;
  for (; i + 3 * step < end; i += 4 * step) {
    float4 p = a[i], q = a[i + step], r = a[i + 2 * step], t = a[i + 3 * step];
    s0 += (p.x + p.y) + (p.z + p.w);
    s1 += (q.x + q.y) + (q.z + q.w);
    s2 += (r.x + r.y) + (r.z + r.w);
    s3 += (t.x + t.y) + (t.z + t.w);
  }
  for (; i < end; i += step) {
    float4 p = a[i];
    s0 += (p.x + p.y) + (p.z + p.w);
  }
  float s = (s0 + s1) + (s2 + s3);
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      s += warps[w];
    atomicAdd(out, s);
  }
}
API sum_hand(const float *a, float *out, size_t n, int span, Stream s) {
  cudaMemsetAsync(out, 0, 4, s);
  if (span)
    sum_k<true><<<132 * 16, 256, 0, s>>>((const float4 *)a, out, n / 4);
  else
    sum_k<false><<<132 * 8, 256, 0, s>>>((const float4 *)a, out, n / 4);
  return (int)cudaGetLastError();
}

__global__ void __launch_bounds__(256)
    saxpy_k(float a, const float4 *__restrict__ x, const float4 *__restrict__ y,
            float4 *__restrict__ z, size_t n4) {
  size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= n4)
    return;
  float4 p = x[i], q = y[i];
  z[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
API saxpy_hand(float a, const float *x, const float *y, float *z, size_t n, Stream s) {
  saxpy_k<<<blocks(n), 256, 0, s>>>(a, (const float4 *)x, (const float4 *)y, (float4 *)z,
                                    n / 4);
  return (int)cudaGetLastError();
}

__device__ __forceinline__ float chain1(float x, float y) {
  float a = fmaxf(fminf((x + y) * 0.9f, 0.8f), -0.7f);
  float b = fmaxf(fminf((a + x) * 1.1f, 0.7f), -0.6f);
  float c = fmaxf(fminf((b + y) * 0.8f, y), -0.5f);
  float d = fmaxf(fminf((c + x) * 1.2f, 0.6f), x);
  return fmaxf(fminf((d + y) * 0.7f, 0.5f), -0.4f);
}
__global__ void __launch_bounds__(256)
    chain_k(const float4 *__restrict__ x, const float4 *__restrict__ y,
            float4 *__restrict__ z, size_t n4) {
  size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= n4)
    return;
  float4 p = x[i], q = y[i];
  z[i] = make_float4(chain1(p.x, q.x), chain1(p.y, q.y), chain1(p.z, q.z),
                     chain1(p.w, q.w));
}
API chain_hand(const float *x, const float *y, float *z, size_t n, Stream s) {
  chain_k<<<blocks(n), 256, 0, s>>>((const float4 *)x, (const float4 *)y, (float4 *)z,
                                    n / 4);
  return (int)cudaGetLastError();
}
