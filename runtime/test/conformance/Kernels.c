/*===- Kernels.c - the kernels of the conformance suite --------------------===*/
/*
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled once, by make_kernels.sh, to PTX and to SPIR-V; the results are kept
 * beside this file, so that the tests need no compiler for devices. What they
 * do on the host is in test/stub/Kernels.cpp.
 */
typedef long i64;
typedef unsigned long u64;
typedef unsigned u32;

#ifdef __NVPTX__
#define KERNEL __attribute__((device_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define LOCAL_ARGUMENT
#define BLOCK(d) __nvvm_read_ptx_sreg_ctaid_##d()
#define BLOCKS(d) __nvvm_read_ptx_sreg_nctaid_##d()
#define THREAD(d) __nvvm_read_ptx_sreg_tid_##d()
#define THREADS(d) __nvvm_read_ptx_sreg_ntid_##d()
#define BARRIER() __nvvm_barrier_sync(0)
extern LOCAL int tile[];
#else
#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_ARGUMENT , LOCAL int *tile
enum { x, y, z };
#define BLOCK(d) get_group_id(d)
#define BLOCKS(d) get_num_groups(d)
#define THREAD(d) get_local_id(d)
#define THREADS(d) get_local_size(d)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* out += a * in, for n elements. */
KERNEL axpy(GLOBAL float *out, GLOBAL const float *in, float a, i64 n) {
  i64 i = (i64)BLOCK(x) * THREADS(x) + THREAD(x);
  if (i < n)
    out[i] = out[i] + a * in[i];
}

/* Each block turns its elements round, through dynamic work-group memory. */
KERNEL turn(GLOBAL int *out, GLOBAL const int *in LOCAL_ARGUMENT) {
  i64 first = (i64)BLOCK(x) * THREADS(x);
  tile[THREAD(x)] = in[first + THREAD(x)];
  BARRIER();
  out[first + THREAD(x)] = tile[THREADS(x) - 1 - THREAD(x)];
}

/* Scalars of every size, as they arrive. */
KERNEL scalars(GLOBAL i64 *out, signed char a, short b, int c, i64 d) {
  if (THREAD(x) == 0 && BLOCK(x) == 0) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  }
}

/* Every thread of a grid of three dimensions marks its element. */
KERNEL grid(GLOBAL int *out) {
  i64 i = (i64)BLOCK(x) * THREADS(x) + THREAD(x);
  i64 j = (i64)BLOCK(y) * THREADS(y) + THREAD(y);
  i64 k = (i64)BLOCK(z) * THREADS(z) + THREAD(z);
  i64 width = (i64)BLOCKS(x) * THREADS(x), height = (i64)BLOCKS(y) * THREADS(y);
  out[(k * height + j) * width + i] += (int)(100 * k + 10 * j + i);
}

static u64 least(GLOBAL u64 *at, u64 value) {
  return __scoped_atomic_fetch_min(at, value, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}
static u32 count(GLOBAL u32 *at) {
  return __scoped_atomic_fetch_add(at, 1u, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}

/* Checks that fail, as ARRT_RECORD in EntryPoints.def says: every third of n
 * iterations at site `site` or, where odd, the one before. */
KERNEL fails(GLOBAL char *record, int site, i64 n) {
  i64 i = (i64)BLOCK(x) * THREADS(x) + THREAD(x);
  if (i >= n || i % 3 != 1)
    return;
  u64 mine = (u64)(site - (i & 1)) << 40 | (u64)i;
  if (mine >= least((GLOBAL u64 *)record, mine))
    return;
  u32 slot = count((GLOBAL u32 *)(record + 8)) % 1024;
  GLOBAL u64 *at = (GLOBAL u64 *)(record + 64 + 64 * (u64)slot);
  at[0] = mine;
  at[1] = (u64)i;
  at[2] = (u64)n;
}

/* Blocks of two parallel dimensions, as the compiler's kernels count them: the
 * block's number is divided by the extents, and offsets are added. Each adds
 * one to its element of a matrix with `columns` columns. */
#define BLOCKS_OF(name, index)                                                 \
  KERNEL name(GLOBAL int *out, i64 columns, index rowOffset, index rowExtent,  \
              index columnOffset, index columnExtent) {                        \
    index block = (index)BLOCK(y) * (index)BLOCKS(x) + (index)BLOCK(x);        \
    if (THREAD(x) || block >= rowExtent * columnExtent)                        \
      return;                                                                  \
    index i = rowOffset + block / columnExtent;                                \
    index j = columnOffset + block % columnExtent;                             \
    out[i * columns + j] += 1;                                                 \
  }
BLOCKS_OF(blocks32, int)
BLOCKS_OF(blocks64, i64)

/* A step of a loop: value[0] += 1 and, at the limit, the condition is false. */
KERNEL step(GLOBAL int *value, GLOBAL char *condition, int limit) {
  if (THREAD(x) || BLOCK(x))
    return;
  value[0] += 1;
  condition[0] = value[0] < limit;
}

/* What a launch costs: one array and forty. */
KERNEL one(GLOBAL int *a0) {
  if (THREAD(x) == 0 && BLOCK(x) == 0)
    a0[0] += 1;
}
#define TEN(n)                                                                 \
  GLOBAL int *a##n##0, GLOBAL int *a##n##1, GLOBAL int *a##n##2,               \
      GLOBAL int *a##n##3, GLOBAL int *a##n##4, GLOBAL int *a##n##5,           \
      GLOBAL int *a##n##6, GLOBAL int *a##n##7, GLOBAL int *a##n##8,           \
      GLOBAL int *a##n##9
KERNEL forty(TEN(0), TEN(1), TEN(2), TEN(3)) {
  if (THREAD(x) == 0 && BLOCK(x) == 0)
    a00[0] += a39[0];
}
