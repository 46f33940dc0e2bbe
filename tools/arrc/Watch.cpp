//===- Watch.cpp - Runs that are seen between steps -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `f__begin`, then `f__step` again and again, then `f__end`: the order of the
// pass arr-step-time-loops, whose comment says what they exchange. How many
// steps go into one call follows from the time that they take: long enough that
// nobody pays for the calls, short enough that a person is answered at once.
//
//===----------------------------------------------------------------------===//

#include "Watch.h"

#include "Console.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <chrono>
#include <csignal>

using namespace llvm;
using namespace arrc::tool;

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
  std::chrono::duration<double> took = Clock::now() - start;
  return took.count();
}

//===----------------------------------------------------------------------===//
// Interrupts
//===----------------------------------------------------------------------===//

static volatile std::sig_atomic_t arrived = 0;

namespace {
/// As long as it lives an interrupt is noted; the second one ends the process.
class Interrupts {
public:
  Interrupts() {
    arrived = 0;
    struct sigaction action = {};
    action.sa_handler = [](int signal) { arrived = signal; };
    action.sa_flags = int(SA_RESETHAND) | SA_RESTART;
    ::sigaction(SIGINT, &action, &before[0]);
    ::sigaction(SIGTERM, &action, &before[1]);
  }
  ~Interrupts() {
    ::sigaction(SIGINT, &before[0], nullptr);
    ::sigaction(SIGTERM, &before[1], nullptr);
  }

private:
  struct sigaction before[2];
};

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

/// How far a run is: one line of a terminal, over and over, else a line now and
/// then.
class Progress {
public:
  Progress(StringRef name, int64_t total, bool isShown)
      : name(name), total(total), isShown(isShown),
        isTerminal(sys::Process::StandardErrIsDisplayed() && !isCaptured()) {}

  void show(int64_t steps) {
    if (!isShown || since(last) < (isTerminal ? 0.1 : 10))
      return;
    last = Clock::now();
    std::string text = describe(steps);
    if (isTerminal)
      console() << '\r' << text << "\x1b[K";
    else
      console() << text << '\n';
    console().flush();
  }
  void finish(int64_t steps, int signal) {
    if (!isShown && !signal)
      return;
    if (isShown && isTerminal)
      console() << "\r\x1b[K";
    double seconds = since(start);
    console() << name << ": " << steps
              << (steps == 1 ? " step in " : " steps in ")
              << format("%.3g s", seconds);
    if (steps && seconds > 0)
      console() << format(", %.3g a second", double(steps) / seconds);
    if (signal)
      console() << "; interrupted, the results are those of step " << steps;
    console() << '\n';
  }

private:
  std::string describe(int64_t steps) const {
    std::string text;
    raw_string_ostream os(text);
    os << name << ' ';
    bool isKnown = total > 0 && steps <= total;
    if (isKnown) {
      constexpr int64_t width = 24;
      auto full = int64_t(double(steps) / double(total) * width);
      os << '[' << std::string(size_t(full), '#')
         << std::string(size_t(width - full), '.') << "] ";
    }
    os << steps;
    if (isKnown)
      os << " of " << total;
    os << " steps";
    double rate = double(steps) / since(start);
    os << format(", %.3g a second", rate);
    if (isKnown && steps) {
      double left = double(total - steps) / rate;
      if (left < 100)
        os << format(", %.0f s left", left);
      else if (left < 6000)
        os << format(", %.0f min left", left / 60);
      else
        os << format(", %.1f h left", left / 3600);
    }
    return text;
  }

  StringRef name;
  int64_t total;
  bool isShown, isTerminal;
  Clock::time_point start = Clock::now(), last = start;
};
} // namespace

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

namespace {
/// A value that passes from one part to the next; owns its array.
struct Passed {
  Passed() = default;
  Passed(Passed &&other) noexcept { *this = std::move(other); }
  Passed &operator=(Passed &&other) noexcept {
    std::copy(other.number, other.number + sizeof number, number);
    std::swap(array, other.array);
    return *this;
  }
  ~Passed() { arrt_array_release(array); }
  void *place(const arrt_param &about) {
    return about.rank ? static_cast<void *>(&array) : number;
  }
  int64_t integer() const { return *reinterpret_cast<const int64_t *>(number); }

  alignas(16) unsigned char number[16] = {}; ///< of every scalar
  arrt_array *array = nullptr;
};
} // namespace

/// A call of an export in parts.
class Watch::Run {
public:
  Run(Watch &watch, arrt_context *ctx, const arrt_program *program,
      const arrt_entry &entry)
      : watch(watch), ctx(ctx), program(program), entry(entry),
        begin(find("__begin")), step(find("__step")), end(find("__end")) {}

  int32_t run(void **args);

private:
  const arrt_entry &find(StringRef ending) const {
    return *arrt_program_entry(&watch.parts,
                               (entry.name + ending).str().c_str());
  }
  int32_t invoke(const arrt_entry &part, ArrayRef<void *> inputs,
                 MutableArrayRef<Passed> results) {
    std::vector<void *> places(inputs);
    for (auto [i, result] : enumerate(results))
      places.push_back(result.place(part.results[i]));
    return arrt_call(ctx, program, &part, places.data(),
                     int32_t(places.size()));
  }
  /// What stands for the state and for what is kept, as `part` has it.
  void addState(const arrt_entry &part, std::vector<void *> &places) {
    for (MutableArrayRef<Passed> values :
         {MutableArrayRef(state), MutableArrayRef(kept)})
      for (Passed &value : values)
        places.push_back(value.place(part.params[places.size()]));
  }
  int32_t takeSteps(int64_t most, int64_t &taken);
  /// The results, if the loop ended now.
  int32_t finishInto(ArrayRef<void *> results);
  /// Has the outputs written of results.
  int32_t write(ArrayRef<void *> results, int64_t steps);
  int32_t writeNow(int64_t steps);

  Watch &watch;
  arrt_context *ctx;
  const arrt_program *program;
  const arrt_entry &entry, &begin, &step, &end;
  std::vector<Passed> state, kept;
};

int32_t Watch::Run::takeSteps(int64_t most, int64_t &taken) {
  Passed count;
  *reinterpret_cast<int64_t *>(count.number) = most;
  std::vector<void *> inputs = {count.number};
  addState(step, inputs);
  std::vector<Passed> results(size_t(step.num_results));
  if (int32_t status = invoke(step, inputs, results))
    return status;
  taken = results.front().integer();
  for (auto [i, value] : enumerate(state))
    value = std::move(results[i + 1]);
  return ARRT_STATUS_OK;
}

int32_t Watch::Run::finishInto(ArrayRef<void *> results) {
  std::vector<void *> places;
  addState(end, places);
  append_range(places, results);
  return arrt_call(ctx, program, &end, places.data(), int32_t(places.size()));
}

int32_t Watch::Run::write(ArrayRef<void *> results, int64_t steps) {
  for (const SeriesOutput &output : watch.outputs) {
    HostValue value;
    if (int32_t status = takeValue(ctx, entry.results[output.result],
                                   results[size_t(output.result)], value))
      return status;
    if (std::optional<std::string> name = nameOfStep(output.path, steps))
      watch.series->write(*name, std::move(value), output.path);
    else
      watch.series->append(output.path, std::move(value));
  }
  std::string problem = watch.series->getProblem();
  return problem.empty()
             ? int32_t(ARRT_STATUS_OK)
             : arrt_fail(ctx, ARRT_STATUS_IO, "error: %s", problem.c_str());
}

int32_t Watch::Run::writeNow(int64_t steps) {
  std::vector<Passed> results(size_t(entry.num_results));
  std::vector<void *> places;
  for (auto [i, result] : enumerate(results))
    places.push_back(result.place(entry.results[i]));
  if (int32_t status = finishInto(places))
    return status;
  return write(places, steps);
}

int32_t Watch::Run::run(void **args) {
  ArrayRef<void *> inputs(args, size_t(entry.num_params)),
      results(args + entry.num_params, size_t(entry.num_results));
  std::vector<Passed> begun(size_t(begin.num_results));
  if (int32_t status = invoke(begin, inputs, begun))
    return status;
  int64_t total = begun.front().integer();
  auto numState = size_t(step.num_results - 1);
  for (auto [i, value] : enumerate(MutableArrayRef(begun).drop_front()))
    (i < numState ? state : kept).push_back(std::move(value));

  // From a tenth of a second to three is what a person calls at once, and more
  // than a call takes.
  constexpr double leastSeconds = 0.1, mostSeconds = 0.3;
  Interrupts interrupts;
  Progress progress(entry.name, total, watch.line.progress);
  bool writes = watch.line.every && !watch.outputs.empty();
  int64_t steps = 0, size = 1, written = -1;
  for (bool goesOn = true; goesOn && !arrived;) {
    int64_t most = size;
    if (writes)
      most = std::min(most, watch.line.every - steps % watch.line.every);
    auto start = Clock::now();
    int64_t taken = 0;
    if (int32_t status = takeSteps(most, taken))
      return status;
    double seconds = since(start);
    if (seconds < leastSeconds && taken == size && size < int64_t(1) << 40)
      size *= 2;
    else if (seconds > mostSeconds && size > 1)
      size /= 2;
    steps += taken;
    goesOn = taken == most && steps != total;
    progress.show(steps);
    if (writes && taken && steps % watch.line.every == 0) {
      if (int32_t status = writeNow(steps))
        return status;
      written = steps;
    }
  }
  watch.signal = arrived;
  progress.finish(steps, watch.signal);
  if (int32_t status = finishInto(results))
    return status;
  return writes && written != steps ? write(results, steps)
                                    : int32_t(ARRT_STATUS_OK);
}

//===----------------------------------------------------------------------===//
// Watch
//===----------------------------------------------------------------------===//

Watch::Watch(const CommandLine &line, const arrt_program &program)
    : line(line), parts(program), whole(program) {
  for (int32_t e = 0; e < program.num_entries; ++e) {
    const arrt_entry &part = program.entries[e];
    StringRef name = part.name;
    if (!name.consume_back("__begin")) {
      if (!name.ends_with("__step") && !name.ends_with("__end"))
        entries.push_back(part);
      continue;
    }
    const arrt_entry *end =
        arrt_program_entry(&program, (name + "__end").str().c_str());
    if (!end)
      continue;
    arrt_entry entry = part;
    entry.name = names.emplace_back(name.str()).c_str();
    entry.packed = nullptr;
    entry.num_results = end->num_results;
    entry.results = end->results;
    entries.push_back(entry);
  }
  whole.entries = entries.data();
  whole.num_entries = int32_t(entries.size());
}

bool Watch::isStepped(const arrt_entry &entry) const { return !entry.packed; }

int32_t Watch::call(arrt_context *ctx, const arrt_program *program,
                    const arrt_entry &entry, void **args, int32_t count) {
  return isStepped(entry) ? Run(*this, ctx, program, entry).run(args)
                          : arrt_call(ctx, program, &entry, args, count);
}
