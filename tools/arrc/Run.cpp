//===- Run.cpp - arrc run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The JIT gives the same table that an executable has, `arrt_program_table`,
// and the runtime's own command line does the rest: what `arrc run FILE` and
// the executable of FILE accept and print is the same code.
//
//===----------------------------------------------------------------------===//

#include "Console.h"
#include "MemoryReport.h"
#include "Output.h"
#include "Program.h"
#include "ReferenceCheck.h"
#include "Verbs.h"
#include "Watch.h"

#include "Ranks/Ranks.h"
#include "Run/Options.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <optional>
#include <thread>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
/// What a run in memory consists of.
struct Session {
  Session(const CommandLine &line, const Target &target)
      : line(line), program(line, target) {}

  /// Keeps what comparisons and plans need of the program as it was read.
  int look(Compiler &compiler);
  arrt_run_hooks hooks();
  /// What is done behind a call. Returns a status.
  int32_t finish(arrt_context *ctx, const arrt_entry &entry, void **args);
  /// Takes the outputs from the words of the program that the runtime does not
  /// write.
  void takeOutputs(std::vector<std::string> &words);
  /// Looks whether the program has what they are made of. Returns an exit code.
  int checkOutputs(ArrayRef<std::string> words);
  const arrt_program *table() const {
    return watch ? watch->table() : program.table();
  }

  const CommandLine &line;
  Program program;
  ReferenceCheck reference;
  MemoryReport memory;
  std::optional<Watch> watch;
  std::optional<Series> series;
  std::vector<SeriesOutput> outputs;
};
} // namespace

int Session::look(Compiler &compiler) {
  if (line.check) {
    if (!compiler.isAtArrays())
      return complain(WrongUse, "'" + line.file +
                                    "' is below the arrays, where the "
                                    "evaluator runs it");
    // It runs the program as it was written.
    reference.keep(compiler.module());
  }
  if (line.memory && getStage(compiler.module()) < Stage::Scheduled) {
    if (int code = compiler.lowerTo(Level::Scheduled))
      return code;
    memory.keep(compiler.module());
  }
  return Done;
}

/// Takes the words of outputs out for which `isWanted` holds.
static std::vector<SeriesOutput>
splitOutputs(std::vector<std::string> &words,
             function_ref<bool(StringRef path)> isWanted) {
  std::vector<std::string> others;
  std::vector<SeriesOutput> outputs;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef text = words[i];
    size_t count = text == "--output" && i + 1 < words.size() ? 2 : 1;
    if (count == 2)
      text = words[i + 1];
    bool isOutput = count == 2 || text.consume_front("--output=");
    auto [name, path] = text.split("=@");
    if (isOutput && !path.empty() && isWanted(path))
      outputs.push_back({name.str(), path.str()});
    else
      others.insert(others.end(), words.begin() + long(i),
                    words.begin() + long(i + count));
    i += count - 1;
  }
  words = std::move(others);
  return outputs;
}

void Session::takeOutputs(std::vector<std::string> &words) {
  outputs = splitOutputs(words, [&](StringRef path) {
    return line.every || path.ends_with(".png");
  });
}

int Session::checkOutputs(ArrayRef<std::string> words) {
  arrt::Options options;
  std::vector<std::string> all = {"arrc"};
  append_range(all, words);
  std::vector<char *> pointers;
  for (std::string &word : all)
    pointers.push_back(word.data());
  std::string error, help;
  const arrt_entry *entry = nullptr;
  if (arrt::parseOptions(int(pointers.size()), pointers.data(), options, help)
          .empty())
    entry = arrt::findEntry(*table(), options, error);
  // What is wrong with the words themselves the runtime says.
  if (!entry || options.help)
    return Done;
  if (watch && !watch->isStepped(*entry))
    return complain(WrongUse,
                    Twine("'") + entry->name +
                        "' has no time loop that could be watched",
                    "it is the last loop outside of others, and carries an "
                    "array; --remarks may say more");
  if (line.every && outputs.empty())
    return complain(WrongUse,
                    "'--every' says when results are written, and "
                    "none is",
                    "add --output NAME=@NAME-%06d.npy");
  if (line.every && options.repeat > 1)
    return complain(WrongUse, "'--every' and '--repeat' do not go together");
  if (std::string wrong = checkSeries(outputs, *entry, line.every > 0);
      !wrong.empty())
    return complain(WrongUse, wrong);
  if (outputs.empty())
    return Done;
  series.emplace(line.range);
  if (watch)
    watch->setOutputs(outputs, &*series);
  return Done;
}

arrt_run_hooks Session::hooks() {
  arrt_run_hooks hooks = {};
  hooks.user = this;
  if (watch)
    hooks.call = [](void *user, arrt_context *ctx, const arrt_program *program,
                    const arrt_entry *entry, void **args, int32_t count) {
      return static_cast<Session *>(user)->watch->call(ctx, program, *entry,
                                                       args, count);
    };
  if (line.check || line.memory || series)
    hooks.after = [](void *user, arrt_context *ctx, const arrt_entry *entry,
                     void **args) {
      return static_cast<Session *>(user)->finish(ctx, *entry, args);
    };
  hooks.failed = [](void *, const char *message) { showPlaceOf(message); };
  hooks.image = [](void *user, arrt_context *ctx, const arrt_program *,
                   int32_t number, arrt_image *made) {
    return static_cast<Session *>(user)->program.makeImage(ctx, number, *made);
  };
  return hooks;
}

int32_t Session::finish(arrt_context *ctx, const arrt_entry &entry,
                        void **args) {
  if (line.memory)
    memory.print(ctx, entry, args);
  if (series) {
    for (const SeriesOutput &output : outputs) {
      HostValue value;
      if (line.every)
        break;
      if (int32_t status =
              takeValue(ctx, entry.results[output.result],
                        args[entry.num_params + output.result], value))
        return status;
      series->write(output.path, std::move(value), output.path);
    }
    std::string problem = series->finish();
    if (!problem.empty())
      return arrt_fail(ctx, ARRT_STATUS_IO, "error: %s", problem.c_str());
    for (const std::string &text : series->describePictures())
      outs() << text << '\n';
    if (series->getWaited() > 0.1)
      errs() << format(
          "the disk is slower than the program, which waited %.1f s "
          "for it\n",
          series->getWaited());
    outs().flush();
  }
  if (!line.check)
    return ARRT_STATUS_OK;
  if (watch && watch->getSignal()) {
    errs() << "check: not done, as the run was interrupted\n";
    return ARRT_STATUS_OK;
  }
  return reference.compare(ctx, entry, args, errs());
}

int arrc::tool::complainOfNoExport(const CommandLine &line) {
  return complain(ProgramError,
                  "'" + line.file + "' has no 'export def' to run");
}

/// Complains if a result is to be written over a text of the program. Returns
/// the exit code.
static int checkOutputs(const CommandLine &line,
                        ArrayRef<SourceText> texts = {}) {
  bool isOutput = false;
  for (StringRef word : line.rest) {
    bool isNext = word == "--output";
    if (!isOutput && !word.consume_front("--output=")) {
      isOutput = isNext;
      continue;
    }
    isOutput = isNext;
    auto [name, file] = word.split("=@");
    if (file.empty())
      continue;
    if (isSameFile(file, line.file))
      return complain(WrongUse, "'--output' names the program's own file");
    for (const SourceText &text : texts)
      if (isSameFile(file, text.path))
        return complain(WrongUse,
                        "'--output' names a file that the program imports");
  }
  return Done;
}

/// Of several processes that compile a program each keeps what it has to say
/// until it is known which one fails, if any. Returns the exit code of all.
static int agreeOn(int code, StringRef messages) {
  std::string error;
  arrt::Ranks *ranks = arrt::Ranks::get(error);
  if (!ranks) {
    if (arrt::mpi::findLaunched().rank > 0) {
      // The launcher kills the others with this one: the first may speak
      // before.
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return code ? code : NoDevice;
    }
    errs() << messages;
    auto [problem, help] = StringRef(error).split("\nhelp: ");
    return code ? code : complain(NoDevice, problem, help);
  }
  arrt::Ranks::Outcome outcome;
  outcome.status = code;
  outcome.text = messages.rtrim('\n').str();
  ranks->agree(outcome);
  if (ranks->rank() == 0 && !outcome.text.empty())
    errs() << outcome.text << '\n';
  if (outcome.status)
    arrt::Ranks::finish();
  return outcome.status;
}

namespace {
/// A program that is ready to be run.
struct Prepared {
  std::optional<Target> target;
  std::optional<Session> session;
  std::vector<std::string> words; ///< of its command line
};
} // namespace

static int prepare(const CommandLine &line, Timer &timer, Prepared &prepared);

int arrc::tool::run(const CommandLine &line) {
  Timer timer;
  Prepared prepared;
  int code = Done;
  if (line.ranks == 1) {
    code = prepare(line, timer, prepared);
  } else {
    std::string messages;
    raw_string_ostream os(messages);
    {
      ConsoleCapture capture(os);
      code = prepare(line, timer, prepared);
    }
    code = agreeOn(code, messages);
  }
  if (code)
    return code;
  Session &session = *prepared.session;
  std::string self = "arrc run " + line.file;
  std::vector<char *> arguments = {self.data()};
  for (std::string &word : prepared.words)
    arguments.push_back(word.data());
  arrt_run_hooks hooks = session.hooks();
  bool speaks = arrt::mpi::findLaunched().rank == 0 || line.ranks == 1;
  if (line.time && speaks)
    timer.print(errs());
  errs().flush();
  outs().flush();
  code = arrt_run(int(arguments.size()), arguments.data(), session.table(),
                  &hooks);
  if (line.time && speaks && session.program.getImageMilliseconds() > 0)
    errs() << "of module load, compiling kernels took "
           << format("%.3f ms\n", session.program.getImageMilliseconds());
  if (line.time && speaks && session.program.getTaskMilliseconds() > 0)
    errs() << "of the first call, compiling loops took "
           << format("%.3f ms\n", session.program.getTaskMilliseconds());
  if (code == Done && session.watch && session.watch->getSignal())
    return 128 + session.watch->getSignal();
  return code;
}

/// Compiles a program for what it is to run on. Returns an exit code.
static int prepare(const CommandLine &line, Timer &timer, Prepared &prepared) {
  if (int code = checkOutputs(line))
    return code;
  if (int code = loadPlugins(line.plugins))
    return code;
  std::optional<Target> &target = prepared.target;
  target = findRunTarget(line);
  if (!target)
    return NoDevice;
  timer.stop("device");
  Session &session = prepared.session.emplace(line, *target);
  auto look = [&](Compiler &compiler) { return session.look(compiler); };
  auto accept = [&] { return checkOutputs(line, session.program.texts()); };
  if (int code = session.program.load(
          timer, line.check || line.memory ? Program::Look(look) : nullptr,
          /*lowers=*/line.memory, accept))
    return code;
  if (!session.program.table())
    return complainOfNoExport(line);
  if (line.isStepped())
    session.watch.emplace(line, *session.program.table());
  const arrt_program *program = session.table();

  std::vector<std::string> &words = prepared.words;
  words = line.rest;
  session.takeOutputs(words);
  if (int code = session.checkOutputs(words))
    return code;
  if (line.hasSeveralDevices() && line.target != "auto")
    words.push_back("--target=" + line.target);
  else if (program->target != ARRT_TARGET_CPU && !target->device.empty())
    words.push_back("--target=" + target->device);
  if (line.parts)
    words.push_back("--parts=" + std::to_string(line.parts));
  return Done;
}
