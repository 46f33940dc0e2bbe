//===- NpyHeader.cpp - the header of a .npy file --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The dict literal comes from a file that anyone may have written. Only the
// shapes that NumPy writes are read: no nesting beyond one tuple or list, no
// escapes, no arithmetic; every key once. There is nothing to recurse into.
//
//===----------------------------------------------------------------------===//

#include "IO/NpyHeader.h"

#include <cstring>

using namespace arrt;

namespace {

/// NumPy's letters for what we have; bf16 has none.
struct Kind {
  char letter;
  int bytes;
  arrt_element element;
};
const Kind kinds[] = {
    {'b', 1, ARRT_BOOL}, {'i', 1, ARRT_I8},    {'i', 2, ARRT_I16},
    {'i', 4, ARRT_I32},  {'i', 8, ARRT_I64},   {'u', 1, ARRT_U8},
    {'u', 2, ARRT_U16},  {'u', 4, ARRT_U32},   {'u', 8, ARRT_U64},
    {'f', 2, ARRT_F16},  {'f', 4, ARRT_F32},   {'f', 8, ARRT_F64},
    {'c', 8, ARRT_C64},  {'c', 16, ARRT_C128},
};

/// A header's bytes made printable, for a message.
std::string shown(const std::string &text) {
  std::string result;
  for (char c : text.substr(0, 40))
    result += c >= ' ' && c < 127 ? c : '?';
  return result;
}

class Parser {
public:
  Parser(const char *text, int64_t length, NpyHeader &header)
      : next(text), end(text + length), header(header) {}

  std::string parse() {
    bool haveDescr = false, haveOrder = false, haveShape = false;
    blanks();
    if (!take('{'))
      return "its header is not a dict";
    for (blanks(); !take('}'); blanks()) {
      std::string key;
      if (!string(key))
        return "its header has a key that is not a string";
      blanks();
      if (!take(':'))
        return "its header has no ':' after '" + shown(key) + "'";
      blanks();
      std::string error;
      bool *have = key == "descr"           ? &haveDescr
                   : key == "fortran_order" ? &haveOrder
                   : key == "shape"         ? &haveShape
                                            : nullptr;
      if (!have)
        return "its header has the unknown key '" + shown(key) + "'";
      if (*have)
        return "its header has the key '" + key + "' twice";
      *have = true;
      error = have == &haveDescr   ? descr()
              : have == &haveOrder ? order()
                                   : shape();
      if (!error.empty())
        return error;
      blanks();
      if (take(','))
        continue;
      if (!take('}'))
        return "its header has no ',' after the value of '" + key + "'";
      break;
    }
    blanks();
    if (next != end)
      return "its header goes on after the dict";
    for (auto [have, name] :
         {std::pair(haveDescr, "descr"), std::pair(haveOrder, "fortran_order"),
          std::pair(haveShape, "shape")})
      if (!have)
        return std::string("its header has no '") + name + "'";
    return "";
  }

private:
  void blanks() {
    while (next != end &&
           (*next == ' ' || *next == '\n' || *next == '\t' || *next == '\r'))
      ++next;
  }
  bool take(char c) {
    if (next == end || *next != c)
      return false;
    ++next;
    return true;
  }
  bool word(const char *text) {
    size_t length = std::strlen(text);
    if (size_t(end - next) < length || std::memcmp(next, text, length))
      return false;
    next += length;
    return true;
  }
  bool string(std::string &text) {
    if (next == end || (*next != '\'' && *next != '"'))
      return false;
    char quote = *next++;
    const char *begin = next;
    while (next != end && *next != quote) {
      if (*next == '\\' || *next == '\n' || *next == '\0')
        return false;
      ++next;
    }
    text.assign(begin, next);
    return take(quote);
  }

  std::string descr() {
    if (next != end && (*next == '[' || *next == '('))
      return "it holds records; save each field as an array of its own";
    std::string text;
    if (!string(text))
      return "its 'descr' is not a string";
    size_t at = 0;
    char endian = '|';
    if (at < text.size() && std::strchr("<>|=", text[at]))
      endian = text[at++];
    std::string what =
        "it holds elements of NumPy's type '" + shown(text) + "'";
    if (at >= text.size())
      return "its 'descr' is empty";
    char letter = text[at++];
    // What people try: names of things beat NumPy's letters.
    if (letter == 'U' || letter == 'S')
      return what + ", which is text";
    if (letter == 'O')
      return what + ", which are Python objects";
    if (letter == 'M' || letter == 'm')
      return what + ", which are dates or times";
    int bytes = 0;
    for (;
         at < text.size() && text[at] >= '0' && text[at] <= '9' && bytes < 1000;
         ++at)
      bytes = bytes * 10 + (text[at] - '0');
    if (at == text.size())
      for (const Kind &kind : kinds)
        if (kind.letter == letter && kind.bytes == bytes) {
          header.element = kind.element;
          header.swapBytes = endian == '>' && bytes > 1;
          return "";
        }
    return what + ", which the language does not have";
  }

  std::string order() {
    if (word("True"))
      header.fortranOrder = true;
    else if (word("False"))
      header.fortranOrder = false;
    else
      return "its 'fortran_order' is neither True nor False";
    return "";
  }

  std::string shape() {
    if (!take('('))
      return "its 'shape' is not a tuple";
    bool comma = true;
    header.rank = 0;
    for (blanks(); !take(')'); blanks()) {
      if (!comma)
        return "its 'shape' has no ',' between two sizes";
      if (next == end || *next < '0' || *next > '9')
        return "its 'shape' holds something that is not a size";
      if (header.rank == ARRT_MAX_RANK)
        return "it has more than 8 dimensions";
      int64_t size = 0;
      const char *begin = next;
      for (; next != end && *next >= '0' && *next <= '9'; ++next)
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, *next - '0', &size))
          return "its 'shape' holds a size above 2^63 - 1";
      if (next - begin > 1 && *begin == '0')
        return "its 'shape' holds a size with a leading 0";
      take('L'); // Python 2 wrote it
      header.sizes[header.rank++] = size;
      blanks();
      comma = take(',');
    }
    // (3) is a number in Python, (3,) a tuple.
    if (header.rank == 1 && !comma)
      return "its 'shape' is not a tuple";
    return "";
  }

  const char *next, *end;
  NpyHeader &header;
};

} // namespace

std::string arrt::npyPrefix(const uint8_t *bytes, int64_t count,
                            int64_t &offset, int64_t &length) {
  static const char magic[] = "\x93NUMPY";
  if (count < 6 || std::memcmp(bytes, magic, 6)) {
    if (count >= 4 && !std::memcmp(bytes, "PK\3\4", 4))
      return "it is a .npz archive; those are read for structs, a member a "
             "field";
    return count == 0 ? "it is empty" : "it is not a .npy file";
  }
  if (count < 10)
    return "it ends inside its header";
  int version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0)
    return "it has version " + std::to_string(bytes[6]) + "." +
           std::to_string(bytes[7]) + "; 1.0, 2.0 and 3.0 are known";
  if (version == 1) {
    offset = 10;
    length = bytes[8] | bytes[9] << 8;
  } else {
    if (count < 12)
      return "it ends inside its header";
    offset = 12;
    length = int64_t(bytes[8]) | int64_t(bytes[9]) << 8 |
             int64_t(bytes[10]) << 16 | int64_t(bytes[11]) << 24;
  }
  if (length > npyLongestHeader)
    return "its header has " + std::to_string(length) + " bytes, at most " +
           std::to_string(npyLongestHeader) + " are read";
  return "";
}

std::string arrt::npyParse(const char *text, int64_t length,
                           NpyHeader &header) {
  return Parser(text, length, header).parse();
}

std::string arrt::npyFormat(int32_t element, int32_t rank,
                            const int64_t *sizes) {
  std::string dict;
  for (const Kind &kind : kinds)
    if (kind.element == element)
      dict = std::string("{'descr': '") + (kind.bytes == 1 ? '|' : '<') +
             kind.letter + std::to_string(kind.bytes) +
             "', 'fortran_order': False, 'shape': (";
  if (dict.empty())
    return "";
  for (int32_t d = 0; d < rank; ++d)
    dict += (d ? " " : "") + std::to_string(sizes[d]) +
            (d + 1 < rank || rank == 1 ? "," : "");
  dict += "), }";
  size_t total = (10 + dict.size() + 1 + 63) / 64 * 64;
  dict.resize(total - 11, ' ');
  dict += '\n';
  std::string front("\x93NUMPY\x01\x00", 8);
  front += char(dict.size() & 0xff);
  front += char(dict.size() >> 8);
  return front + dict;
}
