//===- Errors.cpp - failing checks and their messages ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Printable.h"
#include "Core/Recording.h"

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace arrt;

//===----------------------------------------------------------------------===//
// The record of kernels
//===----------------------------------------------------------------------===//

uint64_t ErrorRecord::keyOf(int32_t site, int64_t index) {
  constexpr uint64_t largest = (uint64_t(1) << indexBits) - 1;
  uint64_t low = index < 0 ? 0 : std::min<uint64_t>(uint64_t(index), largest);
  return (uint64_t(uint32_t(site)) & 0xffffff) << indexBits | low;
}

void ErrorRecord::note(int32_t site, int64_t index, int32_t n,
                       const int64_t *v) {
  uint64_t mine = keyOf(site, index);
  // Most failures come after the least one is known: they see it and leave.
  if (mine >= key.load(std::memory_order_relaxed))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (mine >= key.load(std::memory_order_relaxed))
    return;
  count = std::min<int32_t>(n, maxValues);
  if (count > 0)
    std::memcpy(values, v, count * sizeof(int64_t));
  key.store(mine, std::memory_order_release);
}

bool ErrorRecord::take(int32_t &site, int64_t &index, int32_t &n, int64_t *v) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t kept = key.exchange(none, std::memory_order_acq_rel);
  if (kept == none)
    return false;
  site = int32_t(kept >> indexBits);
  index = int64_t(kept & ((uint64_t(1) << indexBits) - 1));
  n = count;
  std::copy_n(values, std::max(count, 0), v);
  return true;
}

void ErrorRecord::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  key.store(none, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string valueText(char letter, int64_t value) {
  if (letter == 'u')
    return std::to_string(uint64_t(value));
  if (letter != 'f')
    return std::to_string(value);
  double number;
  std::memcpy(&number, &value, sizeof number);
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return std::string(text, end);
}

std::string arrt::formatSite(const arrt_site &site, int32_t count,
                             const int64_t *values) {
  std::string text;
  size_t letters = site.values ? std::strlen(site.values) : 0;
  for (const char *p = site.message ? site.message : ""; *p; ++p) {
    // {N} with a single or double digit; anything else is text.
    int number = -1, used = 0;
    if (*p == '{' && p[1] >= '0' && p[1] <= '9' &&
        std::sscanf(p, "{%2d}%n", &number, &used) == 1 && used > 0 &&
        (number < count || count == lostValues)) {
      if (count == lostValues) {
        text += "?";
        p += used - 1;
        continue;
      }
      char letter = size_t(number) < letters ? site.values[number] : 'i';
      text += valueText(letter, values[number]);
      p += used - 1;
      continue;
    }
    text += *p;
  }
  return text;
}

std::string arrt::placeOf(const arrt_program *program, int32_t number) {
  if (!program || number < 0 || number >= program->num_sites)
    return "";
  const arrt_site &site = program->sites[number];
  std::string text = site.file ? printable(site.file) : "";
  if (site.line > 0) {
    text += ":" + std::to_string(site.line);
    if (site.column > 0)
      text += ":" + std::to_string(site.column);
  }
  return text;
}

std::string arrt::bytesText(int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = double(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value,
                units[unit]);
  return text;
}

int32_t arrt_fail(arrt_context *ctx, int32_t status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  va_list again;
  va_copy(again, list);
  int length = std::vsnprintf(nullptr, 0, format, list);
  va_end(list);
  std::string text(length > 0 ? length : 0, '\0');
  if (length > 0)
    std::vsnprintf(&text[0], length + 1, format, again);
  va_end(again);
  ctx->status = status;
  ctx->message = std::move(text);
  return status;
}

void arrt::failMemory(arrt_context *ctx, int64_t bytes, int32_t number,
                      const char *known, const Pool *pool) {
  std::string place = placeOf(ctx->program, number);
  std::string array = known ? "'" + printable(known) + "'" : "an array";
  if (!place.empty()) {
    const char *name = ctx->program->sites[number].message;
    if (name && *name)
      array = "'" + std::string(name) + "'";
    place += ": ";
  }
  if (!pool)
    pool = ctx->pool;
  if (std::string problem = pool->problem(); !problem.empty()) {
    arrt_fail(ctx, ARRT_STATUS_DEVICE, "%serror: %s, for %s", place.c_str(),
              problem.c_str(), array.c_str());
    return;
  }
  std::string where = pool == ctx->hostPool.get()
                          ? ""
                          : std::string(" on ") + ctx->device->name();
  if (bytes < 0) {
    arrt_fail(ctx, ARRT_STATUS_MEMORY,
              "%serror: out of memory: the size of %s is negative or above "
              "2^63 - 1 bytes",
              place.c_str(), array.c_str());
    return;
  }
  arrt_fail(ctx, ARRT_STATUS_MEMORY,
            "%serror: out of memory%s: %s needs %s, %s are free", place.c_str(),
            where.c_str(), array.c_str(), bytesText(bytes).c_str(),
            bytesText(std::max<int64_t>(pool->available(), 0)).c_str());
}

int32_t arrt::deviceStatus(arrt_context *ctx, int32_t status) {
  return status
             ? arrt_fail(ctx, status, "error: %s", ctx->device->error().c_str())
             : status;
}

static int32_t failSite(arrt_context *ctx, int32_t number, int32_t count,
                        const int64_t *values) {
  const arrt_program *program = ctx->program;
  if (!program || number < 0 || number >= program->num_sites)
    return arrt_fail(ctx, ARRT_STATUS_CHECK, "error: check %d failed", number);
  const arrt_site &site = program->sites[number];
  std::string place = placeOf(program, number);
  std::string text = formatSite(site, count, values);
  int32_t status = ARRT_STATUS_CHECK;
  switch (site.kind) {
#define ARRT_CHECK_KIND(Enum, name, code)                                      \
  case ARRT_CHECK_##Enum:                                                      \
    status = code;                                                             \
    break;
#include "arrt/EntryPoints.def"
  }
  return arrt_fail(ctx, status, "%s%serror: %s", place.c_str(),
                   place.empty() ? "" : ": ", text.c_str());
}

int32_t arrt_fail_check(arrt_context *ctx, int32_t site, int32_t count,
                        const int64_t *values) {
  return failSite(ctx, site, count, values);
}

void arrt_record_check(arrt_context *ctx, int32_t site, int64_t index,
                       int32_t count, const int64_t *values) {
  ctx->record.note(site, index, count, values);
}

void arrt_fail_access(const char *place, const char *text, int64_t first,
                      int64_t second) {
  // The first worker speaks; the others wait for its end.
  static std::mutex speaking;
  speaking.lock();
  arrt_site site = {};
  site.message = text;
  const int64_t values[] = {first, second};
  std::fflush(stdout);
  std::fprintf(stderr,
               "%serror: %s, found by --sanitize\n"
               "note: without '@unsafe' this is an error of the compiler\n",
               place, formatSite(site, 2, values).c_str());
  std::fflush(stderr);
  std::_Exit(arrt_status_exit_code(ARRT_STATUS_CHECK));
}

int32_t arrt_poll_error(arrt_context *ctx) {
  if (int32_t status = std::exchange(ctx->pendingStatus, ARRT_STATUS_OK))
    return status;
  // What is recorded has not run: a replay is polled for.
  if (ctx->recording)
    return ARRT_STATUS_OK;
  if (int32_t status = deviceStatus(
          ctx, ctx->deviceRecord.readBack(*ctx->device, ctx->record)))
    return status;
  if (!ctx->record.isSet())
    return ARRT_STATUS_OK;
  int32_t site, count;
  int64_t index, values[ErrorRecord::maxValues];
  if (!ctx->record.take(site, index, count, values))
    return ARRT_STATUS_OK;
  ctx->failureKey = ErrorRecord::keyOf(site, index);
  return failSite(ctx, site, count, values);
}

int32_t arrt_last_status(const arrt_context *ctx) { return ctx->status; }

const char *arrt_message(const arrt_context *ctx) {
  return ctx->message.c_str();
}

void arrt_clear_error(arrt_context *ctx) {
  ctx->status = ARRT_STATUS_OK;
  ctx->message.clear();
  ctx->failureKey = 0;
  ctx->isAgreed = false;
  ctx->record.clear();
  ctx->deviceRecord.forget();
  ctx->pendingStatus = ARRT_STATUS_OK;
}
