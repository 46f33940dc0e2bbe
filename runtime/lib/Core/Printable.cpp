//===- Printable.cpp - text of others in messages -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Printable.h"

#include <cstdint>
#include <cstdio>

using namespace arrt;

/// The bytes of the UTF-8 sequence at `at`, and its code point; 0 if there is
/// none.
static size_t decode(const std::string &text, size_t at, uint32_t &point) {
  auto byte = [&](size_t i) {
    return at + i < text.size() ? uint8_t(text[at + i]) : 0;
  };
  point = byte(0);
  size_t length = point < 0x80             ? 1
                  : (point & 0xe0) == 0xc0 ? 2
                  : (point & 0xf0) == 0xe0 ? 3
                  : (point & 0xf8) == 0xf0 ? 4
                                           : 0;
  if (length < 2)
    return length;
  point &= 0x7f >> length;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isSurrogate = point >= 0xd800 && point < 0xe000;
  return point < least[length] || point > 0x10ffff || isSurrogate ? 0 : length;
}

/// Whether a terminal would do something else than to show it.
static bool isControl(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x061c ||
         (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

std::string arrt::printable(const std::string &text) {
  std::string result;
  char escape[16];
  for (size_t at = 0; at < text.size();) {
    uint32_t point = 0;
    size_t length = decode(text, at, point);
    if (length && !isControl(point)) {
      result.append(text, at, length);
    } else if (text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
      result += text[at] == '\n' ? "\\n" : text[at] == '\r' ? "\\r" : "\\t";
    } else {
      bool isByte = length < 2;
      std::snprintf(escape, sizeof escape, isByte ? "\\x%02x" : "\\u%04x",
                    unsigned(isByte ? uint8_t(text[at]) : point));
      result += escape;
    }
    at += length ? length : 1;
  }
  return result;
}
