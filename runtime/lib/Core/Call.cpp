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

using namespace arrt;

int32_t arrt_call(arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args) {
  if (program && program->version != ARRT_ABI_VERSION)
    return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                     "error: the program was compiled for version %d of the "
                     "runtime, this is version %d; compile it again",
                     program->version, int(ARRT_ABI_VERSION));
  const arrt_program *outerProgram = ctx->program;
  uint64_t outerFrame = ctx->frame;
  uint64_t frame = ++ctx->lastFrame;
  ctx->program = program;
  ctx->frame = frame;
  arrt_clear_error(ctx);

  int32_t status = entry->packed(ctx, args);
  // A program that forgot to poll still must not pass for a success.
  if (status == ARRT_STATUS_OK)
    status = arrt_poll_error(ctx);

  ctx->program = outerProgram;
  ctx->frame = outerFrame;
  if (status == ARRT_STATUS_OK) {
    leaveFrame(ctx, frame, outerFrame);
    return status;
  }
  releaseHandles(ctx, frame);
  ctx->pool->releaseFrame(frame);
  ctx->record.clear();
  if (ctx->status == ARRT_STATUS_OK)
    arrt_fail(ctx, status, "error: %s", arrt_status_text(status));
  return status;
}
