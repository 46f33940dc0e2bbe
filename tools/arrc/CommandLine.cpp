//===- CommandLine.cpp - What a person asked for --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Letters mean what they mean to clang. Flags stand before or after the file.
// `run` keeps what it does not know itself for the program's own command line,
// which the runtime takes apart, for executables as well.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Options.h"
#include "TunedSchedules.h"
#include "Words.h"

#include "Ranks/MPI.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Pipelines/Optimizations.h"
#include "arrc/Target/CPU/CPU.h"
#include "arrt/arrt.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace arrc::tool;

namespace {

struct LevelName {
  Level level;
  StringLiteral name;
};
constexpr LevelName levels[] = {
    {Level::Array, "array"},     {Level::Kernel, "kernel"},
    {Level::Buffers, "buffers"}, {Level::Scheduled, "scheduled"},
    {Level::SCF, "scf"},         {Level::GPU, "gpu"},
    {Level::LLVM, "llvm"},       {Level::LLVMIR, "llvm-ir"},
    {Level::PTX, "ptx"},         {Level::SPIRV, "spirv"},
    {Level::Assembly, "asm"},    {Level::Object, "obj"},
    {Level::Executable, "exe"},  {Level::Header, "header"},
    {Level::Library, "lib"},     {Level::Pipeline, "pipeline"},
};

struct VerbName {
  Verb verb;
  StringLiteral name;
};
constexpr VerbName verbs[] = {
    {Verb::Run, "run"},         {Verb::Build, "build"},
    {Verb::Check, "check"},     {Verb::Analyze, "analyze"},
    {Verb::Bench, "bench"},     {Verb::Test, "test"},
    {Verb::Diff, "diff"},       {Verb::Profile, "profile"},
    {Verb::Tune, "tune"},       {Verb::Explain, "explain"},
    {Verb::Fmt, "fmt"},         {Verb::Lsp, "lsp"},
    {Verb::New, "new"},         {Verb::Repl, "repl"},
    {Verb::Doctor, "doctor"},   {Verb::Completion, "completion"},
    {Verb::Devices, "devices"}, {Verb::Version, "version"},
    {Verb::Help, "help"},
};

/// The word of a list that `word` was probably meant to be.
template <typename List> std::string nearest(StringRef word, const List &list) {
  std::string best;
  unsigned least = std::max<size_t>(2, word.size() / 3) + 1;
  for (auto &item : list) {
    unsigned distance = word.edit_distance(item.name, true, least);
    if (distance < least) {
      least = distance;
      best = item.name.str();
    }
  }
  return best;
}

class Parser {
public:
  Parser(ArrayRef<const char *> words, CommandLine &line, std::string &help)
      : words(words), line(line), help(help) {}

  std::string parse() {
    while (error.empty() && next < words.size())
      word(words[next++]);
    if (error.empty())
      finish();
    return error;
  }

private:
  void fail(const Twine &text, const Twine &advice = "") {
    if (!error.empty())
      return;
    error = text.str();
    help = advice.str();
  }

  /// The value of a flag that is a word of its own or joined by '='.
  std::optional<StringRef> value(StringRef word, StringRef flag) {
    if (word.consume_front(flag)) {
      if (word.consume_front("="))
        return word;
      if (word.empty()) {
        if (next < words.size())
          return StringRef(words[next++]);
        fail("'" + flag + "' wants a value");
        return StringRef();
      }
    }
    return std::nullopt;
  }

  void word(StringRef word) {
    if (!word.starts_with("-") || word == "-")
      return plain(word);
    if (word == "-h" || word == "--help") {
      askedForHelp = true;
      return;
    }
    if (word == "--version") {
      haveVerb = true;
      line.verb = Verb::Version;
      return;
    }
    if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' &&
        word[2] <= '3') {
      line.optLevel = word[2] - '0';
      return;
    }
    if (word.starts_with("-O"))
      return fail("'" + word + "' is no optimisation level",
                  "write -O0, -O1, -O2 or -O3");
    if (word.starts_with("-D") || word.starts_with("-I")) {
      StringRef text = word.drop_front(2);
      if (text.empty()) {
        if (next == words.size())
          return fail("'" + word + "' wants a value");
        text = words[next++];
      }
      if (word[1] == 'D' && !text.contains('='))
        return fail("'-D " + text + "' has no '='", "write -D NAME=VALUE");
      (word[1] == 'D' ? line.defines : line.libraryPaths).push_back(text.str());
      return;
    }
    if (word.starts_with("-l") || word.starts_with("-L")) {
      std::string text = word.str();
      if (text.size() == 2) {
        if (next == words.size())
          return fail("'" + word + "' wants a value");
        text += words[next++];
      }
      line.links.push_back(text);
      return;
    }
    if (auto text = value(word, "--link")) {
      line.links.push_back(text->str());
      return;
    }
    if (word == "--no-locations") {
      line.locations = false;
      needs(Verb::Build, word);
      return;
    }
    for (auto [flag, isSet] : {std::pair("-Werror", &line.warningsAreErrors),
                               std::pair("--sanitize", &line.sanitize),
                               std::pair("--reproducible", &line.reproducible),
                               std::pair("--remarks", &line.remarks)})
      if (word == flag) {
        *isSet = true;
        return;
      }
    if (word == "--memory" || word == "--check") {
      (word == "--check" ? line.check : line.memory) = true;
      needs(Verb::Run, word);
      return;
    }
    if (word == "--progress") {
      line.progress = true;
      needs(Verb::Run, word);
      return;
    }
    if (auto text = value(word, "--every")) {
      if (text->getAsInteger(10, line.every) || line.every < 1)
        return fail("'--every' wants a number of steps, not '" + *text + "'");
      needs(Verb::Run, "--every");
      return;
    }
    if (auto text = value(word, "--range")) {
      auto [low, high] = text->split(',');
      double first = 0, last = 0;
      if (low.getAsDouble(first) || high.getAsDouble(last) || !(first < last))
        return fail("'--range=" + *text + "' is no range",
                    "write --range=LOW,HIGH");
      line.range = {first, last};
      needs(Verb::Run, "--range");
      return;
    }
    if (word == "-c" || word == "-S") {
      setLevel(word == "-c" ? Level::Object : Level::Assembly);
      needs(Verb::Build, word);
      return;
    }
    if (auto text = value(word, "--emit"))
      return emit(*text);
    if (auto text = value(word, "--message-format"))
      return messageFormat(*text);
    if (auto text = value(word, "--cpu")) {
      if (*text != "native" && !arrc::cpu::isProcessor(*text))
        return fail("'" + *text + "' is no processor",
                    "write native, or a name that LLVM knows, as x86-64-v3");
      line.cpu = text->str();
      return;
    }
    if (auto text = value(word, "--target")) {
      if (!setTargets(*text))
        fail("'" + *text + "' is no target",
             "targets are auto, cpu, cuda, cuda:N, cuda:N,M, cuda:all, and so "
             "for "
             "opencl");
      line.targetIsFlag = true;
      return;
    }
    if (auto text = value(word, "--parts")) {
      if (text->getAsInteger(10, line.parts) || line.parts < 1 ||
          line.parts > 64)
        fail("'--parts' wants a number from 1 to 64, not '" + *text + "'");
      return;
    }
    if (auto text = value(word, "--arch")) {
      line.arch = text->str();
      unsigned number = 0;
      StringRef digits = *text;
      if (*text != "native" && (!digits.consume_front("sm_") ||
                                digits.getAsInteger(10, number) || number < 75))
        fail("'" + *text + "' is no architecture",
             "write --arch=native, or sm_75 or later");
      return;
    }
    if (auto text = value(word, "--without"))
      return without(*text);
    if (auto text = value(word, "--fact"))
      return fact(*text);
    if (auto text = value(word, "--plugin")) {
      line.plugins.push_back(text->str());
      return;
    }
    if (auto text = value(word, "--pipeline")) {
      if (std::string wrong = line.passes.setPipeline(*text); !wrong.empty())
        fail(wrong,
             "write --pipeline=FILE, or --pipeline='builtin.module(..)'");
      return;
    }
    if (auto text = value(word, "--schedule")) {
      haveSchedules = true;
      if (*text == "none")
        return;
      if (std::string wrong = line.passes.addSchedules(*text); !wrong.empty())
        fail(wrong, "write --schedule=FILE, as 'arrc tune' makes it, or none");
      return;
    }
    if (auto text = value(word, "--transform")) {
      if (std::string wrong = line.passes.addScript(*text); !wrong.empty())
        fail(wrong, "write --transform=FILE, a script of MLIR's transform "
                    "dialect");
      return;
    }
    using Place = arrc::PassList::Place;
    for (auto [flag, place] : {std::pair("--insert-before", Place::Before),
                               std::pair("--insert-after", Place::Behind),
                               std::pair("--replace", Place::Instead)})
      if (auto text = value(word, flag)) {
        if (std::string wrong = line.passes.addEdit(place, *text);
            !wrong.empty())
          fail(wrong, Twine("write ") + flag + "=cse:canonicalize,cse");
        return;
      }
    if (auto text = value(word, "-o")) {
      line.output = text->str();
      needs(Verb::Build, "-o");
      if (line.output.empty())
        fail("'-o' wants the name of a file");
      return;
    }
    // The program's own flags; those with a value may have it as a word of its
    // own, which must not be taken for the file.
    for (StringRef flag : {"--output", "--entry", "--threads", "--repeat"})
      if (word == flag || word.starts_with((flag + "=").str())) {
        line.rest.push_back(word.str());
        if (word == flag) {
          if (next == words.size())
            return fail("'" + flag + "' wants a value");
          line.rest.push_back(words[next++]);
        }
        if (flag == "--entry") {
          StringRef name = line.rest.back();
          name.consume_front("--entry=");
          line.entry = name.str();
        }
        needs(Verb::Run, flag);
        return;
      }
    if (word == "--convert" || word == "--time") {
      line.time |= word == "--time";
      line.rest.push_back(word.str());
      needs(Verb::Run, word);
      return;
    }
    std::string near = nearest(word.split('=').first, getOptions());
    fail("unknown option '" + word + "'",
         near.empty() ? "see 'arrc help'"
                      : Twine("did you mean '" + near + "'?"));
  }

  void plain(StringRef word) {
    if (!haveVerb && line.file.empty() && line.rest.empty()) {
      for (const VerbName &verb : verbs)
        if (word == verb.name) {
          line.verb = verb.verb;
          haveVerb = true;
          if (takesOwnWords(line.verb))
            takeAll();
          return;
        }
      // `arrc FILE -o OUT`
      if (looksLikeFile(word)) {
        haveVerb = true;
        line.verb = Verb::Build;
        line.file = word.str();
        return;
      }
      std::string near = nearest(word, verbs);
      return fail("'" + word + "' is neither a command nor a .arr file",
                  near.empty() ? "see 'arrc help'"
                               : Twine("did you mean '" + near + "'?"));
    }
    if (line.verb == Verb::Help) {
      line.rest.push_back(word.str());
      return;
    }
    bool isArgument = word.contains('=') && !looksLikeFile(word);
    if (isArgument || (word.contains('=') && !line.file.empty())) {
      if (line.verb != Verb::Run)
        return fail("'" + word + "' is an argument of the program",
                    "arguments go with 'arrc run'");
      line.rest.push_back(word.str());
      return;
    }
    if (!line.file.empty())
      return fail("two programs are given: '" + line.file + "' and '" + word +
                  "'");
    line.file = word.str();
  }

  /// Leaves all words but that of the verb to it.
  void takeAll() {
    line.rest.assign(words.begin(), words.end());
    line.rest.erase(line.rest.begin() + long(next) - 1);
    next = words.size();
    askedForHelp =
        is_contained(line.rest, "-h") || is_contained(line.rest, "--help");
    wanted.clear();
  }

  void without(StringRef text) {
    for (StringRef name : split(text, ',')) {
      if (any_of(arrc::getOptimizations(),
                 [&](const arrc::Optimization &known) {
                   return known.name == name;
                 })) {
        line.without.push_back(name.str());
        continue;
      }
      std::string all = join(map_range(arrc::getOptimizations(),
                                       [](auto &known) { return known.name; }),
                             ", ");
      return fail("'" + name + "' is no optimization that can be left out",
                  "these are: " + all);
    }
  }

  void messageFormat(StringRef text) {
    auto format = StringSwitch<std::optional<MessageFormat>>(text)
                      .Case("full", MessageFormat::Full)
                      .Case("short", MessageFormat::Short)
                      .Case("json", MessageFormat::JSON)
                      .Default(std::nullopt);
    if (!format)
      return fail("'" + text + "' is no form of messages",
                  "they are full, short and json");
    line.messageFormat = *format;
  }

  void fact(StringRef text) {
    auto [name, number] = text.split('=');
    int64_t is = 0;
    if (name.empty() || number.getAsInteger(10, is) || is < 0)
      return fail("'--fact " + text + "' is no fact",
                  "write --fact NAME=NUMBER");
    ArrayRef<arrc::kernel::Fact> facts = arrc::kernel::getFacts();
    auto *known = find_if(facts, [&](auto &fact) { return fact.name == name; });
    if (known == facts.end())
      return fail("devices have no fact '" + name + "'",
                  "they have: " + join(map_range(facts,
                                                 [](const auto &fact) {
                                                   return fact.name.str();
                                                 }),
                                       ", "));
    if (!known->allows(is))
      return fail("no device has '" + text + "'",
                  "'" + name + "' is " + known->describe());
    line.facts.push_back({name.str(), is});
  }

  /// A processor has no facts, and OpenCL's code nothing of lanes.
  void finishFacts() {
    StringRef kind = StringRef(line.target).split(':').first;
    bool isBuild = line.verb == Verb::Build;
    for (auto &[name, is] : line.facts) {
      if (kind == "cpu" || (kind.empty() && isBuild))
        fail("'--fact' is about a device, and the target is the CPU",
             "write --target=cuda or --target=opencl");
      if (kind == "opencl" && name == "subgroup" && is != 0)
        fail("lanes do not exchange values through OpenCL",
             "leave '--fact subgroup' out");
    }
  }

  void emit(StringRef text) {
    // The schedule, with what parts of launches touch.
    if (text == "partitioned") {
      line.parts = std::max(line.parts, 1u);
      text = nameOf(Level::Scheduled);
    }
    for (const LevelName &level : levels)
      if (text == level.name) {
        setLevel(level.level);
        needs(Verb::Build, "--emit");
        return;
      }
    std::string all;
    for (const LevelName &level : levels)
      all += (all.empty() ? "" : ", ") + level.name.str();
    fail("'" + text + "' is no level", "the levels are " + all);
  }

  /// Whether `text` is a target.
  bool setTarget(StringRef text) {
    line.target = text.str();
    int32_t target = 0, device = 0;
    return text == "auto" ||
           !arrt_parse_target(line.target.c_str(), &target, &device);
  }

  /// A library may be for several: `cpu,cuda`. A number belongs to what is
  /// before it: `cuda:0,1`.
  bool setTargets(StringRef text) {
    line.moreTargets.clear();
    StringSet<> kinds;
    std::vector<std::string> all;
    for (StringRef each : split(text, ',')) {
      bool isNumber = !each.empty() && all_of(each, isDigit);
      if (isNumber && !all.empty() && StringRef(all.back()).contains(':'))
        all.back() += "," + each.str();
      else
        all.push_back(each.str());
    }
    StringRef first = all.empty() ? StringRef() : StringRef(all.front());
    for (StringRef more : ArrayRef(all).drop_front(all.empty() ? 0 : 1)) {
      if (more == "auto" || !setTarget(more) ||
          !kinds.insert(more.split(':').first).second)
        return false;
      line.moreTargets.push_back(more.str());
    }
    return setTarget(first) && !kinds.contains(first.split(':').first);
  }

  /// A level of one kind of device decides the target.
  void finishTarget() {
    if (!line.targetIsFlag)
      if (const char *text = std::getenv("ARRC_TARGET"); text && *text)
        if (!setTarget(text))
          return fail("ARRC_TARGET is '" + Twine(text) +
                          "', which is no target",
                      "targets are auto, cpu, cuda, cuda:N, cuda:N,M, "
                      "cuda:all, and so for "
                      "opencl");
    if (const char *text = std::getenv("ARRC_PARTS");
        text && line.parts == 0 && line.verb == Verb::Run &&
        (StringRef(text).getAsInteger(10, line.parts) || line.parts > 64))
      return fail("ARRC_PARTS is '" + Twine(text) +
                  "', which is no number from 1 to 64");
    if (line.verb == Verb::Run)
      line.ranks = unsigned(std::max(arrt::mpi::findLaunched().count, 1));
    if (line.isInParts() && line.level == Level::Scheduled &&
        !line.targetIsFlag)
      line.target = "cuda";
    StringRef wanted = line.level == Level::PTX     ? "cuda"
                       : line.level == Level::SPIRV ? "opencl"
                       : line.level == Level::SCF   ? "cpu"
                                                    : "";
    if (!line.moreTargets.empty() && line.level != Level::Library)
      return fail("several targets go with '--emit=lib'");
    StringRef kind = StringRef(line.target).split(':').first;
    if (line.sanitize) {
      if (line.targetIsFlag && kind != "cpu" && kind != "auto")
        return fail("'--sanitize' checks code of the CPU",
                    "leave --target out; docs/development.md says how kernels "
                    "of devices are checked");
      if (line.isInParts())
        return fail("'--sanitize' checks code that is not cut for parts",
                    line.ranks > 1 ? "run it in one process"
                                   : "leave --parts out");
      line.target = "cpu";
      kind = "cpu";
    }
    if (line.level == Level::GPU && (kind.empty() || kind == "auto"))
      wanted = "cuda";
    if (line.level == Level::GPU && kind == "cpu") {
      if (line.targetIsFlag)
        return fail("the CPU has no level 'gpu'", "write --target=cuda");
      wanted = "cuda";
    }
    if (!wanted.empty() && kind != wanted) {
      if (line.targetIsFlag && kind != "auto")
        return fail("the level '" + nameOf(line.level) + "' is not one of '" +
                        kind + "'",
                    "leave --target out, or write --target=" + wanted);
      line.target = wanted.str();
    }
    bool isForCUDA = StringRef(line.target).starts_with("cuda") ||
                     llvm::any_of(line.moreTargets, [](StringRef more) {
                       return more.starts_with("cuda");
                     });
    if (!line.arch.empty() && !isForCUDA && line.target != "auto")
      fail("'--arch' goes with --target=cuda");
  }

  void setLevel(Level level) {
    if (haveLevel && level != line.level)
      return fail("two levels are asked for");
    haveLevel = true;
    line.level = level;
  }

  /// Notes that a flag belongs to one verb; the verb may still follow.
  void needs(Verb verb, StringRef flag) {
    wanted.push_back({verb, flag.str()});
  }

  void finish() {
    if (askedForHelp && line.verb == Verb::Run && !line.file.empty()) {
      // The program's parameters are part of the answer.
      line.rest = {"--help"};
      return;
    }
    if (askedForHelp || !haveVerb) {
      if (haveVerb && line.verb != Verb::Help)
        for (const VerbName &verb : verbs)
          if (verb.verb == line.verb)
            line.rest = {verb.name.str()};
      line.verb = Verb::Help;
      if (!haveVerb && !askedForHelp)
        fail("no command is given", "see 'arrc help'");
      return;
    }
    if (takesOwnWords(line.verb))
      return;
    for (auto &[verb, flag] : wanted)
      if (verb != line.verb)
        fail("'" + flag + "' goes with 'arrc " +
             (verb == Verb::Run ? "run" : "build") + "'");
    bool makesCode = line.verb == Verb::Run || line.verb == Verb::Build;
    bool wantsFile = makesCode || line.verb == Verb::Check;
    if (makesCode) {
      finishTarget();
      finishFacts();
      if (!haveSchedules && error.empty())
        useTunedSchedules(line);
    }
    if ((line.passes.isGiven() || !line.plugins.empty()) && !makesCode)
      fail("passes are chosen for 'arrc run' and 'arrc build'");
    if (line.isStepped() && line.ranks > 1)
      fail("'--every' and '--progress' go with one process, not with " +
           Twine(line.ranks) + " ranks");
    if (line.isStepped() && line.memory)
      fail("'--memory' is about the whole of a program, and '--every' and "
           "'--progress' run it in parts");
    if (line.passes.hasPipeline() && line.reproducible)
      fail("'--reproducible' is a pass of a pipeline",
           "print one that has it: arrc build --emit=pipeline --reproducible");
    if (line.passes.hasPipeline() && line.sanitize)
      fail("'--sanitize' is a pass of a pipeline",
           "print one that has it: arrc build --emit=pipeline --sanitize");
    // That of a target is there without a program.
    wantsFile &= line.verb != Verb::Build || line.level != Level::Pipeline;
    if (wantsFile && line.file.empty())
      fail("no program is given", "name a .arr file");
    if (!wantsFile && !makesCode && !line.file.empty())
      fail("unexpected '" + line.file + "'");
  }

  ArrayRef<const char *> words;
  CommandLine &line;
  std::string &help;
  size_t next = 0;
  std::string error;
  bool haveVerb = false, haveLevel = false, askedForHelp = false;
  /// Whether schedules beside the program do not count.
  bool haveSchedules = false;
  std::vector<std::pair<Verb, std::string>> wanted;
};

} // namespace

bool arrc::tool::takesOwnWords(Verb verb) {
  constexpr Verb own[] = {
      Verb::Analyze, Verb::Bench,   Verb::Test,      Verb::Diff, Verb::Profile,
      Verb::Tune,    Verb::Explain, Verb::Fmt,       Verb::Lsp,  Verb::New,
      Verb::Repl,    Verb::Doctor,  Verb::Completion};
  return is_contained(own, verb);
}

StringRef arrc::tool::nameOf(Verb verb) {
  for (const VerbName &entry : verbs)
    if (entry.verb == verb)
      return entry.name;
  return "";
}

StringRef arrc::tool::nameOf(Level level) {
  for (const LevelName &entry : levels)
    if (entry.level == level)
      return entry.name;
  return "";
}

std::string arrc::tool::parseCommandLine(ArrayRef<const char *> words,
                                         CommandLine &line, std::string &help) {
  return Parser(words, line, help).parse();
}
