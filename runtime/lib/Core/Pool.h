//===- Pool.h - blocks of device memory that are used again ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocation costs a system call and, for large blocks, the zeroing of every
/// page; programs allocate the same few sizes again and again. The pool keeps
/// freed blocks by size class and hands the one freed last out first, while it
/// is still warm. Classes grow by quarters of a power of two, so at most a
/// quarter of a block is unused. Bookkeeping stands beside the blocks, never in
/// them: the memory may be a device's.
///
/// A pool that is off is for sanitizers, which watch the bounds of allocations:
/// each block is one, of the very size, and is given back when it is released.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_POOL_H
#define ARRT_CORE_POOL_H

#include "Core/Device.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace arrt {

/// A pool over one device. All functions may be called from any thread.
class Pool {
public:
  /// `limit` is the most that the pool holds in bytes; 0: no limit.
  Pool(Device &device, int64_t limit, bool isOff = false)
      : device(device), limit(limit), isOff(isOff) {}
  /// Gives everything back, blocks in use too.
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// A block of at least `bytes`, or null. It belongs to `frame` (see
  /// `releaseFrame`); frame 0 is never released as a whole.
  void *allocate(int64_t bytes, uint64_t frame);
  /// Gives a block back to the pool. Returns false if it is no block in use.
  bool release(void *data);
  /// Moves a block to another frame. Returns false if it is no block in use.
  bool setFrame(void *data, uint64_t frame);
  /// Gives all blocks of a frame back.
  void releaseFrame(uint64_t frame);
  /// The bytes of a block in use, or -1.
  int64_t sizeOf(const void *data) const;
  /// Gives the free blocks back to the device.
  void trim();
  /// From now on keeps what is released: a recording will use it again.
  void hold();
  /// Ends that. Returns the blocks that were kept, which are still in use.
  std::vector<void *> endHold();

  /// Bytes in blocks that are in use.
  int64_t inUse() const;
  /// The largest value that inUse ever had.
  int64_t peak() const;
  /// What an allocation could still get: free blocks and the device's rest.
  int64_t available() const;
  /// Why an allocation failed last, if not for want of memory; else "".
  std::string problem() const { return device.allocationProblem(); }

  /// The size of the class that holds `bytes`, or -1 if none does.
  static int64_t classSize(int64_t bytes);
  /// The bytes that `allocate` takes for `bytes`; -1 if it refuses.
  int64_t rounded(int64_t bytes) const;

private:
  struct Block {
    int64_t bytes;
    uint64_t frame;
    bool isHeld = false; ///< released, and kept for a recording
  };
  using Blocks = std::unordered_map<void *, Block>;
  void trimLocked();
  /// Gives a block in use back; the one behind it.
  Blocks::iterator noteFree(Blocks::iterator block);

  Device &device;
  int64_t limit;
  bool isOff, isHolding = false;
  std::vector<void *> held;
  mutable std::mutex mutex;
  Blocks used;
  std::unordered_map<int64_t, std::vector<void *>> free;
  int64_t usedBytes = 0, freeBytes = 0, peakBytes = 0;
};

} // namespace arrt

#endif // ARRT_CORE_POOL_H
