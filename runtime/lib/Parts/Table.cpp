//===- Table.cpp - what parts of a kernel touch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parts/Table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace arrt;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The next word, up to a space; empty at the end.
static std::string word(const char *&text) {
  while (*text == ' ')
    ++text;
  const char *begin = text;
  while (*text && *text != ' ')
    ++text;
  return std::string(begin, text);
}

static bool readNumber(const std::string &text, int64_t &number) {
  char *end = nullptr;
  number = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && !*end;
}

bool PartExpression::read(const char *&text) {
  size_t depth = 0;
  for (;;) {
    std::string next = word(text);
    if (next == ",")
      return depth == (steps.empty() ? 0 : 1);
    int64_t number = 0;
    if (next.size() > 1 && next[0] == 'a' &&
        readNumber(next.substr(1), number) && number >= 0)
      steps.push_back({'a', number}), ++depth;
    else if (next.size() > 1 && next[0] == 'g' &&
             readNumber(next.substr(1), number) && number >= 0 && depth > 1)
      steps.push_back({'g', number}), --depth;
    else if (next == "l" || next == "h")
      steps.push_back({next[0], 0}), ++depth;
    else if (readNumber(next, number))
      steps.push_back({'#', number}), ++depth;
    else if (next.size() == 1 && std::strchr("+*/c%<>", next[0]) && depth > 1)
      steps.push_back({next[0], 0}), --depth;
    else
      return false;
  }
}

bool arrt::readPartTable(const char *text, std::vector<PartCut> &cuts,
                         std::string &reason) {
  for (std::string next = word(text); !next.empty(); next = word(text)) {
    int64_t number = 0;
    if (next == "cut") {
      if (!readNumber(word(text), number) || number < -1)
        return false;
      cuts.emplace_back();
      cuts.back().pair = int(number);
      continue;
    }
    if (next == "because" && *text) {
      reason = text + 1;
      return true;
    }
    if (next != "box" || cuts.empty())
      return false;
    PartBox box;
    int64_t pointer, rank;
    if (!readNumber(word(text), pointer) || pointer < 0)
      return false;
    std::string kind = word(text);
    if (kind == "u")
      box.combiner = word(text);
    if (kind.size() != 1 || !std::strchr("rwtu", kind[0]) ||
        !readNumber(word(text), box.elementBytes) || box.elementBytes <= 0 ||
        !readNumber(word(text), rank) || rank < 0 || rank > 64 ||
        !box.first.read(text))
      return false;
    box.pointer = int(pointer);
    box.kind = kind[0];
    box.dimensions.resize(size_t(rank));
    for (PartBox::Dimension &dim : box.dimensions) {
      if (!dim.size.read(text) || !dim.stride.read(text) ||
          !dim.lower.read(text) || !dim.upper.read(text))
        return false;
      std::string edge = word(text);
      if (edge.size() != 1 || !std::strchr("ncwmro", edge[0]) ||
          dim.size.isEmpty() || dim.stride.isEmpty())
        return false;
      dim.edge = edge[0];
    }
    cuts.back().boxes.push_back(std::move(box));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t PartExpression::get(const std::function<int64_t(int)> &argument,
                            int64_t low, int64_t high,
                            const ReadNumber &read) const {
  int64_t stack[64];
  size_t depth = 0;
  for (const Step &step : steps) {
    if (step.kind == '#' || step.kind == 'a' || step.kind == 'l' ||
        step.kind == 'h') {
      if (depth == 64)
        return 0;
      stack[depth++] = step.kind == '#'   ? step.number
                       : step.kind == 'l' ? low
                       : step.kind == 'h' ? high
                                          : argument(int(step.number));
      continue;
    }
    int64_t b = stack[--depth], &a = stack[depth - 1];
    switch (step.kind) {
    case '+':
      a += b;
      break;
    case '*':
      a *= b;
      break;
    case '/':
      a = floorDivide(a, b);
      break;
    case 'c':
      a = -floorDivide(-a, b);
      break;
    case '%':
      a -= floorDivide(a, b) * b;
      break;
    case '<':
      a = std::min(a, b);
      break;
    case 'g':
      a = a >= b ? INT64_MAX / 2 : read ? read(int(step.number), a, b) : 0;
      break;
    default:
      a = std::max(a, b);
    }
  }
  return depth ? stack[0] : 0;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// More pieces of a box are not told apart.
static constexpr size_t mostPieces = size_t(1) << 20;

namespace {
struct Side {
  int64_t size, stride;
  std::vector<Range> parts; ///< of indices
};

/// Where a box is in memory, as bytes behind the pointer.
struct Walk {
  const std::vector<Side> &sides;
  int64_t bytes;
  Ranges &ranges;
  size_t pieces = 0;

  /// Whether dimensions from `dim` on lie dense in memory and are whole, with
  /// `count` elements.
  bool isDense(size_t dim, int64_t &count) const {
    count = 1;
    for (size_t d = sides.size(); d-- > dim;) {
      const Side &side = sides[d];
      if (side.stride != count || side.parts.size() != 1 ||
          side.parts[0].begin != 0 || side.parts[0].end != side.size)
        return false;
      count *= side.size;
    }
    return true;
  }

  bool add(size_t dim, int64_t at) {
    int64_t count = 1;
    if (dim == sides.size() || isDense(dim, count)) {
      ranges.add(at * bytes, (at + count) * bytes);
      return ++pieces <= mostPieces;
    }
    const Side &side = sides[dim];
    bool isRow = isDense(dim + 1, count) && side.stride == count;
    for (const Range &part : side.parts) {
      if (isRow) {
        ranges.add((at + part.begin * count) * bytes,
                   (at + part.end * count) * bytes);
        if (++pieces > mostPieces)
          return false;
        continue;
      }
      for (int64_t i = part.begin; i < part.end; ++i)
        if (!add(dim + 1, at + i * side.stride))
          return false;
    }
    return true;
  }
};
} // namespace

/// The indices from `low` to `high` (excluded) as the edge maps them.
static void mapEdge(char edge, int64_t size, int64_t low, int64_t high,
                    std::vector<Range> &parts) {
  if (low >= high || size <= 0)
    return;
  int64_t before = std::max<int64_t>(-low, 0);
  int64_t behind = std::max<int64_t>(high - size, 0);
  auto clip = [&](int64_t begin, int64_t end) {
    begin = std::max<int64_t>(begin, 0);
    end = std::min(end, size);
    if (begin < end)
      parts.push_back({begin, end});
  };
  if (edge == 'n' || edge == 'o' || (!before && !behind))
    return clip(low, high);
  if (edge == 'c')
    return clip(std::min(low, size - 1), std::max<int64_t>(high, 1));
  if (edge == 'w') {
    // A part that is outside as a whole comes in on the other side.
    int64_t turns = floorDivide(low, size);
    low -= turns * size, high -= turns * size;
    if (high - low >= size)
      return clip(0, size);
    if (high <= size)
      return clip(low, high);
    clip(0, high - size);
    return clip(low, size);
  }
  // Turned at the edge, with the edge twice or once.
  if (before > size || behind > size)
    return clip(0, size);
  clip(std::min(low, size - behind - 1),
       std::max(high, std::min(before + 1, size)));
}

PartBox::Fit PartBox::getRanges(const std::function<int64_t(int)> &argument,
                                int64_t low, int64_t high, Ranges &ranges,
                                const ReadNumber &given) const {
  std::vector<Side> sides(dimensions.size());
  std::vector<Range> ends(dimensions.size());
  for (size_t d = 0; d < sides.size(); ++d) {
    const Dimension &dim = dimensions[d];
    Side &side = sides[d];
    side.size = dim.size.get(argument, low, high);
    side.stride = dim.stride.get(argument, low, high);
    auto share = [&](int, int64_t index, int64_t length) {
      return int64_t(__int128(side.size) * index / length);
    };
    const ReadNumber read = given ? given : ReadNumber(share);
    ends[d].begin =
        dim.lower.isEmpty() ? 0 : dim.lower.get(argument, low, high, read);
    ends[d].end = dim.upper.isEmpty()
                      ? side.size
                      : dim.upper.get(argument, low, high, read);
    if (ends[d].begin >= ends[d].end || side.size <= 0)
      return Fit::Exact;
  }
  Fit fit = Fit::Exact;
  for (size_t d = sides.size(); d-- > 1;) {
    if (dimensions[d].edge != 'o' || ends[d].end <= sides[d].size)
      continue;
    fit = Fit::Rows;
    // It counts on from the row's first element, never from one before.
    ends[d - 1].begin += std::max<int64_t>(ends[d].begin, 0) / sides[d].size;
    ends[d - 1].end += floorDivide(ends[d].end - 1, sides[d].size);
    ends[d] = {0, sides[d].size};
  }
  int64_t start = first.get(argument, low, high), least = start, most = start;
  for (size_t d = 0; d < sides.size(); ++d) {
    Side &side = sides[d];
    mapEdge(dimensions[d].edge, side.size, ends[d].begin, ends[d].end,
            side.parts);
    if (side.parts.empty())
      return Fit::Exact;
    int64_t a = side.parts.front().begin * side.stride;
    int64_t b = (side.parts.back().end - 1) * side.stride;
    least += std::min(a, b), most += std::max(a, b);
  }
  Ranges pieces;
  Walk walk{sides, elementBytes, pieces};
  if (walk.add(0, start)) {
    ranges.add(pieces);
    return fit;
  }
  ranges.add(least * elementBytes, (most + 1) * elementBytes);
  return Fit::Around;
}
