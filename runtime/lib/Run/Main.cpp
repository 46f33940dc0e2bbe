//===- Main.cpp - the command line of a program ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Context.h"
#include "Core/Printable.h"
#include "Ranks/MPI.h"
#include "Run/Arguments.h"
#include "Run/Options.h"
#include "Run/Summary.h"
#include "Run/Text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace arrt;

namespace {

constexpr char outputFailed[] = "error: cannot write to the standard output";

/// Whether all that was printed has been written.
bool flushOutput() { return std::fflush(stdout) == 0 && !std::ferror(stdout); }

void printUsage(const char *self, const arrt_program &program) {
  std::printf("usage: %s [options] NAME=VALUE.. NAME=@file.npy..\n\n",
              printable(self).c_str());
  for (int32_t e = 0; e < program.num_entries; ++e) {
    const arrt_entry &entry = program.entries[e];
    std::printf("%s\n", entry.name);
    for (int32_t i = 0; i < entry.num_params; ++i) {
      const arrt_param &param = entry.params[i];
      std::string line = std::string("  ") + param.name + ": " + param.type;
      if (param.default_value && !param.rank)
        line += " = " + elementText(param.element, param.default_value);
      else if (param.default_value)
        line += " = ..";
      std::printf("%s\n", line.c_str());
    }
    for (int32_t i = 0; i < entry.num_results; ++i)
      std::printf("  -> %s: %s\n", entry.results[i].name,
                  entry.results[i].type);
  }
  std::printf("\n"
              "options:\n"
              "  --output NAME=@file.npy  save a result\n"
              "  --entry F                the export to run, if there are "
              "several\n"
              "  --convert                convert files to the declared "
              "element type\n"
              "  --threads N              workers (default: ARRC_THREADS, else "
              "all cores)\n"
              "  --target T               cpu, cuda, cuda:N, opencl, opencl:N: "
              "where to run, of\n"
              "                           what it was compiled for (default: "
              "the first)\n"
              "  --parts N                how many parts launches are cut "
              "into (default: one\n"
              "                           a device; cuda:0,1 and cuda:all are "
              "several)\n"
              "  --time                   say how long the call took\n"
              "  --repeat N               call it N times, and say how long "
              "a call takes\n"
              "  --help                   this text\n");
}

/// Whether this process says what all of them have to say.
bool speaks() { return mpi::findLaunched().rank == 0; }

int finish(arrt_context *ctx, int32_t status) {
  if (status && speaks())
    std::fprintf(stderr, "%s\n", arrt_message(ctx));
  return arrt_status_exit_code(status);
}

/// Calls an export, or has the caller do so.
int32_t call(arrt_context *ctx, const arrt_program *program,
             const arrt_entry &entry, Arguments &arguments,
             const arrt_run_hooks *hooks) {
  int32_t count = entry.num_params + entry.num_results;
  if (hooks && hooks->call)
    return hooks->call(hooks->user, ctx, program, &entry, arguments.pointers(),
                       count);
  return arrt_call(ctx, program, &entry, arguments.pointers(), count);
}

/// Calls an export so often that it was called `times` times in all, the first
/// of them in `first` seconds, and says how long calls take. The first one,
/// which loads the kernels, does not count where there are others.
int32_t repeat(arrt_context *ctx, const arrt_program *program,
               const arrt_entry &entry, int64_t times, Arguments &arguments,
               const arrt_run_hooks *hooks, double first) {
  std::vector<double> seconds;
  for (int64_t i = 1; i < times; ++i) {
    arguments.releaseResults();
    auto start = std::chrono::steady_clock::now();
    if (int32_t status = call(ctx, program, entry, arguments, hooks))
      return status;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    seconds.push_back(took.count());
  }
  if (seconds.empty())
    return ARRT_STATUS_OK;
  if (!speaks())
    return ARRT_STATUS_OK;
  std::sort(seconds.begin(), seconds.end());
  size_t count = seconds.size();
  auto at = [&](size_t part) { return 1000 * seconds[part * (count - 1) / 4]; };
  double median = 500 * (seconds[(count - 1) / 2] + seconds[count / 2]);
  std::fprintf(stderr,
               "%s: %lld calls, median %.4f ms, least %.4f ms, the middle half "
               "within %.4f ms; the first took %.4f ms\n",
               entry.name, (long long)times, median, at(0), at(3) - at(1),
               1000 * first);
  return ARRT_STATUS_OK;
}

int32_t execute(arrt_context *ctx, const arrt_program *program,
                const arrt_entry &entry, const Options &options,
                const arrt_run_hooks *hooks) {
  Arguments arguments(ctx, entry);
  // The evaluator and whoever else looks at a call wants whole arrays.
  bool looksOn = hooks && hooks->after;
  ctx->readsShares = ctx->ranks && !looksOn && !options.convert;
  if (int32_t status = arguments.checkOutputs(options))
    return status;
  if (int32_t status = arguments.read(options))
    return status;
  if (int32_t status = arrt_program_load(ctx, program))
    return status;
  if (int32_t status = arguments.upload())
    return status;
  auto start = std::chrono::steady_clock::now();
  if (int32_t status = call(ctx, program, entry, arguments, hooks))
    return status;
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (int32_t status = repeat(ctx, program, entry, options.repeat, arguments,
                              hooks, took.count()))
    return status;
  bool isFirst = arrt::isFirst(ctx);
  if (options.time && program->num_images && isFirst)
    std::fprintf(stderr, "time: %-12s%9.3f ms\n", "module load",
                 1000 * arrt_load_seconds(ctx));
  if (options.time && isFirst)
    std::fprintf(stderr, "%s: %.6f s\n", entry.name,
                 took.count() - arrt_load_seconds(ctx));
  // Several processes write and print what is on the devices.
  if (!ctx->ranks || looksOn)
    if (int32_t status = arguments.download())
      return status;
  if (looksOn && isFirst)
    if (int32_t status =
            hooks->after(hooks->user, ctx, &entry, arguments.pointers()))
      return status;
  if (int32_t status = arguments.writeOutputs(options))
    return status;
  for (int32_t i = 0; i < entry.num_results; ++i) {
    const arrt_param &result = entry.results[i];
    std::string line;
    if (!result.rank)
      line = summarize(result, arguments.resultScalar(i));
    else if (int32_t status =
                 summarize(ctx, result, arguments.resultArray(i), line))
      return status;
    if (isFirst)
      std::printf("%s\n", line.c_str());
  }
  const char *traffic = arrt_context_traffic(ctx);
  if (options.time && *traffic && isFirst)
    std::fprintf(stderr, "traffic: %s\n", traffic);
  if (!flushOutput())
    return arrt_fail(ctx, ARRT_STATUS_IO, "%s", outputFailed);
  return ARRT_STATUS_OK;
}

} // namespace

int arrt_run(int argc, char **argv, const arrt_program *program,
             const arrt_run_hooks *hooks) {
  auto wrong = [&](const std::string &error, const std::string &help) {
    if (speaks()) {
      std::fprintf(stderr, "error: %s\n", error.c_str());
      if (!help.empty())
        std::fprintf(stderr, "help: %s\n", help.c_str());
    }
    return arrt_status_exit_code(ARRT_STATUS_USAGE);
  };
  // What cannot be written is an error and no reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  Options options;
  std::string help;
  std::string error = parseOptions(argc, argv, options, help);
  if (!error.empty())
    return wrong(error, help);
  if (options.help) {
    if (speaks())
      printUsage(argc > 0 ? argv[0] : "program", *program);
    if (flushOutput())
      return 0;
    std::fprintf(stderr, "%s\n", outputFailed);
    return arrt_status_exit_code(ARRT_STATUS_IO);
  }
  const arrt_entry *entry = findEntry(*program, options, error);
  if (!entry)
    return wrong(error, "");

  arrt_options settings;
  std::memset(&settings, 0, sizeof settings);
  settings.threads = options.threads;
  settings.parts = options.parts;
  bool inRanks = mpi::findLaunched().count > 1;
  if (inRanks)
    settings.flags |= ARRT_OPTION_RANKS;
  // A program has code for one kind of device; which of that kind is asked.
  settings.target = program->target;
  if (!options.target.empty() && options.target != "auto") {
    int32_t target = 0;
    arrt_parse_target(options.target.c_str(), &target, &settings.device);
    if (options.target.find(',') != std::string::npos ||
        options.target.find(":all") != std::string::npos)
      settings.devices = options.target.c_str();
    if (target != program->target) {
      std::string compiled = arrt_target_name(program->target)
                                 ? arrt_target_name(program->target)
                                 : "another device";
      return wrong("the program was compiled for " + compiled +
                       " and does not run on " + arrt_target_name(target),
                   "");
    }
  }
  // One for the CPU whose launches cannot be cut.
  if (program->target == ARRT_TARGET_CPU && !program->num_images && !inRanks) {
    settings.parts = 1;
    settings.devices = nullptr;
  }
  arrt_context *ctx = arrt_context_create(&settings);
  if (!ctx)
    return wrong("out of memory", ""), 4;
  if (hooks && hooks->image)
    arrt_set_images(ctx, hooks->image, hooks->user);
  int32_t status = arrt_last_status(ctx);
  if (!status)
    status = execute(ctx, program, *entry, options, hooks);
  status = agree(ctx, status);
  int code = finish(ctx, status);
  if (status && hooks && hooks->failed && speaks())
    hooks->failed(hooks->user, arrt_message(ctx));
  arrt_context_destroy(ctx);
  arrt_ranks_finish();
  return code;
}

int arrt_main(int argc, char **argv, const arrt_program *program) {
  return arrt_run(argc, argv, program, nullptr);
}
