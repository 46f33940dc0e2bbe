//===- Owners.cpp - which device has which bytes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parts/Owners.h"

#include <algorithm>

using namespace arrt;

void Ranges::settle() {
  std::sort(list.begin(), list.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Range &range : list) {
    if (kept && range.begin <= list[kept - 1].end)
      list[kept - 1].end = std::max(list[kept - 1].end, range.end);
    else
      list[kept++] = range;
  }
  list.resize(kept);
}

void Ranges::clip(int64_t by, int64_t bytes) {
  std::vector<Range> all;
  all.swap(list);
  for (const Range &range : all)
    add(std::max<int64_t>(range.begin + by, 0),
        std::min(range.end + by, bytes));
}

/// The first segment that ends behind `place`.
static size_t find(const std::vector<Owners::Segment> &segments,
                   int64_t place) {
  auto it = std::upper_bound(segments.begin(), segments.end(), place,
                             [](int64_t place, const Owners::Segment &segment) {
                               return place < segment.end;
                             });
  return size_t(it - segments.begin());
}

void Owners::visit(
    int64_t begin, int64_t end,
    const std::function<void(int64_t, int64_t, uint64_t)> &visit) const {
  for (size_t i = find(segments, begin);
       i < segments.size() && segments[i].begin < end; ++i)
    visit(std::max(begin, segments[i].begin), std::min(end, segments[i].end),
          segments[i].devices);
}

void Owners::change(int64_t begin, int64_t end,
                    const std::function<uint64_t(uint64_t)> &to) {
  begin = std::max<int64_t>(begin, 0);
  end = std::min(end, segments.empty() ? 0 : segments.back().end);
  if (begin >= end)
    return;
  size_t from = find(segments, begin), behind = from;
  while (behind < segments.size() && segments[behind].begin < end)
    ++behind;
  // With a neighbour on each side, which may become one with what is new.
  size_t left = from ? from - 1 : 0;
  size_t right = std::min(behind + 1, segments.size());
  std::vector<Segment> pieces;
  auto add = [&](int64_t begin, int64_t end, uint64_t devices) {
    if (begin >= end)
      return;
    if (!pieces.empty() && pieces.back().devices == devices)
      pieces.back().end = end;
    else
      pieces.push_back({begin, end, devices});
  };
  for (size_t i = left; i < right; ++i) {
    const Segment &segment = segments[i];
    add(segment.begin, std::min(segment.end, begin), segment.devices);
    add(std::max(segment.begin, begin), std::min(segment.end, end),
        to(segment.devices));
    add(std::max(segment.begin, end), segment.end, segment.devices);
  }
  segments.erase(segments.begin() + int64_t(left),
                 segments.begin() + int64_t(right));
  segments.insert(segments.begin() + int64_t(left), pieces.begin(),
                  pieces.end());
}
