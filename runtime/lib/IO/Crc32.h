//===- Crc32.h - the check sums of archives --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_CRC32_H
#define ARRT_IO_CRC32_H

#include <cstdint>

namespace arrt {

/// The CRC-32 of zip archives: of the bytes that gave `crc` and these.
uint32_t crc32(uint32_t crc, const void *data, int64_t bytes);

/// Of two pieces one after the other, whose check sums are known.
uint32_t joinCrc32(uint32_t first, uint32_t second, int64_t secondBytes);

} // namespace arrt

#endif // ARRT_IO_CRC32_H
