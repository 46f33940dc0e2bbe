//===- Errors.h - the first error that kernels found -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Many iterations of a kernel may fail, in any order and on any worker. What
/// is reported must not depend on that: it is the failure with the least key,
/// the site in the high bits (source order), the linear index in the low ones.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_ERRORS_H
#define ARRT_CORE_ERRORS_H

#include "arrt/arrt.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace arrt {

/// In place of the number of values: there were some that are not known.
constexpr int32_t lostValues = -1;

/// Keeps the failure with the least (site, index).
class ErrorRecord {
public:
  /// Values kept for a message.
  static constexpr int maxValues = 8;
  /// Bits of the index in a key; a larger index counts as the largest.
  static constexpr int indexBits = 40;

  /// What failures are ordered by.
  static uint64_t keyOf(int32_t site, int64_t index);
  /// Notes a failure. From any thread; cheap when an earlier one is kept.
  void note(int32_t site, int64_t index, int32_t count, const int64_t *values);
  /// True if there is a failure.
  bool isSet() const { return key.load(std::memory_order_acquire) != none; }
  /// Takes the failure out. Returns false if there is none.
  bool take(int32_t &site, int64_t &index, int32_t &count, int64_t *values);
  /// Forgets the failure.
  void clear();

private:
  static constexpr uint64_t none = ~uint64_t(0);
  std::atomic<uint64_t> key{none};
  std::mutex mutex;
  int32_t count = 0;
  int64_t values[maxValues] = {};
};

/// The message of a site with its values put in for {0}, {1}, .., or a question
/// mark for each if they are lost.
std::string formatSite(const arrt_site &site, int32_t count,
                       const int64_t *values);

} // namespace arrt

#endif // ARRT_CORE_ERRORS_H
