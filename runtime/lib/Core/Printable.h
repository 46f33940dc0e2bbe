//===- Printable.h - text of others in messages ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_PRINTABLE_H
#define ARRT_CORE_PRINTABLE_H

#include <string>

namespace arrt {

/// File names, names and values for a message of one line: control characters,
/// those that change the direction of text and bytes that are no UTF-8 become
/// `\n`, `\x1b`, `\u202e`.
std::string printable(const std::string &text);

} // namespace arrt

#endif // ARRT_CORE_PRINTABLE_H
