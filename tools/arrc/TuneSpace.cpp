//===- TuneSpace.cpp - Schedules that a tuner tries -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TuneSpace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace llvm;
using namespace arrc::tool;

std::string arrc::tool::readTuneDim(StringRef text,
                                    std::vector<TuneDim> &dims) {
  auto [name, range] = text.split('=');
  auto dim = StringSwitch<std::optional<TuneDim>>(name)
                 .Case("threads", TuneDim{TuneDim::Threads, 32, 1024})
                 .Case("shape", TuneDim{TuneDim::Shape, 1, 1024})
                 .Case("coarsen", TuneDim{TuneDim::Coarsen, 1, 16})
                 .Case("vector", TuneDim{TuneDim::Vector, 1, 16})
                 .Case("steps", TuneDim{TuneDim::Steps, 1, 64})
                 .Default(std::nullopt);
  if (!dim)
    return "'" + name.str() +
           "' cannot be varied: write threads, shape, coarsen, vector, steps";
  if (text.contains('=')) {
    auto [low, high] = range.split("..");
    if (low.getAsInteger(10, dim->low) || high.getAsInteger(10, dim->high) ||
        dim->low < 1 || dim->high < dim->low)
      return "'" + range.str() + "' is no range: write " + name.str() +
             "=32..1024";
  }
  dims.push_back(*dim);
  return "";
}

namespace {
/// A number in the text of a schedule.
struct Digit {
  size_t begin, end;
  int64_t number;
};
} // namespace

/// The numbers behind `word` (`unroll 4`, `thread.x 256`), in their order.
static std::vector<Digit> digitsOf(StringRef text, StringRef word) {
  std::vector<Digit> digits;
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t begin = at + word.size();
    StringRef number =
        text.substr(begin).take_while([](char c) { return isDigit(c); });
    int64_t is = 0;
    if (!number.getAsInteger(10, is))
      digits.push_back({begin, begin + number.size(), is});
  }
  return digits;
}

static std::string replaced(StringRef text, std::map<size_t, int64_t> numbers,
                            ArrayRef<Digit> digits) {
  std::string made = text.str();
  for (const Digit &digit : reverse(digits))
    if (auto it = numbers.find(digit.begin); it != numbers.end())
      made.replace(digit.begin, digit.end - digit.begin,
                   std::to_string(it->second));
  return made;
}

std::vector<std::string> arrc::tool::vary(StringRef schedule,
                                          const TuneDim &dim) {
  std::vector<std::string> made;
  std::vector<Digit> x = digitsOf(schedule, "thread.x "),
                     y = digitsOf(schedule, "thread.y ");
  auto each = [&](ArrayRef<Digit> digits) {
    for (const Digit &digit : digits)
      for (int64_t number = 1; number <= dim.high; number *= 2)
        if (number >= dim.low && number != digit.number)
          made.push_back(replaced(schedule, {{digit.begin, number}}, digits));
  };
  switch (dim.kind) {
  case TuneDim::Threads: {
    if (x.size() != 1)
      break;
    int64_t others = y.size() == 1 ? y[0].number : 1;
    for (int64_t number = 1; number * others <= dim.high; number *= 2)
      if (number * others >= dim.low && number != x[0].number)
        made.push_back(replaced(schedule, {{x[0].begin, number}}, x));
    break;
  }
  case TuneDim::Shape: {
    if (x.size() != 1 || y.size() != 1)
      break;
    int64_t all = x[0].number * y[0].number;
    std::vector<Digit> both = {x[0], y[0]};
    llvm::sort(
        both, [](const Digit &a, const Digit &b) { return a.begin < b.begin; });
    for (int64_t number = 1; number <= all; number *= 2)
      if (number != x[0].number && all % number == 0)
        made.push_back(
            replaced(schedule,
                     {{x[0].begin, number}, {y[0].begin, all / number}}, both));
    break;
  }
  case TuneDim::Coarsen:
    each(digitsOf(schedule, "unroll "));
    break;
  case TuneDim::Vector:
    each(digitsOf(schedule, "vector "));
    break;
  case TuneDim::Steps:
    each(digitsOf(schedule, "seq "));
    break;
  }
  return made;
}
