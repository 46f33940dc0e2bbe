//===- BenchReport.h - What arrc bench says ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_BENCHREPORT_H
#define ARRC_TOOLS_ARRC_BENCHREPORT_H

#include "EmulatorCounters.h"
#include "Samples.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arrc::tool {

/// A variant in a case.
struct BenchRow {
  std::string label, target;
  Samples samples;
  int64_t launches = 0;
  /// Bytes that its kernels must read and write; nothing if that is not known.
  std::optional<double> bytes;
  std::optional<EmulatorCounters> counters;
  /// The most that a thread of one of its kernels takes; 0: the device does not
  /// say.
  int32_t registers = 0;
  int64_t local = 0;
  double compileMilliseconds = 0;
  /// Against the first variant: the same bits, or how far apart.
  bool isSame = true;
  double apart = 0;
  std::string difference; ///< why it is wrong; "" if it is not
  /// The median of an earlier run.
  std::optional<double> before;
};

/// The variants on one set of arguments.
struct BenchCase {
  std::string program, name;
  std::vector<BenchRow> rows;
};

/// An earlier run, as `--json` wrote it.
class BenchBaseline {
public:
  /// Returns an exit code.
  int read(llvm::StringRef file);
  /// Notes what the rows took then.
  void lookUp(BenchCase &found) const;

private:
  /// By case and label.
  std::map<std::pair<std::string, std::string>, double> seconds;
};

void printTable(const BenchCase &found, llvm::raw_ostream &os);
std::string toCSV(llvm::ArrayRef<BenchCase> cases);
std::string toJSON(llvm::ArrayRef<BenchCase> cases);
/// Complains of what is slower than before, or than the first variant, by more
/// than so many percent, the ends of its interval too. Returns whether there is
/// something.
bool complainOfSlower(const BenchCase &found, double percent,
                      bool haveBaseline);

/// `12.34 us`.
std::string saySeconds(double seconds);
/// A text of CSV, quoted where it has to be.
std::string quoteCSV(llvm::StringRef text);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_BENCHREPORT_H
