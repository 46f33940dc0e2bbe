//===- StandardLibrary.h - The files of the compiler ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `std/*.arr`. They are compiled into the tools, so that imports find them
/// wherever those are; their names begin with `arrc:`, as no file's does.
///
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_SYNTAX_STANDARDLIBRARY_H
#define ARRC_LIB_FRONTEND_SYNTAX_STANDARDLIBRARY_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace arrc {

inline constexpr llvm::StringLiteral standardPrefix = "arrc:";

/// The name of a file that is imported by `std/NAME.arr`; empty if there is no
/// such file.
std::string findStandardFile(llvm::StringRef path);

/// The text of a file with such a name.
std::optional<llvm::StringRef> standardText(llvm::StringRef path);

/// The path of the file that somebody may mean by this one, as `std/fft.arr` by
/// `fft`; "" if there is none.
std::string nearStandardFile(llvm::StringRef path);

/// What can be imported, for messages.
std::string listStandardFiles();

} // namespace arrc

#endif // ARRC_LIB_FRONTEND_SYNTAX_STANDARDLIBRARY_H
