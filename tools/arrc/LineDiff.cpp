//===- LineDiff.cpp - Two texts as a unified diff -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// E. Myers, An O(ND) difference algorithm and its variations, 1986: the
// furthest that so many changes reach on each diagonal, kept for every number
// of changes to walk back. Texts that have next to nothing in common are shown
// one behind the other.
//
//===----------------------------------------------------------------------===//

#include "LineDiff.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace {
/// A line of the script: in both, or in one of the two.
struct Step {
  char kind; ///< ' ', '-', '+'
  int a, b;  ///< the numbers of the next lines in front of it
};
} // namespace

/// The shortest script from `a` to `b`, lines as numbers.
static std::vector<Step> findScript(ArrayRef<int> a, ArrayRef<int> b) {
  constexpr int mostChanges = 4000;
  int n = int(a.size()), m = int(b.size());
  int most = std::min(n + m, mostChanges);
  std::vector<std::vector<int>> trace;
  std::vector<int> reach(size_t(2 * most + 3), 0);
  auto at = [&](std::vector<int> &row, int k) -> int & {
    return row[size_t(k + most + 1)];
  };
  int changes = -1;
  for (int d = 0; d <= most && changes < 0; ++d) {
    trace.push_back(reach);
    for (int k = -d; k <= d; k += 2) {
      bool down = k == -d || (k != d && at(reach, k - 1) < at(reach, k + 1));
      int x = down ? at(reach, k + 1) : at(reach, k - 1) + 1;
      int y = x - k;
      while (x < n && y < m && a[size_t(x)] == b[size_t(y)])
        ++x, ++y;
      at(reach, k) = x;
      if (x >= n && y >= m) {
        changes = d;
        break;
      }
    }
  }
  std::vector<Step> script;
  if (changes < 0) {
    for (int x = 0; x < n; ++x)
      script.push_back({'-', x, 0});
    for (int y = 0; y < m; ++y)
      script.push_back({'+', n, y});
    return script;
  }
  int x = n, y = m;
  for (int d = changes; d >= 0; --d) {
    std::vector<int> &row = trace[size_t(d)];
    int k = x - y;
    bool down = k == -d || (k != d && at(row, k - 1) < at(row, k + 1));
    int fromK = down ? k + 1 : k - 1;
    int fromX = d ? at(row, fromK) : 0, fromY = d ? fromX - fromK : 0;
    while (x > fromX && y > fromY && (d == 0 || x > fromX + !down) &&
           (d == 0 || y > fromY + down)) {
      --x, --y;
      script.push_back({' ', x, y});
    }
    if (d == 0)
      break;
    script.push_back({down ? '+' : '-', fromX, fromY});
    x = fromX, y = fromY;
  }
  std::reverse(script.begin(), script.end());
  return script;
}

bool arrc::tool::printDiff(StringRef a, StringRef b, raw_ostream &os,
                           function_ref<std::string(StringRef)> key) {
  StringMap<int> numbers;
  SmallVector<StringRef> lines[2];
  std::vector<int> keys[2];
  for (auto [side, text] : {std::pair(0, a), std::pair(1, b)}) {
    text.rtrim('\n').split(lines[side], '\n');
    for (StringRef line : lines[side])
      keys[side].push_back(
          numbers.try_emplace(key(line), int(numbers.size())).first->second);
  }
  std::vector<Step> script = findScript(keys[0], keys[1]);
  constexpr size_t around = 3;
  bool isAny = false;
  for (size_t i = 0; i < script.size();) {
    if (script[i].kind == ' ') {
      ++i;
      continue;
    }
    isAny = true;
    // To the last change that is near enough to the one before.
    size_t begin = i > around ? i - around : 0, end = i + 1;
    for (size_t j = i; j < script.size() && j < end + 2 * around; ++j)
      if (script[j].kind != ' ')
        end = j + 1;
    end = std::min(end + around, script.size());
    int counts[2] = {0, 0};
    for (size_t j = begin; j < end; ++j) {
      counts[0] += script[j].kind != '+';
      counts[1] += script[j].kind != '-';
    }
    os << "@@ -" << script[begin].a + (counts[0] > 0) << ',' << counts[0]
       << " +" << script[begin].b + (counts[1] > 0) << ',' << counts[1]
       << " @@\n";
    for (size_t j = begin; j < end; ++j) {
      const Step &step = script[j];
      os << step.kind
         << (step.kind == '+' ? lines[1][size_t(step.b)]
                              : lines[0][size_t(step.a)])
         << '\n';
    }
    i = end;
  }
  return isAny;
}
