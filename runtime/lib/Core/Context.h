//===- Context.h - everything that one user owns ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_CONTEXT_H
#define ARRT_CORE_CONTEXT_H

#include "Core/Device.h"
#include "Core/Errors.h"
#include "Core/Pool.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

/// A counted array. Sizes past the rank are 1.
struct arrt_array {
  std::atomic<int32_t> count{1};
  int32_t element = 0;
  int32_t rank = 0;
  int64_t sizes[ARRT_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
  void *data = nullptr;
  arrt::Device *device = nullptr;
  arrt_context *context = nullptr;
  bool owned = true;  ///< data is a block of the pool; else the caller's
  uint64_t frame = 0; ///< the call that made it, as of a block
};

struct arrt_context {
  std::unique_ptr<arrt::Device> device;
  std::unique_ptr<arrt::Pool> pool;

  /// The table of the program that runs, for its sites; null outside a call.
  const arrt_program *program = nullptr;
  /// The running call; blocks and handles that it makes carry this number.
  uint64_t frame = 0;
  uint64_t lastFrame = 0;

  /// The last failure.
  int32_t status = ARRT_STATUS_OK;
  std::string message;
  /// What kernels found.
  arrt::ErrorRecord record;

  /// A block a worker.
  std::vector<void *> scratch;
  int64_t scratchBytes = 0;

  /// All handles that are alive.
  std::mutex handlesMutex;
  std::unordered_set<arrt_array *> handles;
};

namespace arrt {

/// The place of a site as `file:line:col`, or "" if there is none.
std::string placeOf(const arrt_program *program, int32_t site);
/// Fails with the out-of-memory message for the array of an ALLOC site.
/// `bytes` below 0: the number of bytes does not fit 63 bits. `name` is what
/// the array is called where there is no site.
void failMemory(arrt_context *ctx, int64_t bytes, int32_t site,
                const char *name = nullptr);
/// A number of bytes for people: "1.5 GiB".
std::string bytesText(int64_t bytes);

} // namespace arrt

#endif // ARRT_CORE_CONTEXT_H
