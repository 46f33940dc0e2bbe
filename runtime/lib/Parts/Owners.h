//===- Owners.h - which device has which bytes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_PARTS_OWNERS_H
#define ARRT_PARTS_OWNERS_H

#include <cstdint>
#include <functional>
#include <vector>

namespace arrt {

/// Bytes `begin` to `end` (excluded).
struct Range {
  int64_t begin, end;
};

/// Bytes, in any order until `settle`.
class Ranges {
public:
  void add(int64_t begin, int64_t end) {
    if (begin >= end)
      return;
    if (!list.empty() && list.back().end == begin)
      list.back().end = end;
    else
      list.push_back({begin, end});
  }
  void add(const Ranges &other) {
    list.insert(list.end(), other.list.begin(), other.list.end());
  }
  /// Puts them in order, each byte once.
  void settle();
  /// Keeps what lies in the range, moved by `by`.
  void clip(int64_t by, int64_t bytes);
  const std::vector<Range> &get() const { return list; }

private:
  std::vector<Range> list;
};

/// Of each byte of a block the devices that have it, as bits. None: it was
/// never written, or nobody knows any more what it was.
class Owners {
public:
  explicit Owners(int64_t bytes) : segments{{0, bytes, 0}} {}

  struct Segment {
    int64_t begin, end;
    uint64_t devices;
    bool operator==(const Segment &other) const {
      return begin == other.begin && end == other.end &&
             devices == other.devices;
    }
  };
  const std::vector<Segment> &get() const { return segments; }

  /// From now on these devices have the bytes, and no other.
  void set(int64_t begin, int64_t end, uint64_t devices) {
    change(begin, end, [&](uint64_t) { return devices; });
  }
  /// This one has them as well.
  void add(int64_t begin, int64_t end, uint64_t devices) {
    change(begin, end, [&](uint64_t had) { return had | devices; });
  }
  /// Calls `visit` with each piece of the range that has one answer.
  void visit(int64_t begin, int64_t end,
             const std::function<void(int64_t begin, int64_t end,
                                      uint64_t devices)> &visit) const;
  bool operator==(const Owners &other) const {
    return segments == other.segments;
  }

private:
  void change(int64_t begin, int64_t end,
              const std::function<uint64_t(uint64_t)> &to);
  std::vector<Segment> segments; ///< of all bytes, in order, merged
};

} // namespace arrt

#endif // ARRT_PARTS_OWNERS_H
