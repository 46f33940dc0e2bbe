//===- NpyHeader.h - the header of a .npy file -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The format: "\x93NUMPY", two version bytes, the length of the header (2
/// bytes in version 1, 4 from version 2), a Python dict literal with the keys
/// descr, fortran_order and shape, blanks and a newline up to a multiple of 64,
/// the data. Source: numpy/lib/format.py.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_NPYHEADER_H
#define ARRT_IO_NPYHEADER_H

#include "arrt/arrt.h"

#include <cstdint>
#include <string>

namespace arrt {

/// What a header says.
struct NpyHeader {
  int32_t element = 0;
  int32_t rank = 0;
  int64_t sizes[ARRT_MAX_RANK] = {};
  bool fortranOrder = false;
  bool swapBytes = false; ///< stored big-endian
};

/// Bytes before the dict literal that `npyPrefix` needs.
constexpr int64_t npyPrefixBytes = 12;
/// The longest header that is read; NumPy's own limit is 10000.
constexpr int64_t npyLongestHeader = 65536;

/// Reads magic, version and length from the first `count` (up to 12) bytes.
/// Gives the place and the length of the dict literal, or an error text.
std::string npyPrefix(const uint8_t *bytes, int64_t count, int64_t &offset,
                      int64_t &length);

/// Reads the dict literal. Returns "" or an error text.
std::string npyParse(const char *text, int64_t length, NpyHeader &header);

/// The whole front of a file, padded to a multiple of 64. bf16 gives "".
std::string npyFormat(int32_t element, int32_t rank, const int64_t *sizes);

} // namespace arrt

#endif // ARRT_IO_NPYHEADER_H
