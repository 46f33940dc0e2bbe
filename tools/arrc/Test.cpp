//===- Test.cpp - arrc test -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A test stands in a comment beside what it tests:
//
//   # test: energy a=2 x=[1, 2] y=[3, 4] -> 89
//   # test: heat t0=@plate.npy tol=1e-3 -> iterations=12 t=@warm.npy within
//   1e-4 # test: energy a=2 n=1000 # test: energy a=2 x=[1] y=[1, 2] -> error
//   "not n with n = 1"
//
// Without an arrow the results are compared with the reference evaluator's.
//
//===----------------------------------------------------------------------===//

#include "Console.h"
#include "Runner.h"
#include "Verbs.h"

#include "arrc/Support/Printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
/// One test, taken apart.
struct ProgramTest {
  unsigned line = 0;
  std::string text;
  std::string entry;
  std::vector<std::string> arguments;
  /// Whether something is expected; else the evaluator says what.
  bool hasArrow = false;
  /// What results are: by name, or "" for the only one.
  std::vector<std::pair<std::string, std::string>> expected;
  std::optional<std::string> error;
  std::optional<double> tolerance;
};

struct TestOptions {
  std::vector<std::string> files, words, targets;
  bool isVerbose = false;
};

/// What happened to all tests.
struct Tally {
  int passed = 0, failed = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Takes what stands behind the arrow apart. Returns "" or what is wrong.
static std::string parseExpected(StringRef text, ProgramTest &test) {
  test.hasArrow = true;
  std::vector<std::string> words = splitWords(text);
  if (words.size() > 2 && words[words.size() - 2] == "within") {
    double tolerance = 0;
    if (StringRef(words.back()).getAsDouble(tolerance) || !(tolerance >= 0))
      return "'" + words.back() + "' is no tolerance";
    test.tolerance = tolerance;
    words.resize(words.size() - 2);
  }
  if (!words.empty() && words.front() == "error") {
    if (words.size() > 2)
      return "behind 'error' stands a text in quotes";
    StringRef said = words.size() == 2 ? StringRef(words.back()) : "\"\"";
    if (said.size() < 2 || said.front() != '"' || said.back() != '"')
      return "behind 'error' stands a text in quotes";
    test.error = said.drop_front().drop_back().str();
    return "";
  }
  if (words.empty())
    return "nothing stands behind '->'";
  for (StringRef word : words) {
    StringRef name = word.take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
    bool isNamed = name.size() < word.size() && word[name.size()] == '=' &&
                   !name.empty() && !isDigit(name.front());
    test.expected.emplace_back(
        isNamed ? name.str() : "",
        (isNamed ? word.drop_front(name.size() + 1) : word).str());
  }
  return "";
}

/// Returns "" or what is wrong.
static std::string parse(const TaggedLine &line, ProgramTest &test) {
  test.line = line.line;
  test.text = line.text;
  size_t arrow = line.text.find("->");
  for (std::string &word : splitWords(StringRef(line.text).take_front(arrow))) {
    if (StringRef(word).contains('='))
      test.arguments.push_back(std::move(word));
    else if (test.entry.empty())
      test.entry = std::move(word);
    else
      return "'" + word + "' is no NAME=VALUE";
  }
  return arrow == std::string::npos
             ? ""
             : parseExpected(StringRef(line.text).drop_front(arrow + 2), test);
}

static int readOptions(ArrayRef<std::string> words, TestOptions &options) {
  WordReader reader(words);
  while (reader.next()) {
    if (reader.is("-v") || reader.is("--verbose"))
      options.isVerbose = true;
    else if (auto text = reader.value("--target"))
      append_range(options.targets,
                   map_range(split(*text, ','),
                             [](StringRef each) { return each.str(); }));
    else if (looksLikeFile(reader.word()))
      options.files.push_back(reader.word().str());
    else
      options.words.push_back(reader.word().str());
  }
  std::string error = reader.error();
  if (error.empty() && options.files.empty())
    error = "no program is given";
  return error.empty() ? Done
                       : complain(WrongUse, error, "see 'arrc help test'");
}

/// The CPU and the first device of each other kind that is there.
static std::vector<std::string> findTargets() {
  std::vector<std::string> targets = {"cpu"};
  std::vector<arrt_device_info> infos(64);
  infos.resize(std::min(arrt_devices(infos.data(), 64), 64));
  for (const arrt_device_info &info : infos)
    if (info.device == 0 && !info.problem[0] && info.target != ARRT_TARGET_CPU)
      targets.push_back(arrt_target_name(info.target));
  return targets;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// Reads what is expected of a result as its type has it. Returns "" or what is
/// wrong.
static std::string readExpected(StringRef text, const HostValue &actual,
                                HostValue &expected) {
  expected = actual;
  if (text.starts_with("@"))
    return loadValue(text.drop_front(), expected);
  arrt::Value value;
  std::string wrong = arrt::evaluate(text.str(), actual.element, {}, value);
  std::vector<int64_t> shape;
  if (wrong.empty())
    wrong = arrt::listSizes(value, shape);
  if (!wrong.empty())
    return "'" + text.str() + "' is no value: " + wrong;
  // An empty list has no say in what lies below it.
  bool isEmpty = !shape.empty() && shape.back() == 0;
  if (isEmpty && actual.count() == 0 && shape.size() <= actual.shape.size())
    return "";
  expected.shape = shape;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  expected.bytes.assign(size_t(count * arrt_element_bytes(actual.element)), 0);
  wrong = arrt::storeValue(value, actual.element, expected.bytes.data());
  return wrong.empty() ? "" : "'" + text.str() + "' holds " + wrong;
}

/// Says how a result differs from what is expected; "" if it does not.
static std::string explain(const HostValue &expected, const HostValue &actual,
                           std::optional<double> given) {
  Difference difference = compare(expected, actual);
  double allowed = given.value_or(roundingOf(expected.element));
  if (difference.mismatch.empty() && difference.worst <= allowed)
    return "";
  std::string text;
  raw_string_ostream os(text);
  os << "'" << actual.name << "' ";
  if (!difference.mismatch.empty() && expected.shape != actual.shape) {
    os << "is otherwise: " << difference.mismatch << '\n';
    return text;
  }
  double largest = largestOf(expected);
  int64_t wrong = 0;
  constexpr int64_t shown = 5;
  std::string rows;
  raw_string_ostream table(rows);
  for (int64_t k = 0; k < expected.count(); ++k) {
    if (isWithin(expected, actual, k, allowed * largest))
      continue;
    if (wrong++ < shown)
      table << "    " << actual.name << placeIn(expected, k) << " is "
            << elementText(actual, k) << ", not " << elementText(expected, k)
            << '\n';
  }
  if (expected.isScalar)
    os << "is " << elementText(actual, 0) << ", not "
       << elementText(expected, 0);
  else
    os << "differs in " << wrong << " of " << expected.count() << " elements";
  if (difference.mismatch.empty())
    os << format(", by up to %.3g of the largest value (allowed: %.3g)",
                 difference.worst, allowed);
  os << '\n';
  if (!expected.isScalar) {
    os << rows;
    if (wrong > shown)
      os << "    .. and " << wrong - shown << " more\n";
  }
  return text;
}

/// Compares the results of a call with what the test says; "" if they agree.
static std::string judge(const ProgramTest &test, ArrayRef<HostValue> results) {
  std::string said;
  for (const auto &[name, text] : test.expected) {
    const HostValue *actual = nullptr;
    for (const HostValue &result : results)
      if (result.name == name || (name.empty() && results.size() == 1))
        actual = &result;
    if (!actual)
      return name.empty() ? "there are " + std::to_string(results.size()) +
                                " results: write NAME=VALUE for each\n"
                          : "there is no result '" + name + "'\n";
    HostValue expected;
    std::string wrong = readExpected(text, *actual, expected);
    said += wrong.empty() ? explain(expected, *actual, test.tolerance)
                          : wrong + "\n";
  }
  return said;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Runs a test; "" if it passes, else what is wrong, in lines.
static std::string runTest(Runner &runner, const ProgramTest &test) {
  std::string said;
  int code = Done;
  {
    raw_string_ostream os(said);
    ConsoleCapture capture(os);
    double seconds = 0;
    code = runner.prepare(test.entry, test.arguments);
    if (!code)
      code = runner.call(seconds);
    // What the evaluator prints is worth reading where it disagrees.
    if (!code && !test.hasArrow)
      code = runner.checkResults();
  }
  if (test.error) {
    if (!code)
      return "it runs, and should end with an error\n";
    if (StringRef(said).contains(*test.error))
      return "";
    return "it should say \"" + *test.error + "\", and says\n" + said;
  }
  if (code)
    return said;
  if (!test.hasArrow)
    return "";
  std::vector<HostValue> results;
  if (runner.getResults(results))
    return "its results cannot be read\n";
  return judge(test, results);
}

/// Runs all tests of a program on one target.
static void runAll(StringRef file, StringRef target,
                   ArrayRef<ProgramTest> tests, const TestOptions &options,
                   Tally &tally) {
  Variant variant{file.str(), file.str(), options.words};
  variant.words.push_back("--target=" + target.str());
  Runner runner(variant);
  runner.keepReference();
  if (runner.load(/*notes=*/false)) {
    outs() << file << ": " << target << ": failed: it cannot be compiled\n";
    tally.failed += int(tests.size());
    return;
  }
  for (const ProgramTest &test : tests) {
    std::string said = runTest(runner, test);
    said.empty() ? ++tally.passed : ++tally.failed;
    if (said.empty() && !options.isVerbose)
      continue;
    outs() << printable(file.str()) << ':' << test.line << ": " << target
           << (said.empty() ? ": ok: " : ": failed: ") << printable(test.text)
           << '\n';
    for (StringRef row : split(StringRef(said).rtrim(), '\n'))
      if (!row.empty())
        outs() << "  " << printable(row.str()) << '\n';
  }
  outs().flush();
}

int arrc::tool::test(const CommandLine &line) {
  TestOptions options;
  if (int code = readOptions(line.rest, options))
    return code;
  if (options.targets.empty())
    options.targets = findTargets();
  Tally tally;
  for (const std::string &file : options.files) {
    std::vector<TaggedLine> lines;
    if (!readTagged(file, "test", lines))
      return complain(CannotReadOrWrite, "cannot read '" + file + "'");
    std::vector<ProgramTest> tests(lines.size());
    for (auto [from, test] : zip(lines, tests))
      if (std::string wrong = parse(from, test); !wrong.empty())
        return complain(ProgramError,
                        file + ":" + Twine(from.line) +
                            ": this is no test: " + wrong,
                        "see 'arrc help test'");
    if (tests.empty()) {
      console() << "note: '" << printable(file) << "' has no '# test:'\n";
      continue;
    }
    for (const std::string &target : options.targets)
      runAll(file, target, tests, options, tally);
  }
  outs() << tally.passed << " passed, " << tally.failed << " failed, on "
         << join(options.targets, ", ") << '\n';
  return tally.failed ? ProgramError : Done;
}
