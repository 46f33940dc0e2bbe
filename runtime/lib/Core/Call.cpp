//===- Call.cpp - runs an export and cleans up after a failure ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generated code returns at the first failure and frees nothing. Every block
// and handle carries the number of the call that made it, so that what a failed
// call left can be found and given back here, once, instead of on a clean-up
// path behind every check of every program.
//
//===----------------------------------------------------------------------===//

#include "Core/Array.h"

#include <utility>
#include <vector>

using namespace arrt;

/// The arguments of a call with every array where the device can reach it.
/// Arrays that are elsewhere are copied for the time of the call.
namespace {
class Operands {
public:
  explicit Operands(void **args) : args(args) {}
  ~Operands() {
    for (auto &[place, original] : replaced) {
      arrt_array_release(*place);
      *place = original;
    }
  }
  int32_t bring(arrt_context *ctx, const arrt_entry &entry) {
    for (int32_t i = 0; entry.params && i < entry.num_params; ++i) {
      if (!entry.params[i].rank)
        continue;
      auto **place = static_cast<arrt_array **>(args[i]);
      arrt_array *there = arrt_array_to_device(ctx, *place);
      if (!there)
        return arrt_last_status(ctx);
      replaced.push_back({place, *place});
      *place = there;
    }
    return ARRT_STATUS_OK;
  }

private:
  void **args;
  std::vector<std::pair<arrt_array **, arrt_array *>> replaced;
};
} // namespace

int32_t arrt_call(arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args) {
  arrt_clear_error(ctx);
  if (program)
    if (int32_t status = arrt_program_load(ctx, program))
      return status;
  const arrt_program *outerProgram = ctx->program;
  LoadedProgram *outerKernels = ctx->kernels;
  uint64_t outerFrame = ctx->frame;
  uint64_t frame = ++ctx->lastFrame, slots = ctx->resultSlots.mark();
  ctx->program = program;
  ctx->kernels = program ? &ctx->loaded.at(program) : nullptr;
  ctx->frame = frame;

  int32_t status = ARRT_STATUS_OK;
  {
    Operands operands(args);
    if (!ctx->device->isHostVisible())
      status = operands.bring(ctx, *entry);
    if (status == ARRT_STATUS_OK)
      status = entry->packed(ctx, args);
    // A program that forgot to poll still must not pass for a success.
    if (status == ARRT_STATUS_OK)
      status = arrt_poll_error(ctx);
    if (status == ARRT_STATUS_OK)
      status = arrt_synchronize(ctx);
  }

  ctx->program = outerProgram;
  ctx->kernels = outerKernels;
  ctx->frame = outerFrame;
  ctx->resultSlots.giveBackTo(slots);
  if (!outerFrame)
    for (WorkerMemory &memory : ctx->workerMemory)
      memory.endCall(*ctx->hostPool);
  if (status == ARRT_STATUS_OK) {
    leaveFrame(ctx, frame, outerFrame);
    return status;
  }
  releaseHandles(ctx, frame);
  // A failure that was found last may have left handles that are gone now.
  for (int32_t i = 0; entry->results && i < entry->num_results; ++i)
    if (entry->results[i].rank)
      *static_cast<arrt_array **>(args[entry->num_params + i]) = nullptr;
  ctx->pool->releaseFrame(frame);
  ctx->record.clear();
  ctx->deviceRecord.forget();
  if (ctx->status == ARRT_STATUS_OK)
    arrt_fail(ctx, status, "error: %s", arrt_status_text(status));
  return status;
}
