//===- EmulatorCounters.h - What the emulated card counts -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_EMULATORCOUNTERS_H
#define ARRC_TOOLS_ARRC_EMULATORCOUNTERS_H

#include "Output.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace arrc::tool {

/// Counters of launches on the emulated card.
struct EmulatorCounters {
  uint64_t sectors = 0;   ///< of 32 bytes, of global memory
  uint64_t conflicts = 0; ///< turns of shared memory that are too many
  uint64_t instructions = 0;

  /// Adds the table of a launch, as `ARRC_EMULATOR_STATS` has it.
  void add(llvm::StringRef table);
};

/// As long as it lives the emulated card, if that is the card, writes its
/// tables to a file.
class CounterFile {
public:
  CounterFile();
  ~CounterFile();
  CounterFile(const CounterFile &) = delete;
  CounterFile &operator=(const CounterFile &) = delete;
  /// What was counted so far; nothing on other cards.
  std::optional<EmulatorCounters> read() const;

private:
  std::optional<UnnamedFile> file; ///< none where someone else reads them
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_EMULATORCOUNTERS_H
