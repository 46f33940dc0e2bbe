//===- Bench.cpp - arrc bench ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Variants are measured in one process, by turns: a machine that gets slower
// while it is measured gets slower for all of them. Before that each is called
// once, observed, and its results are compared with those of the first; what a
// wrong variant takes is of no interest.
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Console.h"
#include "EmulatorCounters.h"
#include "Output.h"
#include "Runner.h"
#include "TuneProcess.h"
#include "Verbs.h"

#include "Core/Observe.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
struct BenchOptions {
  std::vector<Variant> variants;
  std::vector<std::string> arguments;
  double precision = 1; ///< percent of the median, of half the interval
  double seconds = 3;   ///< for a variant, at most
  std::optional<double> tolerance, failAbove;
  std::string csv, json, baseline;
};

/// What is called: an export with arguments.
struct Case {
  std::string entry;
  std::vector<std::string> arguments;
  std::string describe() const {
    std::string text = entry;
    for (const std::string &argument : arguments)
      text += (text.empty() ? "" : " ") + argument;
    return text;
  }
};
} // namespace

static int readOptions(ArrayRef<std::string> words, BenchOptions &options) {
  WordReader reader(words);
  VariantWords variants;
  while (reader.next()) {
    if (auto text = reader.value("--variant"))
      variants.addVariant(*text);
    else if (auto text = reader.value("--csv"))
      options.csv = text->str();
    else if (auto text = reader.value("--json"))
      options.json = text->str();
    else if (auto text = reader.value("--baseline"))
      options.baseline = text->str();
    else if (auto number = reader.number("--fail-above", 0))
      options.failAbove = *number;
    else if (auto number = reader.number("--precision", 0.01))
      options.precision = *number;
    else if (auto number = reader.number("--seconds", 0))
      options.seconds = *number;
    else if (auto number = reader.number("--tolerance", 0))
      options.tolerance = *number;
    else
      variants.add(reader.word());
  }
  std::string error = reader.error();
  if (error.empty())
    error = variants.finish(options.variants);
  options.arguments = variants.arguments;
  return error.empty() ? Done
                       : complain(WrongUse, error, "see 'arrc help bench'");
}

/// The cases: those that comments of the first program name, each with what the
/// command line says in its place; one without such comments.
static int readCases(const BenchOptions &options, std::vector<Case> &cases) {
  std::vector<TaggedLine> lines;
  const std::string &file = options.variants.front().file;
  if (!readTagged(file, "bench", lines))
    return complain(CannotReadOrWrite, "cannot read '" + file + "'");
  auto nameOf = [](StringRef word) { return word.split('=').first; };
  for (const TaggedLine &line : lines) {
    Case found;
    for (std::string &word : splitWords(line.text)) {
      if (!StringRef(word).contains('=')) {
        if (!found.entry.empty())
          return complain(ProgramError, file + ":" + Twine(line.line) + ": '" +
                                            word + "' is no NAME=VALUE");
        found.entry = word;
      } else if (none_of(options.arguments, [&](StringRef given) {
                   return nameOf(given) == nameOf(word);
                 })) {
        found.arguments.push_back(word);
      }
    }
    append_range(found.arguments, options.arguments);
    cases.push_back(std::move(found));
  }
  if (cases.empty())
    cases.push_back({"", options.arguments});
  return Done;
}

/// Of the cases those of `entry`, if the command line names it; where comments
/// have none, one with what the command line says.
static void keepCasesOf(StringRef entry, const BenchOptions &options,
                        std::vector<Case> &cases) {
  if (entry.empty())
    return;
  llvm::erase_if(cases, [&](const Case &one) {
    return !one.entry.empty() && one.entry != entry;
  });
  if (cases.empty())
    cases.push_back({"", options.arguments});
}

/// Calls a variant once and notes what it does.
static int observe(Runner &runner, BenchRow &row) {
  SizeExpression::Parameters parameters = runner.parameters();
  double bytes = 0, copied = 0;
  bool isKnown = !runner.costs().all().empty();
  CounterFile counters;
  double seconds = 0;
  int code = runner.observe(
      [&](const arrt_event &event) {
        if (event.kind != ARRT_EVENT_KERNEL) {
          copied += double(event.bytes);
          return;
        }
        ++row.launches;
        row.registers = std::max(row.registers, arrt::needsOf(event).registers);
        row.local = std::max(row.local, arrt::needsOf(event).local);
        const KernelCost *kernel = runner.costs().find(event);
        std::optional<double> read, written;
        if (kernel) {
          read = kernel->evaluate(kernel->read, parameters, event);
          written = kernel->evaluate(kernel->written, parameters, event);
        }
        isKnown &= read && written;
        bytes += read.value_or(0) + written.value_or(0);
      },
      seconds);
  if (isKnown)
    row.bytes = bytes;
  row.counters = counters.read();
  return code;
}

/// Compares the results of a variant with those of the first one.
static bool compareResults(ArrayRef<HostValue> expected,
                           ArrayRef<HostValue> actual,
                           std::optional<double> tolerance, BenchRow &row) {
  if (expected.size() != actual.size()) {
    row.difference = "it has other results";
    return false;
  }
  double farthest = 0;
  for (auto [want, got] : zip(expected, actual)) {
    Difference difference = compare(want, got);
    double allowed = tolerance.value_or(roundingOf(want.element));
    if (difference.mismatch.empty() && difference.worst <= allowed) {
      row.isSame &= difference.isSame;
      farthest = std::max(farthest, difference.worst);
      continue;
    }
    row.difference = "'" + want.name + "' differs: ";
    raw_string_ostream os(row.difference);
    if (!difference.mismatch.empty())
      os << difference.mismatch;
    else
      os << want.name << placeIn(want, difference.where) << " is "
         << format("%.9g", got.real(difference.where)) << ", not "
         << format("%.9g", want.real(difference.where)) << ": "
         << format("%.2g", difference.worst) << " of the largest value, and "
         << format("%.2g", allowed) << " is allowed";
    return false;
  }
  row.apart = farthest;
  return true;
}

/// Times the variants by turns, until each is known well enough.
static int measure(ArrayRef<std::unique_ptr<Runner>> runners,
                   const BenchOptions &options,
                   MutableArrayRef<BenchRow> rows) {
  constexpr size_t fewest = 11, most = 20000;
  std::vector<double> spent(runners.size());
  double seconds = 0;
  // The observed call was the first; another one fills caches and clocks.
  for (const auto &runner : runners)
    if (int code = runner->call(seconds))
      return code;
  for (size_t round = 0;; ++round) {
    bool isDone = true;
    for (size_t k = 0; k < runners.size(); ++k) {
      // Whoever comes first in a round differs from round to round.
      size_t which = (k + round) % runners.size();
      Samples &samples = rows[which].samples;
      bool isKnown = samples.count() >= fewest &&
                     samples.spread() * 100 <= options.precision;
      bool isOver = (spent[which] >= options.seconds && samples.count() >= 3) ||
                    samples.count() >= most;
      isDone &= isKnown || isOver;
      if (isOver)
        continue;
      if (int code = runners[which]->call(seconds))
        return code;
      samples.add(seconds);
      spent[which] += seconds;
    }
    if (isDone)
      return Done;
  }
}

/// Measures one case. Returns an exit code.
static int runCase(ArrayRef<std::unique_ptr<Runner>> runners,
                   const BenchOptions &options, const Case &what,
                   BenchCase &found) {
  found.name = what.describe();
  found.program = options.variants.front().file;
  found.rows.resize(runners.size());
  std::vector<HostValue> expected, actual;
  bool agree = true;
  for (auto [runner, row] : zip(runners, found.rows)) {
    row.label = runner->about().label;
    row.target = runner->getTarget().options.name;
    if (int code = runner->prepare(what.entry, what.arguments)) {
      console() << "note: that was '" << row.label << "'\n";
      return code;
    }
    if (int code = observe(*runner, row))
      return code;
    row.compileMilliseconds = runner->getCompileMilliseconds();
    bool isFirst = expected.empty();
    if (int code = runner->getResults(isFirst ? expected : actual))
      return code;
    if (!isFirst)
      agree &= compareResults(expected, actual, options.tolerance, row);
  }
  if (!agree) {
    for (const BenchRow &row : found.rows)
      if (!row.difference.empty())
        complain(ProgramError, "of '" + row.label + "' " + row.difference);
    return ProgramError;
  }
  if (int code = measure(runners, options, found.rows))
    return code;
  return Done;
}

int arrc::tool::bench(const CommandLine &line) {
  endWithTuner();
  BenchOptions options;
  if (int code = readOptions(line.rest, options))
    return code;
  BenchBaseline baseline;
  if (!options.baseline.empty())
    if (int code = baseline.read(options.baseline))
      return code;
  std::vector<Case> cases;
  if (int code = readCases(options, cases))
    return code;
  std::vector<std::unique_ptr<Runner>> runners;
  for (const Variant &variant : options.variants) {
    runners.push_back(std::make_unique<Runner>(variant));
    if (int code = runners.back()->load(/*notes=*/true))
      return code;
  }
  keepCasesOf(runners.front()->namedEntry(), options, cases);
  std::vector<BenchCase> found(cases.size());
  bool isSlower = false;
  for (auto [what, into] : zip(cases, found)) {
    if (int code = runCase(runners, options, what, into))
      return code;
    baseline.lookUp(into);
    if (options.json != "-" && options.csv != "-")
      printTable(into, outs());
    if (options.failAbove)
      isSlower |= complainOfSlower(into, *options.failAbove,
                                   /*haveBaseline=*/!options.baseline.empty());
  }
  if (!options.csv.empty())
    if (int code = writeOutput(options.csv, toCSV(found)))
      return code;
  if (!options.json.empty())
    if (int code = writeOutput(options.json, toJSON(found)))
      return code;
  return isSlower ? ProgramError : Done;
}
