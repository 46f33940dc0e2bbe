//===- Runner.cpp - A program that is called again and again --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "Console.h"
#include "MadeArrays.h"
#include "Verbs.h"

#include "arrc/Support/Printable.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

Runner::~Runner() {
  arguments.reset();
  if (ctx && program && program->table())
    arrt_program_unload(ctx, program->table());
  if (ctx)
    arrt_context_destroy(ctx);
}

int Runner::finish(int32_t status) {
  if (!status)
    return Done;
  console() << arrt_message(ctx) << '\n';
  return arrt_status_exit_code(status);
}

static double since(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return took.count();
}

int Runner::load(bool notes) {
  if (int code = parseWords("run", variant.file, variant.words, line))
    return code;
  if (line.verb != Verb::Run)
    return complain(WrongUse, "'--help' is no option of a variant");
  for (auto [isSet, option] : {std::pair(line.check, "--check"),
                               {line.memory, "--memory"},
                               {line.isStepped(), "--every or --progress"},
                               {line.time, "--time"}})
    if (isSet)
      return complain(WrongUse, Twine("'") + option + "' goes with 'arrc run'");
  line.observed = notes;
  if (int code = loadPlugins(line.plugins))
    return code;
  target = findRunTarget(line);
  if (!target)
    return NoDevice;
  auto start = std::chrono::steady_clock::now();
  timer = Timer();
  program = std::make_unique<Program>(line, *target);
  auto look = [&](Compiler &compiler) -> int {
    if (isChecked && compiler.isAtArrays())
      reference.keep(compiler.module());
    return notes ? kernels.collect(compiler) : int(Done);
  };
  if (int code = program->load(
          timer, notes || isChecked ? Program::Look(look) : nullptr,
          /*lowers=*/notes))
    return code;
  if (!program->table())
    return complainOfNoExport(line);
  milliseconds = 1000 * since(start);

  arrt_options settings = {};
  settings.target = program->table()->target;
  if (!target->device.empty()) {
    int32_t kind = 0;
    arrt_parse_target(target->device.c_str(), &kind, &settings.device);
  }
  settings.parts = static_cast<int32_t>(line.parts);
  if (line.hasSeveralDevices())
    settings.devices = line.target.c_str();
  arrt::Options options;
  std::vector<char *> rest = {const_cast<char *>("arrc")};
  for (std::string &word : line.rest)
    rest.push_back(word.data());
  std::string help;
  std::string error =
      arrt::parseOptions(int(rest.size()), rest.data(), options, help);
  if (!error.empty())
    return complain(WrongUse, error, help);
  settings.threads = options.threads;
  ctx = arrt_context_create(&settings);
  if (!ctx)
    return complain(NoDevice, "out of memory");
  arrt_set_images(
      ctx,
      [](void *user, arrt_context *ctx, const arrt_program *, int32_t number,
         arrt_image *made) {
        return static_cast<Program *>(user)->makeImage(ctx, number, *made);
      },
      program.get());
  return finish(arrt_last_status(ctx));
}

/// Whether a dimension of a parameter speaks of `name`.
static bool isSize(const arrt_entry &entry, StringRef name) {
  for (int32_t i = 0; i < entry.num_params; ++i)
    for (int32_t d = 0; d < entry.params[i].rank; ++d) {
      StringRef text = entry.params[i].dims ? entry.params[i].dims[d] : "";
      while (!text.empty()) {
        StringRef word =
            text.take_while([](char c) { return isAlnum(c) || c == '_'; });
        if (word == name)
          return true;
        text = text.drop_front(std::max<size_t>(word.size(), 1));
      }
    }
  return false;
}

int Runner::prepare(StringRef entryName, ArrayRef<std::string> given) {
  arguments.reset();
  arrt::Options options;
  std::string help;
  std::vector<std::string> words = line.rest;
  if (!entryName.empty() && line.entry.empty())
    words.push_back("--entry=" + entryName.str());
  words.insert(words.end(), given.begin(), given.end());
  std::vector<char *> pointers = {const_cast<char *>("arrc")};
  for (std::string &word : words)
    pointers.push_back(word.data());
  std::string error =
      arrt::parseOptions(int(pointers.size()), pointers.data(), options, help);
  if (!error.empty())
    return complain(WrongUse, error, help);
  if (!options.outputs.empty())
    return complain(WrongUse, "'--output' goes with 'arrc run'");
  entry = arrt::findEntry(*program->table(), options, error);
  if (!entry) {
    console() << "error: " << printable(error, /*keepLines=*/true) << '\n';
    return WrongUse;
  }

  arguments = std::make_unique<arrt::Arguments>(ctx, *entry);
  ArrayMaker maker;
  std::vector<arrt::Assignment> inputs;
  for (arrt::Assignment &input : options.inputs) {
    auto *param = std::find_if(
        entry->params, entry->params + entry->num_params,
        [&](const arrt_param &param) { return input.name == param.name; });
    if (param != entry->params + entry->num_params) {
      if (param->rank && !input.isFile && ArrayMaker::isRecipe(input.text)) {
        if (std::string wrong = maker.add(input.name, input.text);
            !wrong.empty())
          return complain(WrongUse, wrong);
        continue;
      }
    } else if (!input.isFile && isSize(*entry, input.name)) {
      arrt::Value size;
      error = arrt::evaluate(input.text, ARRT_I64, {}, size);
      if (!error.empty() || size.kind != arrt::Value::Int)
        return complain(WrongUse,
                        "'" + input.name + "=" + input.text + "' is no size");
      arguments->addSize(input.name, int64_t(size.integer));
      continue;
    }
    inputs.push_back(input);
  }
  options.inputs = std::move(inputs);
  arguments->setMaker([&](const arrt_param &param, const arrt::Sizes &sizes) {
    return maker.make(ctx, param, sizes);
  });
  int32_t status = arguments->read(options);
  arguments->setMaker({});
  if (!status)
    status = arrt_program_load(ctx, program->table());
  if (!status)
    status = arguments->upload();
  return finish(status);
}

int Runner::call(double &seconds) {
  arguments->releaseResults();
  auto start = std::chrono::steady_clock::now();
  int32_t status =
      arrt_call(ctx, program->table(), entry, arguments->pointers(),
                entry->num_params + entry->num_results);
  seconds = since(start);
  return finish(status);
}

double Runner::measureCopies() const {
  constexpr int64_t bytes = int64_t(1) << 27;
  auto *from = static_cast<char *>(arrt_buffer_alloc(ctx, 2 * bytes, -1));
  if (!from)
    return 0;
  std::memset(from, 1, size_t(2 * bytes));
  double least = 1e9;
  for (int i = 0; i < 4; ++i) {
    auto start = std::chrono::steady_clock::now();
    arrt_buffer_copy(ctx, from + bytes, from, bytes);
    least = std::min(least, since(start));
  }
  arrt_buffer_free(ctx, from);
  return 2 * double(bytes) / least;
}

int Runner::checkResults() {
  if (int code = finish(arguments->download()))
    return code;
  return finish(
      reference.compare(ctx, *entry, arguments->pointers(), console()));
}

int Runner::observe(const std::function<void(const arrt_event &)> &observer,
                    double &seconds) {
  arrt_observe(
      ctx,
      [](void *user, const arrt_event *event) {
        (*static_cast<const std::function<void(const arrt_event &)> *>(user))(
            *event);
      },
      const_cast<std::function<void(const arrt_event &)> *>(&observer));
  int code = call(seconds);
  arrt_observe(ctx, nullptr, nullptr);
  return code;
}

int Runner::getResults(std::vector<HostValue> &results) {
  results.clear();
  for (int32_t i = 0; i < entry->num_results; ++i)
    if (int code =
            finish(takeValue(ctx, entry->results[i],
                             arguments->pointers()[entry->num_params + i],
                             results.emplace_back())))
      return code;
  return Done;
}

double Runner::getCompileMilliseconds() const {
  return milliseconds + program->getImageMilliseconds() +
         program->getTaskMilliseconds();
}

//===----------------------------------------------------------------------===//
// Comments
//===----------------------------------------------------------------------===//

bool arrc::tool::readTagged(StringRef file, StringRef tag,
                            std::vector<TaggedLine> &lines) {
  auto text = readSourceFile(file, mostModuleBytes);
  if (!text)
    return false;
  unsigned number = 0;
  bool goesOn = false;
  for (StringRef row : split((*text)->getBuffer(), '\n')) {
    ++number;
    row = row.trim();
    bool isComment = row.consume_front("#") || row.consume_front("//");
    bool isIndented = row.starts_with("  ");
    row = row.trim();
    if (isComment && row.consume_front(tag) && row.consume_front(":")) {
      lines.push_back({number, row.trim().str()});
      goesOn = true;
    } else if (isComment && isIndented && goesOn && !row.empty()) {
      lines.back().text += " " + row.str();
    } else {
      goesOn = false;
    }
  }
  return true;
}

std::vector<std::string> arrc::tool::splitWords(StringRef text) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (isSpace(c) && depth <= 0) {
      if (!word.empty())
        words.push_back(std::move(word));
      word.clear();
      continue;
    }
    word += c;
  }
  if (!word.empty())
    words.push_back(std::move(word));
  return words;
}
