//===- TrustedFolder.h - folders that others cannot change -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_TRUSTEDFOLDER_H
#define ARRT_CORE_TRUSTEDFOLDER_H

#include <string>

struct stat;

namespace arrt {

/// Opens a folder if nobody but this user and root can change what its path
/// leads to; makes what is missing of it, for this user alone, if `make`.
/// Returns a descriptor, or -1 with `danger` set if others could.
int openTrustedFolder(const std::string &path, bool make, std::string &danger);

/// Whether what `info` describes is this user's and no one else may write to
/// it; else `danger` says why not.
bool isOwnAlone(const struct stat &info, std::string &danger);

} // namespace arrt

#endif // ARRT_CORE_TRUSTEDFOLDER_H
