//===- NpyRead.h - an array out of a file or a part of one -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_NPYREAD_H
#define ARRT_IO_NPYREAD_H

#include "IO/File.h"

namespace arrt {

/// Reads the `.npy` data that fill `size` bytes from `begin` on. `name` is for
/// messages; all of them give the check sum `sum` if it is there. Null with a
/// message on failure.
arrt_array *readNpy(arrt_context *ctx, const InputFile &file, int64_t begin,
                    int64_t size, const char *name,
                    const uint32_t *sum = nullptr);

} // namespace arrt

#endif // ARRT_IO_NPYREAD_H
