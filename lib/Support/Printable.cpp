//===- Printable.cpp - Text of others in messages -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/Printable.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

std::string arrc::printable(StringRef text, bool keepLines) {
  std::string result;
  raw_string_ostream os(result);
  while (!text.empty()) {
    auto *begin = reinterpret_cast<const UTF8 *>(text.data());
    const UTF8 *next = begin;
    UTF32 point = 0;
    bool isText = convertUTF8Sequence(&next, begin + text.size(), &point,
                                      strictConversion) == conversionOK;
    size_t length = isText ? next - begin : 1;
    if (isText && ((sys::unicode::isPrintable(point) &&
                    !sys::unicode::isFormatting(point)) ||
                   (keepLines && point == '\n')))
      os << text.take_front(length);
    else if (isText && (point == '\n' || point == '\r' || point == '\t'))
      os << (point == '\n' ? "\\n" : point == '\r' ? "\\r" : "\\t");
    else if (length == 1)
      os << format("\\x%02x", *begin);
    else
      os << format("\\u%04x", point);
    text = text.drop_front(length);
  }
  return result;
}
