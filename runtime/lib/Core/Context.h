//===- Context.h - everything that one user owns ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_CONTEXT_H
#define ARRT_CORE_CONTEXT_H

#include "Core/Device.h"
#include "Core/Errors.h"
#include "Core/Launch.h"
#include "Core/Pool.h"
#include "Core/ResultSlots.h"
#include "Core/WorkerMemory.h"
#include "Ranks/Ranks.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// A counted array. Sizes past the rank are 1.
struct arrt_array {
  std::atomic<int32_t> count{1};
  int32_t element = 0;
  int32_t rank = 0;
  int64_t sizes[ARRT_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
  void *data = nullptr;
  arrt::Device *device = nullptr; ///< where data is
  arrt::Pool *pool = nullptr;     ///< of that device
  arrt_context *context = nullptr;
  bool owned = true; ///< data is a block of the pool; else the caller's
  arrt_array *whole = nullptr; ///< in whose block data is, if not its own
  uint64_t frame = 0;          ///< the call that made it, as of a block
};

struct arrt_context {
  arrt_context();
  ~arrt_context();
  /// The machine's cores; runs the host's part of every program.
  std::unique_ptr<arrt::Device> host;
  std::unique_ptr<arrt::Pool> hostPool;
  /// A device that is not the host; null if the context is on the CPU.
  std::unique_ptr<arrt::Device> accelerator;
  std::unique_ptr<arrt::Pool> acceleratorPool;
  /// Where the arrays of programs live: one of the two, an arrt_target.
  int32_t target = ARRT_TARGET_CPU;
  arrt::Device *device = nullptr;
  arrt::Pool *pool = nullptr;
  /// The processes that have parts of the device; null: this one alone.
  arrt::Ranks *ranks = nullptr;
  /// All of them know of the last failure.
  bool isAgreed = false;
  /// Files are read as far as the device's parts in this process need them.
  bool readsShares = false;

  /// The kernels of programs that were loaded, and those of the running one.
  std::unordered_map<const arrt_program *, arrt::LoadedProgram> loaded;
  arrt::LoadedProgram *kernels = nullptr;
  /// Who makes images that have no bytes.
  arrt_image_fn makeImage = nullptr;
  void *imageUser = nullptr;
  double loadSeconds = 0; ///< that making and loading images took
  /// Who is told what is done, see Observe.h.
  arrt_event_fn observer = nullptr;
  void *observerUser = nullptr;
  std::chrono::steady_clock::time_point observedSince;
  int32_t markedNumber = -1; ///< the kernel of the CPU that runs
  double markedAt = 0;
  /// What kernels on the device found.
  arrt::DeviceRecord deviceRecord;
  /// What blocks of a launch count themselves by.
  arrt::DeviceCounter deviceCounter;
  /// Numbers that kernels leave for the host.
  arrt::ResultSlots resultSlots;
  /// What is being recorded, and all that was and is not released.
  arrt_recording *recording = nullptr;
  std::vector<std::unique_ptr<arrt_recording>> recordings;
  /// The flags of arrt_options.
  std::string trafficText; ///< see arrt_context_traffic
  bool inHalves = false, isDebug = false, takesDevicePointers = false;
  /// A failure of the device in a function that returns no status.
  int32_t pendingStatus = ARRT_STATUS_OK;

  /// The table of the program that runs, for its sites; null outside a call.
  const arrt_program *program = nullptr;
  /// The running call; blocks and handles that it makes carry this number.
  uint64_t frame = 0;
  uint64_t lastFrame = 0;

  /// The last failure.
  int32_t status = ARRT_STATUS_OK;
  std::string message;
  uint64_t failureKey = 0; ///< as of ErrorRecord; 0: the host has failed
  /// What kernels found.
  arrt::ErrorRecord record;

  /// What the tasks of each worker use.
  std::vector<arrt::WorkerMemory> workerMemory;

  /// All handles that are alive.
  std::mutex handlesMutex;
  std::unordered_set<arrt_array *> handles;
};

namespace arrt {

/// Whether one of the contexts that live is what is looked for.
bool anyContext(const std::function<bool(arrt_context *)> &is);
/// The place of a site as `file:line:col`, or "" if there is none.
std::string placeOf(const arrt_program *program, int32_t site);
/// Fails with the out-of-memory message for the array of an ALLOC site.
/// `bytes` below 0: the number of bytes does not fit 63 bits. `name` is what
/// the array is called where there is no site, `pool` what refused it (null:
/// that of the context's device).
void failMemory(arrt_context *ctx, int64_t bytes, int32_t site,
                const char *name = nullptr, const Pool *pool = nullptr);
/// Called by all processes where one of them may have failed, with the status
/// of each: gives the status of the failure that counts to all, with its
/// message in the context. With `program` that is one if they have different
/// ones. Where there is one process it gives `status`.
int32_t agree(arrt_context *ctx, int32_t status,
              const arrt_program *program = nullptr);
/// Whether this process speaks for all.
inline bool isFirst(const arrt_context *ctx) {
  return !ctx->ranks || ctx->ranks->rank() == 0;
}
/// Records the failure of a call of the context's device: `status`, with what
/// the device says. Returns `status`, also when it is 0.
int32_t deviceStatus(arrt_context *ctx, int32_t status);
/// A number of bytes for people: "1.5 GiB".
std::string bytesText(int64_t bytes);

} // namespace arrt

#endif // ARRT_CORE_CONTEXT_H
