//===- ResultSlots.h - results that kernels leave on the host --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A number that a program reads from a device costs a copy, which takes longer
/// than many a kernel. Where nothing but the host reads it, kernels store it to
/// memory of the host: then it is there as soon as they are done.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_RESULTSLOTS_H
#define ARRT_CORE_RESULTSLOTS_H

#include <cstdint>

namespace arrt {

class Device;

/// A page of slots in memory of the host that a device can store to. Made when
/// the first slot is taken.
class ResultSlots {
public:
  static constexpr int64_t slotBytes = 64;
  /// A free slot; null if there is none, or if the device cannot store there.
  void *take(Device &device);
  /// Gives a slot back. Returns false if it is no slot.
  bool give(void *slot);
  bool holds(const void *data) const { return numberOf(data) >= 0; }
  /// The slots that are taken, to give all back that are taken from now on.
  uint64_t mark() const { return taken; }
  void giveBackTo(uint64_t mark) { taken = mark; }
  /// Gives the memory back.
  void release(Device &device);

private:
  static constexpr int count = 64;
  /// The slot at an address, or -1.
  int numberOf(const void *data) const;

  char *memory = nullptr;
  bool isRefused = false;
  uint64_t taken = 0; ///< a bit a slot
};

} // namespace arrt

#endif // ARRT_CORE_RESULTSLOTS_H
