//===- Passes.h - Passes that a person chose --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_PASSES_H
#define ARRC_TOOLS_ARRC_PASSES_H

#include "arrc/Pipelines/PassList.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// Other passes than those that the target and the options stand for.
class PassChoice {
public:
  /// Takes `--pipeline=VALUE`: a file, or the text itself. Returns "" or an
  /// error text.
  std::string setPipeline(llvm::StringRef value);
  /// Takes `--insert-after=VALUE` and the like, `PASS:PASSES`. Returns "" or an
  /// error text.
  std::string addEdit(PassList::Place place, llvm::StringRef value);

  /// Takes `--schedule=FILE`. Returns "" or an error text.
  std::string addSchedules(llvm::StringRef file);

  /// Takes `--transform=FILE`. Returns "" or an error text.
  std::string addScript(llvm::StringRef file);

  /// Whether there is anything else than usual.
  bool isGiven() const { return pipeline || !edits.empty(); }
  bool hasPipeline() const { return pipeline.has_value(); }
  /// All that was chosen, as text.
  std::string getKey() const;

  /// The passes that this makes of those of `options`. Returns an exit code.
  int choose(const PipelineOptions &options, PassList &passes) const;

private:
  /// Reads what passes read again. Returns "" or an error text.
  std::string readFile(llvm::StringRef what, llvm::StringRef file,
                       std::string &text);

  struct Edit {
    PassList::Place place;
    std::string pass, passes;
  };
  std::optional<std::string> pipeline;
  /// What `pipeline` is called in messages.
  std::string name;
  std::vector<Edit> edits;
  /// The files that passes read, which are no part of their text.
  std::string files;
};

/// Loads plugins. Returns an exit code.
int loadPlugins(llvm::ArrayRef<std::string> files);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_PASSES_H
