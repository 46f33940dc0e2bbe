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
#include "Core/Signature.h"

#include <cstring>
#include <vector>

using namespace arrt;

/// The arguments of a call with every array where the device can reach it.
/// Arrays that are elsewhere, or begin anywhere on it, are copied for the time
/// of the call; the caller's places stay as they are, since two arguments may
/// share one.
namespace {
class Operands {
public:
  explicit Operands(void **args) : args(args) {}
  ~Operands() {
    for (arrt_array *array : there)
      arrt_array_release(array);
  }
  int32_t bring(arrt_context *ctx, const arrt_entry &entry) {
    for (int32_t i = 0; i < entry.num_params; ++i) {
      if (!entry.params[i].rank)
        continue;
      auto *array = *static_cast<arrt_array **>(args[i]);
      if (isUsable(*ctx->device, array))
        continue;
      if (there.empty()) {
        own.assign(args, args + entry.num_params + entry.num_results);
        there.reserve(size_t(entry.num_params));
        args = own.data();
      }
      there.push_back(arrt_array_to_device(ctx, array));
      if (!there.back())
        return arrt_last_status(ctx);
      own[size_t(i)] = &there.back();
    }
    return ARRT_STATUS_OK;
  }
  void **get() const { return args; }

private:
  void **args;
  std::vector<void *> own;
  std::vector<arrt_array *> there; ///< the copies; does not grow
};
} // namespace

const arrt_entry *arrt_program_entry(const arrt_program *program,
                                     const char *name) {
  for (int32_t e = 0; e < program->num_entries; ++e)
    if (!std::strcmp(program->entries[e].name, name))
      return program->entries + e;
  return nullptr;
}

int32_t arrt_call(arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args, int32_t num_args) {
  if (!ctx)
    return ARRT_STATUS_USAGE;
  arrt_clear_error(ctx);
  if (program)
    if (int32_t status = arrt_program_load(ctx, program))
      return status;
  if (int32_t status = checkArguments(ctx, entry, args, num_args)) {
    if (!ctx->frame)
      agree(ctx, status);
    if (entry && args && entry->results &&
        num_args == entry->num_params + entry->num_results)
      forgetResults(*entry, args);
    return status;
  }
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
    status = operands.bring(ctx, *entry);
    if (status == ARRT_STATUS_OK)
      status = entry->packed(ctx, operands.get());
    // A program that forgot to poll still must not pass for a success.
    if (status == ARRT_STATUS_OK)
      status = arrt_poll_error(ctx);
    if (status == ARRT_STATUS_OK)
      status = arrt_synchronize(ctx);
    if (status == ARRT_STATUS_OK)
      status = checkResults(ctx, *entry, args);
  }
  // What one process has found ends the call in all.
  if (!outerFrame)
    status = agree(ctx, status);

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
  forgetResults(*entry, args);
  ctx->pool->releaseFrame(frame);
  ctx->record.clear();
  ctx->deviceRecord.forget();
  if (ctx->status == ARRT_STATUS_OK)
    arrt_fail(ctx, status, "error: %s", arrt_status_text(status));
  return status;
}
