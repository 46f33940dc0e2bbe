//===- IndexLimits.h - How far indices go -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What is taken for granted of numbers that count elements: sums and products
// of them that stay within 64 bits for these do not wrap.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_INDEXLIMITS_H
#define ARRC_SUPPORT_INDEXLIMITS_H

#include <cstdint>

namespace arrc {

/// The largest size of a dimension that a program is given.
inline constexpr int64_t maxGivenSize = int64_t(1) << 48;

/// What an index counts to: more steps are never done.
inline constexpr int64_t maxIndex = int64_t(1) << 42;

} // namespace arrc

#endif // ARRC_SUPPORT_INDEXLIMITS_H
