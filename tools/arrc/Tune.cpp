//===- Tune.cpp - arrc tune -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A candidate is a file of schedules. Each is measured by 'arrc bench' in a
// process of its own, by turns with the planner's own schedules and after a
// comparison of the results: what hangs, crashes or is wrong costs nothing but
// time. What came of it is one line of a journal that is on the disk before the
// next candidate begins. A line that was torn by a kill is passed over, and its
// candidate measured again.
//
//===----------------------------------------------------------------------===//

#include "BenchReport.h"
#include "Console.h"
#include "Output.h"
#include "PlannedSchedules.h"
#include "Target.h"
#include "TunePredictor.h"
#include "TuneProcess.h"
#include "TuneSpace.h"
#include "TunedSchedules.h"
#include "Verbs.h"
#include "Words.h"

#include "arrc/Support/Printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <fcntl.h>
#include <limits>
#include <map>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
struct TuneOptions {
  std::string file;
  /// Options of `arrc run`, and arguments.
  std::vector<std::string> words;
  /// What schedules that are found are for, as their file says it.
  std::string head;
  std::vector<TuneDim> dims;
  enum { OneByOne, All, Judged } search = OneByOne;
  int most = 200;
  double seconds = 0.5, limit = 60;
  /// Whether the planner's schedules are only printed.
  bool isPrinted = false;
  std::string schedule, journal;
};

/// The schedules of a candidate by their names; without any it is the planner's
/// own.
using Schedules = std::map<std::string, std::string>;

/// What came of a candidate.
struct Outcome {
  std::string status; ///< `ok`, `refused`, `wrong`, `failed`, `late`
  double planned = 0, candidate = 0;
  double ratio() const { return status == "ok" ? candidate / planned : 1e9; }
};
} // namespace

static std::string textOf(const Schedules &schedules) {
  std::string text;
  for (const auto &[name, schedule] : schedules)
    text += name + ": " + schedule + "\n";
  return text;
}

static int readOptions(ArrayRef<std::string> words, TuneOptions &options) {
  WordReader reader(words);
  std::string error;
  while (error.empty() && reader.next()) {
    if (auto text = reader.value("--over")) {
      for (StringRef dim : split(*text, ','))
        if (error.empty())
          error = readTuneDim(dim, options.dims);
    } else if (auto text = reader.value("--search")) {
      options.search = *text == "all"     ? TuneOptions::All
                       : *text == "judge" ? TuneOptions::Judged
                                          : TuneOptions::OneByOne;
      if (*text != "all" && *text != "one" && *text != "judge")
        error = "'" + text->str() + "' is no search: write one, all or judge";
    } else if (reader.is("--print")) {
      options.isPrinted = true;
    } else if (auto number = reader.number("--most", 1)) {
      options.most = int(std::min(*number, 1e6));
    } else if (auto number = reader.number("--seconds", 0)) {
      options.seconds = *number;
    } else if (auto number = reader.number("--limit", 1)) {
      options.limit = *number;
    } else if (auto text = reader.value("--schedule")) {
      options.schedule = text->str();
    } else if (auto text = reader.value("--journal")) {
      options.journal = text->str();
    } else if (looksLikeFile(reader.word()) && options.file.empty() &&
               !reader.word().contains('=')) {
      options.file = reader.word().str();
    } else {
      options.words.push_back(reader.word().str());
    }
  }
  if (error.empty())
    error = reader.error();
  if (error.empty() && options.file.empty())
    error = "no program is given";
  if (error.empty() && options.dims.empty() && !options.isPrinted)
    error = "nothing is to be varied: write --over=threads,coarsen";
  if (options.schedule.empty())
    options.schedule = getTunedFile(options.file);
  if (options.journal.empty())
    options.journal = options.file + ".journal";
  options.head =
      "// arrc tune " + options.file + " " + join(options.words, " ") + "\n";
  // What an earlier search left beside the program is no schedule of the
  // planner's.
  options.words.insert(options.words.begin(), "--schedule=none");
  return error.empty() ? Done
                       : complain(WrongUse, error, "see 'arrc help tune'");
}

//===----------------------------------------------------------------------===//
// What the planner chose
//===----------------------------------------------------------------------===//

/// Compiles the program as far as it is planned. Returns an exit code.
static int findPlanned(TuneOptions &options,
                       std::vector<PlannedSchedule> &found) {
  CommandLine line;
  if (int code = parseWords("run", options.file, options.words, line))
    return code;
  if (int code = loadPlugins(line.plugins))
    return code;
  std::optional<Target> target = findRunTarget(line);
  if (!target)
    return NoDevice;
  options.head += getTunedHead(line, target->options.name);
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (int code = compiler.load())
    return code;
  if (int code = findSchedules(compiler, found))
    return code;
  if (found.empty())
    return complain(ProgramError,
                    "the planner chose no schedule in '" + options.file + "'");
  return Done;
}

//===----------------------------------------------------------------------===//
// The journal
//===----------------------------------------------------------------------===//

namespace {
/// What was measured, on the disk.
class Journal {
public:
  /// Reads what is there about the same program, arguments and options.
  int open(const TuneOptions &options);
  ~Journal() {
    if (file >= 0)
      ::close(file);
  }
  const Outcome *find(const std::string &schedules) const {
    auto it = outcomes.find(schedules);
    return it == outcomes.end() ? nullptr : &it->second;
  }
  /// Writes a line and waits until it is on the disk. Returns an exit code.
  int add(const std::string &schedules, const Outcome &outcome);
  size_t size() const { return outcomes.size(); }

private:
  std::string path, key;
  int file = -1;
  std::map<std::string, Outcome> outcomes;
};
} // namespace

int Journal::open(const TuneOptions &options) {
  path = options.journal;
  std::string about = join(options.words, "\n");
  if (auto program = MemoryBuffer::getFile(options.file))
    about += (*program)->getBuffer();
  key = toHex(digestOf(about), /*LowerCase=*/true);
  bool isTorn = false;
  if (auto text = MemoryBuffer::getFile(path)) {
    StringRef rows = (*text)->getBuffer();
    isTorn = !rows.empty() && !rows.ends_with("\n");
    for (StringRef row : split(rows, '\n')) {
      Expected<json::Value> value = json::parse(row);
      if (!value) {
        consumeError(value.takeError());
        continue;
      }
      const json::Object *about = value->getAsObject();
      if (!about || about->getString("key") != key)
        continue;
      auto schedules = about->getString("schedules");
      auto status = about->getString("status");
      if (schedules && status)
        outcomes[schedules->str()] = {
            status->str(), about->getNumber("planned_s").value_or(0),
            about->getNumber("candidate_s").value_or(0)};
    }
  }
  file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || (isTorn && ::write(file, "\n", 1) != 1))
    return complain(CannotReadOrWrite, "cannot write the journal '" + path +
                                           "': " + std::strerror(errno));
  return Done;
}

int Journal::add(const std::string &schedules, const Outcome &outcome) {
  outcomes[schedules] = outcome;
  json::Object row{{"key", key},
                   {"schedules", schedules},
                   {"status", outcome.status},
                   {"planned_s", outcome.planned},
                   {"candidate_s", outcome.candidate}};
  std::string text = formatv("{0}\n", json::Value(std::move(row))).str();
  if (::write(file, text.data(), text.size()) != ssize_t(text.size()) ||
      ::fsync(file))
    return complain(CannotReadOrWrite, "cannot write the journal '" + path +
                                           "': " + std::strerror(errno));
  return Done;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Reads the medians of what `arrc bench --json` wrote.
static bool readTimes(StringRef file, Outcome &outcome) {
  auto text = MemoryBuffer::getFile(file);
  if (!text)
    return false;
  Expected<json::Value> value = json::parse((*text)->getBuffer());
  if (!value) {
    consumeError(value.takeError());
    return false;
  }
  std::vector<double> times;
  if (const json::Array *cases = value->getAsArray())
    for (const json::Value &each : *cases)
      if (const json::Object *found = each.getAsObject())
        if (const json::Array *rows = found->getArray("variants"))
          for (const json::Value &row : *rows)
            if (const json::Object *about = row.getAsObject())
              times.push_back(about->getNumber("median_s").value_or(0));
  // Of several cases the sum counts.
  for (size_t k = 0; k < times.size(); ++k)
    (k % 2 ? outcome.candidate : outcome.planned) += times[k];
  return times.size() >= 2 && times.size() % 2 == 0;
}

/// Measures a candidate in a process of its own.
static int measure(const TuneOptions &options, const std::string &schedules,
                   double seconds, Outcome &outcome) {
  UnnamedFile file, times, said;
  for (const UnnamedFile *each : {&file, &times, &said})
    if (each->isMissing())
      return CannotReadOrWrite;
  if (int code = file.write(schedules))
    return code;
  static int anchor;
  std::string self = sys::fs::getMainExecutable("arrc", &anchor);
  std::vector<std::string> words = {self, "bench", options.file};
  append_range(words, options.words);
  words.push_back(("--variant=candidate: --schedule=" + file.getPath()).str());
  words.push_back(formatv("--seconds={0:F3}", seconds).str());
  words.push_back(("--json=" + times.getPath()).str());
  SmallVector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {StringRef(""), said.getPath(),
                                          said.getPath()};
  nameTuner();
  std::string problem;
  bool cannotStart = false;
  int code = sys::ExecuteAndWait(self, arguments, std::nullopt, redirects,
                                 unsigned(options.limit),
                                 /*MemoryLimit=*/0, &problem, &cannotStart);
  if (cannotStart)
    return complain(InternalError, "cannot start '" + self + "': " + problem);
  if (code == Done && readTimes(times.getPath(), outcome)) {
    outcome.status = "ok";
    return Done;
  }
  auto text = MemoryBuffer::getFile(said.getPath());
  StringRef messages = text ? (*text)->getBuffer() : "";
  outcome.status =
      code == -2 && problem.find("timed out") != std::string::npos ? "late"
      : code == ProgramError && messages.contains("' differs: ")   ? "wrong"
      : code == ProgramError                                       ? "refused"
                                                                   : "failed";
  return Done;
}

namespace {
/// The search.
class Tuner {
public:
  Tuner(const TuneOptions &options, ArrayRef<PlannedSchedule> planned,
        Journal &journal)
      : options(options), journal(journal) {
    for (const PlannedSchedule &each : planned)
      base[each.name] = each.text;
  }
  int run();

private:
  /// Measures a candidate, unless the journal has it, and keeps the best.
  int attempt(const Schedules &schedules);
  int searchOne();
  int searchAll();
  /// All combinations of each schedule, those first that should gain most.
  int searchJudged();
  /// A schedule with all combinations of what is varied.
  std::vector<std::string> combine(const std::string &planned) const;
  /// Measures the best once more, and writes it.
  int finish();
  std::string current(const std::string &name) const {
    auto it = best.find(name);
    return it == best.end() ? base.at(name) : it->second;
  }
  bool isFull() const { return tried >= options.most; }

  const TuneOptions &options;
  Journal &journal;
  Schedules base, best;
  double least = 1;
  std::map<std::string, int> counts;
  std::set<std::string> seen;
  int tried = 0, kept = 0;
};
} // namespace

int Tuner::attempt(const Schedules &schedules) {
  std::string text = textOf(schedules);
  if (isFull() || !seen.insert(text).second)
    return Done;
  ++tried;
  Outcome outcome;
  if (const Outcome *known = journal.find(text)) {
    outcome = *known;
    ++kept;
  } else {
    if (int code = measure(options, text, options.seconds, outcome))
      return code;
    if (int code = journal.add(text, outcome))
      return code;
  }
  ++counts[outcome.status];
  if (outcome.ratio() < least) {
    least = outcome.ratio();
    best = schedules;
    outs() << formatv("{0:F3} of the planner's time: ", least)
           << StringRef(text).rtrim() << '\n';
    outs().flush();
  }
  return Done;
}

int Tuner::searchOne() {
  for (bool isBetter = true; isBetter && !isFull();) {
    isBetter = false;
    for (const TuneDim &dim : options.dims)
      for (const auto &[name, planned] : base) {
        double before = least;
        for (const std::string &text : vary(current(name), dim)) {
          Schedules candidate = best;
          candidate[name] = text;
          if (text == planned)
            candidate.erase(name);
          if (candidate.empty())
            continue;
          if (int code = attempt(candidate))
            return code;
        }
        isBetter |= least < before;
      }
  }
  return Done;
}

std::vector<std::string> Tuner::combine(const std::string &planned) const {
  std::vector<std::string> texts = {planned};
  std::set<std::string> known = {planned};
  for (const TuneDim &dim : options.dims)
    for (size_t k = 0, count = texts.size(); k < count; ++k)
      for (const std::string &text : vary(texts[k], dim))
        if (known.insert(text).second)
          texts.push_back(text);
  texts.erase(texts.begin());
  return texts;
}

int Tuner::searchAll() {
  // All combinations for one schedule, then for the next with the best so far.
  for (const auto &[name, planned] : base) {
    Schedules start = best;
    for (const std::string &text : combine(planned)) {
      Schedules candidate = start;
      candidate[name] = text;
      if (int code = attempt(candidate))
        return code;
    }
  }
  return Done;
}

int Tuner::searchJudged() {
  TunePredictor predictor(options.file, options.words);
  std::optional<double> planned = predictor.predict("");
  if (!planned)
    return complain(WrongUse,
                    "the judge predicts times of devices, where its "
                    "kernels can be followed",
                    "write --target=cuda, or --search=one");
  struct Candidate {
    double seconds;
    std::string name, text;
  };
  std::vector<Candidate> candidates;
  for (const auto &[name, text] : base)
    for (const std::string &other : combine(text)) {
      std::optional<double> seconds =
          predictor.predict(textOf({{name, other}}));
      candidates.push_back(
          {seconds.value_or(std::numeric_limits<double>::infinity()), name,
           other});
    }
  stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.seconds < b.seconds;
  });
  outs() << candidates.size() << " candidates are predicted";
  if (!candidates.empty())
    outs() << ", the best to take "
           << format("%.3f", candidates.front().seconds / *planned)
           << " of the planner's time in kernels";
  outs() << '\n';
  for (const Candidate &candidate : candidates) {
    Schedules schedules = best;
    schedules[candidate.name] = candidate.text;
    if (int code = attempt(schedules))
      return code;
  }
  return Done;
}

int Tuner::finish() {
  constexpr double worthwhile = 0.98;
  raw_ostream &os = outs();
  os << tried << " candidates";
  if (kept)
    os << ", " << kept << " of them from the journal";
  for (const auto &[status, count] : counts)
    os << ", " << count << ' ' << status;
  os << '\n';
  std::string text = textOf(best);
  // Of many the luckiest looks fastest.
  Outcome again;
  if (least < worthwhile)
    if (int code = measure(options, text, 4 * options.seconds, again))
      return code;
  if (least >= worthwhile || again.ratio() >= worthwhile) {
    os << "no schedule is more than 2 % faster than the planner's own\n";
    return Done;
  }
  os << formatv("{0}: {1} instead of {2}, {3:F3} of it\n",
                printable(options.schedule), saySeconds(again.candidate),
                saySeconds(again.planned), again.ratio());
  return writeOutput(options.schedule, options.head + text);
}

int Tuner::run() {
  int code = options.search == TuneOptions::All      ? searchAll()
             : options.search == TuneOptions::Judged ? searchJudged()
                                                     : searchOne();
  if (code)
    return code;
  return finish();
}

int arrc::tool::tune(const CommandLine &line) {
  TuneOptions options;
  if (int code = readOptions(line.rest, options))
    return code;
  std::vector<PlannedSchedule> planned;
  // Arguments are for the runs; the compiler has no use for them.
  if (int code = findPlanned(options, planned))
    return code;
  if (options.isPrinted) {
    outs() << options.head;
    for (const PlannedSchedule &each : planned)
      outs() << each.name << ": " << each.text << '\n';
    return finishStandardOutput();
  }
  Journal journal;
  if (int code = journal.open(options))
    return code;
  return Tuner(options, planned, journal).run();
}
