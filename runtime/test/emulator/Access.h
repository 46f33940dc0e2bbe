//===- Access.h - from addresses to memory ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_ACCESS_H
#define ARRT_TEST_EMULATOR_ACCESS_H

#include "emulator/Launch.h"

namespace emulator {

/// The places in the host's memory that the lanes of a request touch. Refuses
/// what is outside of everything allocated, or not aligned.
class Access {
public:
  /// `bytes` of each lane, of which only those in front are used if `used` is
  /// less; both are aligned to `bytes`.
  Access(Warp &warp, const Instruction &at, Mask mask, uint64_t bytes)
      : Access(warp, at, mask, bytes, bytes) {}
  Access(Warp &warp, const Instruction &at, Mask mask, uint64_t bytes,
         uint64_t used);
  char *operator[](int lane) const { return places[lane]; }

  /// ARRC_EMULATOR_CHECK is on for this space.
  bool isChecked() const;
  void checkLoads() const;
  /// Before the store.
  void checkStore(int lane, const void *value) const;
  /// Before an atomic operation.
  void checkUpdate(int lane) const;

private:
  [[noreturn]] void fail(const char *why, uint64_t address, int lane) const;
  char *resolve(uint64_t address, uint64_t low, int lane) const;

  Warp &warp;
  const Instruction &at;
  const Mask mask;
  const uint64_t bytes; ///< that are used
  char *places[lanes];
};

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_ACCESS_H
