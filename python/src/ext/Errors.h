//===- Errors.h - Python's exceptions ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_ERRORS_H
#define ARRC_PYTHON_ERRORS_H

#include <cstdint>
#include <string>

namespace arrc::python {

/// Throws arrc.RunError, or arrc.InputError for what does not fit its
/// declaration.
[[noreturn]] void raiseRunError(int32_t status, const std::string &message);
/// Throws arrc.CompileError.
[[noreturn]] void raiseCompileError(int32_t code, const std::string &message);
/// Throws TypeError.
[[noreturn]] void raiseTypeError(const std::string &message);
/// Throws ValueError.
[[noreturn]] void raiseValueError(const std::string &message);
/// Issues a warning of a class of `arrc`; throws where warnings are errors.
void warn(const char *category, const std::string &message);

} // namespace arrc::python

#endif // ARRC_PYTHON_ERRORS_H
