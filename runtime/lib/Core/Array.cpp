//===- Array.cpp - counted arrays and raw blocks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Array.h"
#include "Core/Observe.h"
#include "Core/Recording.h"

#include <cstring>
#include <new>

using namespace arrt;

bool arrt::byteCount(int32_t element, int32_t rank, const int64_t *sizes,
                     int64_t &bytes) {
  int64_t total = arrt_element_bytes(element);
  bool empty = false;
  for (int32_t d = 0; d < rank; ++d) {
    if (sizes[d] < 0)
      return false;
    // A zero makes everything empty, whatever overflows beside it.
    if (sizes[d] == 0)
      empty = true;
    else if (!empty && __builtin_mul_overflow(total, sizes[d], &total))
      total = -1, empty = false;
    if (total < 0) {
      for (int32_t e = d + 1; e < rank; ++e)
        if (sizes[e] < 0)
          return false;
        else if (sizes[e] == 0)
          empty = true;
      if (!empty)
        return false;
      break;
    }
  }
  bytes = empty ? 0 : total;
  return true;
}

std::string arrt::shapeText(int32_t element, int32_t rank,
                            const int64_t *sizes) {
  const char *name = arrt_element_name(element);
  std::string text = name ? name : "?";
  for (int32_t d = 0; d < rank; ++d)
    text += (d ? ", " : "[") + std::to_string(sizes[d]);
  return rank ? text + "]" : text;
}

/// A handle without data, known to the context; null if the element type, the
/// rank or a size is wrong (a fault of the caller, reported as such). Gives the
/// bytes of its elements.
static arrt_array *makeHandle(arrt_context *ctx, bool onHost, int32_t element,
                              int32_t rank, const int64_t *sizes,
                              int64_t &bytes) {
  if (!arrt_element_name(element) || rank < 0 || rank > ARRT_MAX_RANK ||
      (rank > 0 && !sizes)) {
    arrt_fail(ctx, ARRT_STATUS_INTERNAL,
              "error: an array with element type number %d and rank %d was "
              "asked for%s",
              element, rank, rank > 0 && !sizes ? " without its sizes" : "");
    return nullptr;
  }
  if (!byteCount(element, rank, sizes, bytes)) {
    arrt_fail(
        ctx, ARRT_STATUS_INTERNAL,
        "error: there is no array %s: its sizes are negative or too large",
        shapeText(element, rank, sizes).c_str());
    return nullptr;
  }
  auto *array = new (std::nothrow) arrt_array;
  if (!array) {
    failMemory(ctx, sizeof(arrt_array), -1);
    return nullptr;
  }
  array->element = element;
  array->rank = rank;
  for (int32_t d = 0; d < rank; ++d)
    array->sizes[d] = sizes[d];
  array->device = onHost ? ctx->host.get() : ctx->device;
  array->pool = onHost ? ctx->hostPool.get() : ctx->pool;
  array->context = ctx;
  array->frame = ctx->frame;
  std::lock_guard<std::mutex> lock(ctx->handlesMutex);
  ctx->handles.insert(array);
  return array;
}

static void destroy(arrt_array *array) {
  arrt_context *ctx = array->context;
  {
    std::lock_guard<std::mutex> lock(ctx->handlesMutex);
    ctx->handles.erase(array);
  }
  if (array->owned && array->data)
    array->pool->release(array->data);
  arrt_array *whole = array->whole;
  delete array;
  arrt_array_release(whole);
}

bool arrt::isAlive(arrt_context *ctx, const arrt_array *array) {
  auto isOf = [&](arrt_context *context) {
    std::lock_guard<std::mutex> lock(context->handlesMutex);
    return context->handles.count(const_cast<arrt_array *>(array)) > 0;
  };
  return array && (isOf(ctx) || anyContext(isOf));
}

void arrt::releaseHandles(arrt_context *ctx, uint64_t frame) {
  std::vector<arrt_array *> dead;
  {
    std::lock_guard<std::mutex> lock(ctx->handlesMutex);
    for (arrt_array *array : ctx->handles)
      if (!frame || array->frame == frame)
        dead.push_back(array);
  }
  // Whole arrays go by themselves.
  for (arrt_array *array : dead)
    if (array->whole && (!frame || array->whole->frame == frame))
      array->whole = nullptr;
  for (arrt_array *array : dead)
    destroy(array);
}

void arrt::leaveFrame(arrt_context *ctx, uint64_t frame, uint64_t outer) {
  std::lock_guard<std::mutex> lock(ctx->handlesMutex);
  for (arrt_array *array : ctx->handles)
    if (array->frame == frame)
      array->frame = outer;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void *arrt_buffer_alloc(arrt_context *ctx, int64_t bytes, int32_t site) {
  void *data = ctx->pool->allocate(bytes, ctx->frame);
  if (!data)
    failMemory(ctx, bytes, site);
  return data;
}

void *arrt_result_alloc(arrt_context *ctx, int64_t bytes, int32_t site) {
  // Without the pool every block is an allocation of its own, to be watched.
  if (bytes <= ResultSlots::slotBytes && !ctx->isDebug && !ctx->recording)
    if (void *slot = ctx->resultSlots.take(*ctx->device))
      return slot;
  return arrt_buffer_alloc(ctx, bytes, site);
}

void arrt_buffer_free(arrt_context *ctx, void *data) {
  if (data && !ctx->resultSlots.give(data))
    ctx->pool->release(data);
}

namespace {
struct CopyJob {
  char *to;
  const char *from;
  int64_t bytes;
};
} // namespace

/// Copied by one task; a page fault each 4 KiB makes more workers pay early.
static constexpr int64_t copyBlock = int64_t(1) << 18;

static void copyTask(void *env, int64_t begin, int64_t end, int64_t) {
  auto &job = *static_cast<CopyJob *>(env);
  int64_t lo = begin * copyBlock;
  int64_t hi = end * copyBlock < job.bytes ? end * copyBlock : job.bytes;
  std::memcpy(job.to + lo, job.from + lo, size_t(hi - lo));
}

void arrt_buffer_copy(arrt_context *ctx, void *to, const void *from,
                      int64_t bytes) {
  if (bytes <= 0 || to == from)
    return;
  if (ctx->recording) {
    ctx->recording->commands.addCopy(to, from, bytes);
    return;
  }
  Observation observation(ctx, ARRT_EVENT_COPY, bytes);
  if (!ctx->device->isHostVisible() || bytes < 4 * copyBlock) {
    if (int32_t status = deviceStatus(ctx, ctx->device->copy(to, from, bytes)))
      ctx->pendingStatus = status;
    return;
  }
  CopyJob job{static_cast<char *>(to), static_cast<const char *>(from), bytes};
  ctx->device->parallel(copyTask, &job, (bytes + copyBlock - 1) / copyBlock, 2);
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

static arrt_array *allocateArray(arrt_context *ctx, bool onHost,
                                 int32_t element, int32_t rank,
                                 const int64_t *sizes, int32_t site) {
  int64_t bytes = 0;
  if (rank >= 0 && rank <= ARRT_MAX_RANK && (sizes || !rank) &&
      !byteCount(element, rank, sizes, bytes)) {
    failMemory(ctx, -1, site);
    return nullptr;
  }
  arrt_array *array = makeHandle(ctx, onHost, element, rank, sizes, bytes);
  if (!array)
    return nullptr;
  // The block belongs to the handle, not to the frame.
  array->data = array->pool->allocate(bytes, 0);
  if (!array->data) {
    const Pool *pool = array->pool;
    destroy(array);
    failMemory(ctx, bytes, site, nullptr, pool);
    return nullptr;
  }
  return array;
}

arrt_array *arrt_array_alloc(arrt_context *ctx, int32_t element, int32_t rank,
                             const int64_t *sizes, int32_t site) {
  return allocateArray(ctx, false, element, rank, sizes, site);
}

arrt_array *arrt_array_alloc_host(arrt_context *ctx, int32_t element,
                                  int32_t rank, const int64_t *sizes) {
  return allocateArray(ctx, true, element, rank, sizes, -1);
}

/// A handle on memory that is there; null, with a message, if that does not
/// hold its elements, or they are not aligned.
static arrt_array *makeOn(arrt_context *ctx, bool onHost, void *data,
                          int64_t room, int32_t element, int32_t rank,
                          const int64_t *sizes,
                          int32_t status = ARRT_STATUS_INTERNAL) {
  int64_t bytes = 0;
  arrt_array *array = makeHandle(ctx, onHost, element, rank, sizes, bytes);
  if (!array)
    return nullptr;
  array->owned = false;
  array->data = data;
  // The parts of a complex number are aligned by themselves.
  int64_t align = arrt_element_bytes(element);
  if (element == ARRT_C64 || element == ARRT_C128)
    align /= 2;
  const char *wrong = bytes > room     ? "in memory that does not hold it"
                      : bytes && !data ? "in no memory: the pointer is null"
                      : bytes && uintptr_t(data) % uintptr_t(align)
                          ? "in memory that is not aligned to its elements"
                          : nullptr;
  if (!wrong)
    return array;
  destroy(array);
  arrt_fail(ctx, status, "error: an array %s was to be %s",
            shapeText(element, rank, sizes).c_str(), wrong);
  return nullptr;
}

arrt_array *arrt_array_adopt(arrt_context *ctx, void *data, int32_t element,
                             int32_t rank, const int64_t *sizes) {
  int64_t room = ctx->pool->sizeOf(data);
  if (room < 0) {
    arrt_fail(
        ctx, ARRT_STATUS_INTERNAL,
        "error: memory that is not a block of the pool was made an array");
    return nullptr;
  }
  arrt_array *array = makeOn(ctx, false, data, room, element, rank, sizes);
  if (array)
    array->owned = ctx->pool->setFrame(data, 0);
  return array;
}

arrt_array *arrt_array_borrow(arrt_context *ctx, void *data, int32_t element,
                              int32_t rank, const int64_t *sizes) {
  return makeOn(ctx, true, data, INT64_MAX, element, rank, sizes,
                ARRT_STATUS_USAGE);
}

arrt_array *arrt_array_borrow_on_device(arrt_context *ctx, void *data,
                                        int32_t element, int32_t rank,
                                        const int64_t *sizes) {
  return makeOn(ctx, false, data, INT64_MAX, element, rank, sizes,
                ARRT_STATUS_USAGE);
}

arrt_array *arrt_array_part(arrt_context *ctx, arrt_array *whole, void *data,
                            int32_t element, int32_t rank,
                            const int64_t *sizes) {
  if (!whole)
    return nullptr;
  int64_t offset = static_cast<char *>(data) - static_cast<char *>(whole->data);
  int64_t room = offset < 0 ? -1 : arrt_array_bytes(whole) - offset;
  arrt_array *array = makeOn(ctx, false, data, room, element, rank, sizes);
  if (array)
    array->whole = arrt_array_retain(whole);
  return array;
}

arrt_array *arrt_array_retain(arrt_array *array) {
  if (array)
    array->count.fetch_add(1, std::memory_order_relaxed);
  return array;
}

void arrt_array_release(arrt_array *array) {
  if (array && array->count.fetch_sub(1, std::memory_order_acq_rel) == 1)
    destroy(array);
}

void *arrt_array_data(const arrt_array *array) { return array->data; }

int64_t arrt_array_size(const arrt_array *array, int32_t dim) {
  return dim >= 0 && dim < ARRT_MAX_RANK ? array->sizes[dim] : 1;
}

int32_t arrt_array_element(const arrt_array *array) { return array->element; }

int32_t arrt_array_rank(const arrt_array *array) { return array->rank; }

int64_t arrt_array_count(const arrt_array *array) {
  return arrt_array_bytes(array) / arrt_element_bytes(array->element);
}

int64_t arrt_array_bytes(const arrt_array *array) {
  int64_t bytes = 0;
  byteCount(array->element, array->rank, array->sizes, bytes);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Between devices
//===----------------------------------------------------------------------===//

/// Records what another device than the context's says of a failure.
static int32_t statusOf(arrt_context *ctx, Device &device, int32_t status) {
  return status ? arrt_fail(ctx, status, "error: %s", device.error().c_str())
                : status;
}

/// Copies over the host in pieces, so that a large array is not there thrice.
static int32_t copyOverHost(arrt_context *ctx, arrt_array *to,
                            const arrt_array *from, int64_t bytes) {
  constexpr int64_t piece = int64_t(1) << 26;
  int64_t room = bytes < piece ? bytes : piece;
  void *staging = ctx->hostPool->allocate(room, 0);
  if (!staging) {
    failMemory(ctx, room, -1, "a copy between devices", ctx->hostPool.get());
    return ctx->status;
  }
  int32_t status = ARRT_STATUS_OK;
  for (int64_t at = 0; !status && at < bytes; at += piece) {
    int64_t part = bytes - at < piece ? bytes - at : piece;
    auto *source = static_cast<const char *>(from->data) + at;
    auto *target = static_cast<char *>(to->data) + at;
    status = statusOf(ctx, *from->device,
                      from->device->copyOut(staging, source, part));
    if (!status)
      status =
          statusOf(ctx, *to->device, to->device->copyIn(target, staging, part));
  }
  ctx->hostPool->release(staging);
  return status;
}

int32_t arrt_array_copy(arrt_context *ctx, arrt_array *to,
                        const arrt_array *from) {
  int64_t bytes = arrt_array_bytes(from);
  if (arrt_array_bytes(to) != bytes)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: an array of %lld bytes was to be copied to one of "
                     "%lld bytes",
                     (long long)bytes, (long long)arrt_array_bytes(to));
  if (bytes == 0 || (to->data == from->data && to->device == from->device))
    return ARRT_STATUS_OK;
  if (ctx->recording && from->device == ctx->device &&
      to->device == ctx->device)
    return ctx->recording->commands.addCopy(to->data, from->data, bytes);
  if (ctx->recording && !from->device->isHostVisible())
    return ctx->recording->refuse("moving an array from the device");
  Observation observation(ctx,
                          from->device == to->device  ? ARRT_EVENT_COPY
                          : to->device == ctx->device ? ARRT_EVENT_COPY_IN
                                                      : ARRT_EVENT_COPY_OUT,
                          bytes);
  if (from->device->isHostVisible())
    return statusOf(ctx, *to->device,
                    to->device->copyIn(to->data, from->data, bytes));
  if (to->device->isHostVisible())
    return statusOf(ctx, *from->device,
                    from->device->copyOut(to->data, from->data, bytes));
  if (to->device == from->device)
    return statusOf(ctx, *to->device,
                    to->device->copy(to->data, from->data, bytes));
  if (to->device->copyFrom(*from->device, to->data, from->data, bytes))
    return ARRT_STATUS_OK;
  return copyOverHost(ctx, to, from, bytes);
}

static arrt_array *copyOf(arrt_context *ctx, bool onHost,
                          const arrt_array *from) {
  if (ctx->recording && !from->device->isHostVisible() &&
      from->device != ctx->device) {
    ctx->recording->refuse("moving an array from the device");
    return nullptr;
  }
  arrt_array *to =
      allocateArray(ctx, onHost, from->element, from->rank, from->sizes, -1);
  if (!to || arrt_array_copy(ctx, to, from) == ARRT_STATUS_OK)
    return to;
  arrt_array_release(to);
  return nullptr;
}

int32_t arrt_array_is_on_host(const arrt_array *array) {
  return array->device->isHostVisible();
}

arrt_array *arrt_array_to_device(arrt_context *ctx, arrt_array *array) {
  return isUsable(*ctx->device, array) ? arrt_array_retain(array)
                                       : copyOf(ctx, false, array);
}

arrt_array *arrt_array_to_host(arrt_context *ctx, arrt_array *array) {
  return arrt_array_is_on_host(array) ? arrt_array_retain(array)
                                      : copyOf(ctx, true, array);
}
