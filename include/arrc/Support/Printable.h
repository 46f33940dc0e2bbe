//===- Printable.h - Text of others in messages -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_PRINTABLE_H
#define ARRC_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace arrc {

/// File names, names and values for a message: what is no printable character
/// becomes `\n`, `\x1b`, `\u202e`. A message may have several lines itself,
/// which `keepLines` leaves.
std::string printable(llvm::StringRef text, bool keepLines = false);

} // namespace arrc

#endif // ARRC_SUPPORT_PRINTABLE_H
