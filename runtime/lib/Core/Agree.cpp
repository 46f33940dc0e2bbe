//===- Agree.cpp - one outcome for several processes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Context.h"

#include <cstring>

using namespace arrt;

/// A number for what a program's launches are: processes that plan for each
/// other must have the same.
static uint64_t fingerprintOf(const arrt_program &program) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  auto add = [&](const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      hash =
          (hash ^ static_cast<const unsigned char *>(data)[i]) * 0x100000001b3;
  };
  auto addText = [&](const char *text) {
    if (text)
      add(text, std::strlen(text) + 1);
  };
  for (int32_t k = 0; k < program.num_kernels; ++k) {
    const arrt_kernel &kernel = program.kernels[k];
    addText(kernel.name);
    addText(kernel.args);
    addText(kernel.parts);
    add(&kernel.index_bits, sizeof kernel.index_bits);
  }
  for (int32_t e = 0; e < program.num_entries; ++e)
    addText(program.entries[e].name);
  return hash;
}

int32_t arrt::agree(arrt_context *ctx, int32_t status,
                    const arrt_program *program) {
  if (!ctx->ranks || (status && ctx->isAgreed))
    return status;
  Ranks::Outcome outcome;
  outcome.status = status;
  outcome.key = ctx->failureKey;
  if (status)
    outcome.text = ctx->message;
  outcome.fingerprint = program ? fingerprintOf(*program) : 0;
  ctx->ranks->agree(outcome);
  if (!outcome.status)
    return ARRT_STATUS_OK;
  if (outcome.isDifferent)
    return arrt_fail(ctx, outcome.status,
                     "error: rank %d has compiled the program otherwise than "
                     "rank 0\nhelp: compile it once, by 'arrc build', or on "
                     "machines that are alike",
                     outcome.rank);
  ctx->isAgreed = true;
  return arrt_fail(ctx, outcome.status, "%s", outcome.text.c_str());
}
