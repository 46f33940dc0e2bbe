//===- Context.cpp - making and ending a context --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPU/Device.h"
#include "CPU/Executor.h"
#include "Core/Array.h"
#include "Core/Devices.h"
#include "Core/Recording.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

using namespace arrt;

/// The value of an environment variable as a positive number, with K, M, G for
/// powers of 1024; 0 if it is missing or no such number.
static int64_t environmentNumber(const char *name) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return 0;
  char *end = nullptr;
  long long value = std::strtoll(text, &end, 10);
  int shift = 0;
  switch (*end) {
  case 'G':
    shift += 10;
    [[fallthrough]];
  case 'M':
    shift += 10;
    [[fallthrough]];
  case 'K':
    shift += 10;
    ++end;
  }
  if (*end || value <= 0 || value > INT64_MAX >> shift)
    return 0;
  return int64_t(value) << shift;
}

/// True if a flag is set or its variable has this value.
static bool hasFlag(const arrt_options *options, uint32_t flag,
                    const char *variable, const char *value) {
  const char *text = std::getenv(variable);
  return (options && options->flags & flag) ||
         (text && !std::strcmp(text, value));
}

namespace {
/// The contexts that live. Never destroyed: a program may end while others
/// still run.
struct Contexts {
  std::mutex mutex;
  std::unordered_set<arrt_context *> all;
  static Contexts &get() {
    static auto *contexts = new Contexts;
    return *contexts;
  }
};
} // namespace

arrt_context::arrt_context() {
  std::lock_guard<std::mutex> lock(Contexts::get().mutex);
  Contexts::get().all.insert(this);
}

arrt_context::~arrt_context() {
  std::lock_guard<std::mutex> lock(Contexts::get().mutex);
  Contexts::get().all.erase(this);
}

bool arrt::anyContext(const std::function<bool(arrt_context *)> &is) {
  std::lock_guard<std::mutex> lock(Contexts::get().mutex);
  for (arrt_context *context : Contexts::get().all)
    if (is(context))
      return true;
  return false;
}

/// Threads of each of the processes on a machine, which need not know that they
/// share its cores.
static int64_t shareCores(const Ranks &ranks) {
  int64_t usable = Executor::usableCores(), count = ranks.countOnHost();
  int64_t whole = std::max<int64_t>(::sysconf(_SC_NPROCESSORS_ONLN), 1);
  return usable * count <= whole ? usable : std::max<int64_t>(whole / count, 1);
}

arrt_context *arrt_context_create(const arrt_options *options) {
  auto *ctx = new (std::nothrow) arrt_context;
  if (!ctx)
    return nullptr;
  int64_t threads = options && options->threads > 0
                        ? options->threads
                        : environmentNumber("ARRC_THREADS");
  int64_t limit = options && options->memory_limit > 0
                      ? options->memory_limit
                      : environmentNumber("ARRC_MEMORY");
  ctx->inHalves = hasFlag(options, ARRT_OPTION_HALVES, "ARRC_HALVES", "1");
  ctx->isDebug = hasFlag(options, ARRT_OPTION_NO_POOL, "ARRC_POOL", "off");
  ctx->takesDevicePointers =
      options && (options->flags & ARRT_OPTION_DEVICE_POINTERS);
  std::string error;
  bool inRanks = options && (options->flags & ARRT_OPTION_RANKS);
  if (inRanks)
    ctx->ranks = Ranks::get(error);
  if (ctx->ranks && ctx->ranks->count() == 1)
    ctx->ranks = nullptr;
  if (ctx->ranks && !threads)
    threads = shareCores(*ctx->ranks);
  ctx->host = makeCPUDevice(threads);
  ctx->hostPool = std::make_unique<Pool>(*ctx->host, limit, ctx->isDebug);
  ctx->workerMemory.resize(ctx->host->workers());
  ctx->device = ctx->host.get();
  ctx->pool = ctx->hostPool.get();
  if (!options)
    return ctx;
  if (!error.empty()) {
    arrt_fail(ctx, ARRT_STATUS_DEVICE, "error: %s", error.c_str());
    return ctx;
  }
  int64_t parts =
      options->parts > 0 ? options->parts : environmentNumber("ARRC_PARTS");
  if (options->target == ARRT_TARGET_CPU && parts <= 1 && !options->devices &&
      !ctx->ranks)
    return ctx;
  ctx->accelerator = ctx->ranks ? makeDevices(*options, parts, ctx->host.get(),
                                              *ctx->ranks, error)
                     : parts > 1 || options->devices
                         ? makeDevices(*options, parts, ctx->host.get(), error)
                         : makeDevice(options->target, options->device, error);
  if (!ctx->accelerator) {
    // That of a process which knows the reason comes before.
    ctx->failureKey = error.empty();
    arrt_fail(ctx, ARRT_STATUS_DEVICE, "error: %s", error.c_str());
    return ctx;
  }
  ctx->acceleratorPool =
      std::make_unique<Pool>(*ctx->accelerator, limit, ctx->isDebug);
  ctx->accelerator->setCores(ctx->host.get());
  ctx->target = options->target;
  ctx->device = ctx->accelerator.get();
  ctx->pool = ctx->acceleratorPool.get();
  return ctx;
}

arrt_context *arrt_context_create_on(const arrt_options *options,
                                     void *stream) {
  arrt_context *ctx = arrt_context_create(options);
  if (!ctx || ctx->status)
    return ctx;
  if (!stream || !ctx->device->useStream(stream))
    arrt_fail(ctx, ARRT_STATUS_USAGE, "error: %s",
              stream ? "only contexts on CUDA have streams"
                     : "the stream of the context is null");
  return ctx;
}

void arrt_context_destroy(arrt_context *ctx) {
  if (!ctx)
    return;
  ctx->device->synchronize();
  while (!ctx->recordings.empty())
    arrt_recording_release(ctx->recordings.back().get());
  releaseHandles(ctx, 0);
  ctx->loaded.clear();
  ctx->deviceRecord.release(*ctx->device);
  ctx->deviceCounter.release(*ctx->device);
  ctx->resultSlots.release(*ctx->device);
  for (WorkerMemory &memory : ctx->workerMemory)
    memory.clear(*ctx->host);
  ctx->acceleratorPool.reset();
  ctx->hostPool.reset();
  delete ctx;
}

const char *arrt_context_device(const arrt_context *ctx) {
  return ctx->device->name();
}

const char *arrt_context_traffic(arrt_context *ctx) {
  ctx->trafficText = ctx->device->traffic();
  return ctx->trafficText.c_str();
}

int32_t arrt_context_rank(const arrt_context *ctx, int32_t *count) {
  if (count)
    *count = ctx->ranks ? ctx->ranks->count() : 1;
  return ctx->ranks ? ctx->ranks->rank() : 0;
}

void arrt_ranks_finish() { Ranks::finish(); }

int64_t arrt_memory_in_use(const arrt_context *ctx) {
  return ctx->pool->inUse();
}

int64_t arrt_memory_peak(const arrt_context *ctx) { return ctx->pool->peak(); }

int64_t arrt_memory_rounded(const arrt_context *ctx, int64_t bytes) {
  return ctx->pool->rounded(bytes);
}

void arrt_memory_trim(arrt_context *ctx) { ctx->pool->trim(); }

//===----------------------------------------------------------------------===//
// Parallel runs and the memory of tasks
//===----------------------------------------------------------------------===//

void arrt_parallel(arrt_context *ctx, arrt_task_fn fn, void *env, int64_t tasks,
                   int64_t grain) {
  if (ctx->recording && tasks > 0) {
    ctx->pendingStatus = ctx->recording->refuse("a parallel run of the host");
    return;
  }
  ctx->host->parallel(fn, env, tasks, grain);
}

int64_t arrt_workers(arrt_context *ctx) { return ctx->host->workers(); }

void *arrt_task_alloc(arrt_context *ctx, int64_t worker, int64_t bytes,
                      int32_t site) {
  // Without the pool every block is an allocation of its own, to be watched.
  void *data = nullptr;
  if (ctx->isDebug)
    data = ctx->hostPool->allocate(bytes, ctx->frame);
  else if (bytes >= 0)
    data =
        ctx->workerMemory[worker].allocate(*ctx->hostPool, *ctx->host, bytes);
  if (!data)
    failMemory(ctx, bytes, site, nullptr, ctx->hostPool.get());
  return data;
}

void arrt_task_free(arrt_context *ctx, int64_t worker, void *data) {
  if (ctx->isDebug)
    ctx->hostPool->release(data);
  else
    ctx->workerMemory[worker].release(data);
}
