//===- Runner.h - A program that is called again and again ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_RUNNER_H
#define ARRC_TOOLS_ARRC_RUNNER_H

#include "HostValue.h"
#include "KernelCosts.h"
#include "Program.h"
#include "ReferenceCheck.h"
#include "Words.h"

#include "Run/Arguments.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace arrc::tool {

/// Compiles a program and calls it with arguments: a case after the other.
class Runner {
public:
  explicit Runner(const Variant &variant) : variant(variant) {}
  ~Runner();
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;

  /// Compiles and loads; `notes` says whether kernels are noted, so that they
  /// can be observed on the CPU, too. Returns an exit code.
  int load(bool notes);
  /// Has `load` keep the program for `checkResults`.
  void keepReference() { isChecked = true; }
  /// Compares the last call with the reference evaluator, whose report goes to
  /// the console. The arguments are used up. Returns an exit code.
  int checkResults();
  /// Reads or makes the arguments of a call: `NAME=VALUE`, sizes of arrays by
  /// their names, `NAME=random(LOW, HIGH)`. What is missing is made of random
  /// numbers, the same for all programs. The export is the variant's, else
  /// `entry`. Returns an exit code.
  int prepare(llvm::StringRef entry, llvm::ArrayRef<std::string> arguments);
  /// Calls it once. Returns an exit code, with a message.
  int call(double &seconds);
  /// Calls it once, and tells of everything that is done.
  int observe(const std::function<void(const arrt_event &)> &observer,
              double &seconds);
  /// The results of the last call. Returns an exit code.
  int getResults(std::vector<HostValue> &results);

  const Variant &about() const { return variant; }
  /// The export that the variant names; "" if it names none.
  llvm::StringRef namedEntry() const { return line.entry; }
  const KernelCosts &costs() const { return kernels; }
  const arrt_entry &getEntry() const { return *entry; }
  SizeExpression::Parameters parameters() const {
    return parametersOf(*entry, arguments->pointers());
  }
  /// Milliseconds that compiling took, kernels included.
  double getCompileMilliseconds() const;
  /// The stages of compiling.
  const Timer &getTimer() const { return timer; }
  /// Bytes a second that the host copies, both ways counted; by measuring.
  double measureCopies() const;
  bool isDevice() const { return target->options.isDevice(); }
  const Target &getTarget() const { return *target; }

private:
  int finish(int32_t status);

  Variant variant;
  CommandLine line;
  std::optional<Target> target;
  std::unique_ptr<Program> program;
  arrt_context *ctx = nullptr;
  const arrt_entry *entry = nullptr;
  std::unique_ptr<arrt::Arguments> arguments;
  KernelCosts kernels;
  ReferenceCheck reference;
  bool isChecked = false;
  double milliseconds = 0;
  Timer timer;
};

/// What a program says in comments: `# bench: n=2**20`, `# test: ..`. Returns
/// the lines behind `TAG:` with their numbers, or false if it cannot be read.
struct TaggedLine {
  unsigned line;
  std::string text;
};
bool readTagged(llvm::StringRef file, llvm::StringRef tag,
                std::vector<TaggedLine> &lines);

/// The words of a line; those in brackets, parentheses and quotes are one.
std::vector<std::string> splitWords(llvm::StringRef text);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_RUNNER_H
