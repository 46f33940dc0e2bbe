//===- EmulatorCounters.cpp - What the emulated card counts ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EmulatorCounters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace llvm;
using namespace arrc::tool;

static constexpr const char *variable = "ARRC_EMULATOR_STATS";

/// The number in front of `unit` in a row of a table.
static uint64_t numberOf(StringRef row, StringRef unit) {
  StringRef before = row.substr(0, row.find((" " + unit).str()));
  uint64_t number = 0;
  before.substr(before.find_last_of(' ') + 1).getAsInteger(10, number);
  return row.contains(unit) ? number : 0;
}

void EmulatorCounters::add(StringRef table) {
  for (StringRef row : split(table, '\n')) {
    if (!row.starts_with(" "))
      instructions += numberOf(row, "instructions");
    else if (row.starts_with("  global "))
      sectors += numberOf(row, "sectors");
    else if (row.starts_with("  shared ")) {
      // A turn of shared memory moves 128 bytes.
      uint64_t fewest = std::max(numberOf(row, "requests"),
                                 (numberOf(row, "bytes") + 127) / 128);
      uint64_t turns = numberOf(row, "wavefronts");
      conflicts += turns > fewest ? turns - fewest : 0;
    }
  }
}

CounterFile::CounterFile() {
  // Whoever reads the tables himself goes on to.
  if (std::getenv(variable))
    return;
  file.emplace();
  ::setenv(variable, file->getPath().str().c_str(), 1);
}

CounterFile::~CounterFile() {
  if (file)
    ::unsetenv(variable);
}

std::optional<EmulatorCounters> CounterFile::read() const {
  if (!file)
    return std::nullopt;
  auto text = MemoryBuffer::getFile(file->getPath());
  if (!text || (*text)->getBufferSize() == 0)
    return std::nullopt;
  EmulatorCounters counters;
  counters.add((*text)->getBuffer());
  return counters;
}
