//===- Signature.h - what a call gives and its entry takes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated code reads its arguments without a look at them: an array of other
/// elements or of fewer would be read as what it is not. All that the table of
/// a program says of an entry is compared here, before its code runs.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_SIGNATURE_H
#define ARRT_CORE_SIGNATURE_H

#include "arrt/arrt.h"

namespace arrt {

/// Checks the arguments of a call, and that there is a place for each result.
/// Returns a status, whose message names the first that does not fit.
int32_t checkArguments(arrt_context *ctx, const arrt_entry *entry, void **args,
                       int32_t count);

/// Checks what a call gave, likewise: a fault of the program.
int32_t checkResults(arrt_context *ctx, const arrt_entry &entry, void **args);

/// Makes the places of results null, but for those of arguments as well.
void forgetResults(const arrt_entry &entry, void **args);

} // namespace arrt

#endif // ARRT_CORE_SIGNATURE_H
