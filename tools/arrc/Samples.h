//===- Samples.h - Times of calls -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_SAMPLES_H
#define ARRC_TOOLS_ARRC_SAMPLES_H

#include <algorithm>
#include <cmath>
#include <vector>

namespace arrc::tool {

/// Times of calls in seconds. The interval of the median is that of order
/// statistics: it asks nothing of how times are distributed.
class Samples {
public:
  void add(double seconds) {
    all.insert(std::upper_bound(all.begin(), all.end(), seconds), seconds);
  }
  size_t count() const { return all.size(); }
  double median() const {
    return (all[(count() - 1) / 2] + all[count() / 2]) / 2;
  }
  double least() const { return all.front(); }
  /// The ends of the interval that holds the median with 95 %; all that there
  /// is where that is too little to say.
  double low() const { return all[rank()]; }
  double high() const { return all[count() - 1 - rank()]; }
  /// Half the interval, over the median.
  double spread() const { return (high() - low()) / 2 / median(); }

private:
  size_t rank() const {
    double n = double(count());
    double below = n / 2 - 0.98 * std::sqrt(n);
    return below < 0 ? 0 : size_t(below);
  }
  std::vector<double> all; ///< ascending
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_SAMPLES_H
