//===- JoinPTX.h - Several images of PTX as one text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_JOINPTX_H
#define ARRC_TOOLS_ARRC_JOINPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace arrc::tool {

/// One module of PTX with all that `images` hold, which are for one card: pairs
/// of a name and a text. A kernel that several of them have under one name has
/// that of its image.
std::string
joinPTX(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> images);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_JOINPTX_H
