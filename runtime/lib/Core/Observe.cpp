//===- Observe.cpp - what is done for a program, one by one ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An observed context does one thing after the other and waits for each, so
// that the time between two clocks is that of one kernel: by the device's own
// clock where it has one, which leaves out what launching takes.
//
//===----------------------------------------------------------------------===//

#include "Core/Observe.h"
#include "Core/Context.h"

#include <algorithm>

using namespace arrt;

/// Seconds since the observer was set.
static double now(const arrt_context *ctx) {
  std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - ctx->observedSince;
  return since.count();
}

Observation::Observation(arrt_context *ctx, int32_t kind, int64_t bytes)
    : ctx(ctx), isActive(ctx->observer && !ctx->recording) {
  event.kind = kind;
  event.bytes = bytes;
  if (isActive)
    begin();
}

Observation::Observation(arrt_context *ctx, const Launch &launch)
    : ctx(ctx), isActive(ctx->observer && !ctx->recording) {
  if (!isActive)
    return;
  event.kind = ARRT_EVENT_KERNEL;
  event.number = -1;
  event.name = launch.name;
  std::copy_n(launch.grid, 3, event.grid);
  std::copy_n(launch.block, 3, event.block);
  event.shared = launch.shared;
  event.needs = ctx->device->needsOf(launch);
  begin();
  isTimedByDevice = ctx->device->beginTiming();
}

void Observation::begin() {
  ctx->device->synchronize();
  event.begin = now(ctx);
}

Observation::~Observation() {
  if (!isActive)
    return;
  // A failure shows where the program looks for it.
  double onDevice = isTimedByDevice ? ctx->device->endTiming() : -1;
  ctx->device->synchronize();
  event.seconds = onDevice >= 0 ? onDevice : now(ctx) - event.begin;
  ctx->observer(ctx->observerUser, &event);
}

void arrt_observe(arrt_context *ctx, arrt_event_fn observer, void *user) {
  ctx->observer = observer;
  ctx->observerUser = user;
  ctx->observedSince = std::chrono::steady_clock::now();
}

void arrt_mark(arrt_context *ctx, int32_t number) {
  if (!ctx->observer)
    return;
  if (number >= 0) {
    ctx->markedNumber = number;
    ctx->markedAt = now(ctx);
    return;
  }
  ObservedEvent event = {};
  event.kind = ARRT_EVENT_KERNEL;
  event.number = ctx->markedNumber;
  event.begin = ctx->markedAt;
  event.seconds = now(ctx) - ctx->markedAt;
  ctx->observer(ctx->observerUser, &event);
}
