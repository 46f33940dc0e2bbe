//===- NpyWrite.h - writing .npy files and archives ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_NPYWRITE_H
#define ARRT_IO_NPYWRITE_H

#include "IO/File.h"

namespace arrt {

/// Writes a `.npy` file that is not visible yet; of several processes, which
/// all call it, each writes what its devices have. Returns a status with a
/// message; so do the others.
int32_t writeNpy(arrt_context *ctx, OutputFile &file, const char *path,
                 const arrt_array *array);
/// The same for a `.npz` archive, which the first process writes.
int32_t writeNpz(arrt_context *ctx, OutputFile &file, const char *path,
                 int32_t count, const char *const *names,
                 const arrt_array *const *arrays);
/// Makes a file visible that was written.
int32_t publish(arrt_context *ctx, OutputFile &file, const char *path);

} // namespace arrt

#endif // ARRT_IO_NPYWRITE_H
