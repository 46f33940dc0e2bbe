//===- Library.cpp - The compiler's C interface ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc-c/arrc.h"

#include "Console.h"
#include "Program.h"

#include "arrc/Support/LargeStack.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

struct arrc_program {
  CommandLine line;
  Target target;
  std::unique_ptr<Program> program;
  std::string device;
};

/// The passes and LLVM's code generators are asked by one thread at a time.
static std::mutex &compiling() {
  static std::mutex mutex;
  return mutex;
}

/// Does work of the compiler, which needs much stack. Returns what it said.
static std::string compile(function_ref<void()> work) {
  std::string said;
  std::lock_guard<std::mutex> lock(compiling());
  runOnLargeStack([&] {
    raw_string_ostream os(said);
    ConsoleCapture capture(os);
    work();
  });
  return said;
}

/// Reads the options. Returns an exit code.
static int parse(CommandLine &line, const char *file,
                 ArrayRef<const char *> words) {
  std::vector<const char *> all = {"run", file};
  all.insert(all.end(), words.begin(), words.end());
  std::string help, error = parseCommandLine(all, line, help);
  if (!error.empty())
    return complain(WrongUse, error, help);
  if (line.verb != Verb::Run || !line.rest.empty())
    return complain(
        WrongUse, "'" + Twine(line.rest.empty() ? "help" : line.rest.front()) +
                      "' is no option of the compiler");
  if (line.check || line.memory || line.time)
    return complain(WrongUse,
                    "'--check', '--memory' and '--time' go with 'arrc run'");
  return Done;
}

static int load(arrc_program &made, const char *file, const char *text,
                ArrayRef<const char *> words) {
  if (int code = parse(made.line, file, words))
    return code;
  if (int code = loadPlugins(made.line.plugins))
    return code;
  if (text)
    made.line.text = text;
  std::optional<Target> target = findRunTarget(made.line);
  if (!target)
    return NoDevice;
  made.target = *target;
  made.program = std::make_unique<Program>(made.line, made.target);
  Timer timer;
  if (int code = made.program->load(timer))
    return code;
  if (!made.program->table())
    return complain(ProgramError,
                    "'" + made.line.file + "' has no 'export def' to run");
  made.device = made.target.device.empty() ? "cpu" : made.target.device;
  return Done;
}

const char *arrc_version(void) { return ARRC_VERSION; }

int32_t arrc_program_load(const char *file, const char *text,
                          int32_t num_options, const char *const *options,
                          arrc_program **program, char **messages) {
  auto made = std::make_unique<arrc_program>();
  int code = InternalError;
  std::string said = compile([&] {
    code = load(*made, file, text, ArrayRef(options, size_t(num_options)));
    if (code)
      made.reset();
  });
  if (messages)
    *messages = said.empty() ? nullptr : ::strdup(said.c_str());
  *program = made.release();
  return code;
}

const arrt_program *arrc_program_table(const arrc_program *program) {
  return program->program->table();
}

const char *arrc_program_device(const arrc_program *program) {
  return program->device.c_str();
}

static int32_t makeImage(void *user, arrt_context *ctx, const arrt_program *,
                         int32_t number, arrt_image *made) {
  int32_t status = ARRT_STATUS_INTERNAL;
  std::string said = compile([&] {
    status = static_cast<arrc_program *>(user)->program->makeImage(ctx, number,
                                                                   *made);
  });
  if (status && !said.empty())
    arrt_fail(ctx, status, "%s%s", said.c_str(),
              std::string(arrt_message(ctx)).c_str());
  return status;
}

int32_t arrc_program_call(arrc_program *program, arrt_context *ctx,
                          const arrt_entry *entry, void **args,
                          int32_t num_args) {
  arrt_set_images(ctx, makeImage, program);
  int32_t status =
      arrt_call(ctx, arrc_program_table(program), entry, args, num_args);
  arrt_set_images(ctx, nullptr, nullptr);
  return status;
}

void arrc_program_destroy(arrc_program *program) {
  if (program)
    compile([&] { delete program; });
}

void arrc_free(char *text) { std::free(text); }
