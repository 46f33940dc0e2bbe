//===- Crc32.cpp - the check sums of archives -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A sum is a polynomial over GF(2) modulo the one of the standard, with the
// highest power in the lowest bit. Eight bytes go in at a time, each through a
// table of its own ("slicing by eight"): Kounavis and Berry, A Systematic
// Approach to Building High Performance Software-based CRC Generators, 2005.
// Bytes that follow multiply what was there by a power of x.
//
//===----------------------------------------------------------------------===//

#include "IO/Crc32.h"

#include <array>
#include <cstddef>

using namespace arrt;

namespace {
constexpr uint32_t polynomial = 0xedb88320;
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables makeTables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k)
      c = c & 1 ? polynomial ^ (c >> 1) : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t t = 1; t < 8; ++t)
    for (std::size_t i = 0; i < 256; ++i) {
      uint32_t c = tables[t - 1][i];
      tables[t][i] = tables[0][c & 0xff] ^ (c >> 8);
    }
  return tables;
}
constexpr Tables tables = makeTables();

/// The product of two polynomials.
uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = uint32_t(1) << 31; bit; bit >>= 1) {
    if (a & bit)
      product ^= b;
    b = b & 1 ? polynomial ^ (b >> 1) : b >> 1;
  }
  return product;
}
} // namespace

uint32_t arrt::crc32(uint32_t crc, const void *data, int64_t bytes) {
  auto *next = static_cast<const uint8_t *>(data);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    uint32_t low = crc ^ (uint32_t(next[0]) | uint32_t(next[1]) << 8 |
                          uint32_t(next[2]) << 16 | uint32_t(next[3]) << 24);
    crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^
          tables[5][low >> 16 & 0xff] ^ tables[4][low >> 24] ^
          tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^
          tables[0][next[7]];
  }
  for (; bytes > 0; --bytes, ++next)
    crc = tables[0][(crc ^ *next) & 0xff] ^ (crc >> 8);
  return ~crc;
}

uint32_t arrt::joinCrc32(uint32_t first, uint32_t second, int64_t secondBytes) {
  // x^(8 * secondBytes) by squares; 1 and x^8 stand in the highest bits.
  uint32_t power = uint32_t(1) << 31, square = uint32_t(1) << 23;
  for (uint64_t rest = uint64_t(secondBytes); rest; rest >>= 1) {
    if (rest & 1)
      power = multiply(power, square);
    square = multiply(square, square);
  }
  return multiply(power, first) ^ second;
}
