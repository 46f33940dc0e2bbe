//===- PassList.h - Pipelines as text ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PASSLIST_H
#define ARRC_PIPELINES_PASSLIST_H

#include "arrc/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc {

/// Why text is no pipeline, and what to write instead ("" if nothing is known).
struct PassProblem {
  std::string text, help;
};

/// The passes of a pipeline in order, by their text. It is what MLIR prints of
/// them: every pass with all its options.
class PassList {
public:
  /// Where passes go, seen from one that is there.
  enum class Place { Before, Behind, Instead };

  /// The way from `array` to the LLVM dialect, with the marks of its stages.
  static PassList builtIn(const PipelineOptions &options);

  /// Reads `builtin.module(..)`, or what stands inside of it. Returns nullopt
  /// if it is no pipeline.
  static std::optional<PassList> parse(llvm::StringRef text,
                                       PassProblem &problem);

  /// Puts `passes` beside each `pass`, which is a name or, where one of several
  /// is meant, `NAME#2` or `NAME{OPTIONS}`. They run on what it runs on, or on
  /// the module if that is what they are for; those written with ops, as
  /// `func.func(cse)`, are seen from the module. Returns whether that was done.
  bool edit(Place place, llvm::StringRef pass, llvm::StringRef passes,
            PassProblem &problem);

  /// Whether a stage is marked; LLVM is the end.
  bool reaches(Stage stage) const;

  /// Adds the passes from `from` (excluded) to `to` (included). With
  /// `simplifyKernels` those on kernels that come next belong to the stage GPU.
  void addTo(mlir::OpPassManager &pm, Stage from, Stage to,
             bool simplifyKernels) const;

  /// Prints the pipeline, one pass a line.
  void print(llvm::raw_ostream &os) const;

private:
  /// A pass, with the ops that it runs on, from below the module down.
  struct Entry {
    std::vector<std::string> ops;
    std::string name;
    std::string options; ///< with their braces
    std::string text() const;
  };
  class Reader;

  /// Appends `entry` as MLIR prints it: pipelines that have a name become their
  /// passes.
  bool append(const Entry &entry, PassProblem &problem);
  /// The place behind the mark of a stage.
  std::optional<size_t> findStage(Stage stage) const;

  std::vector<Entry> entries;
};

} // namespace arrc

#endif // ARRC_PIPELINES_PASSLIST_H
