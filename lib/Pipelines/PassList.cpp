//===- PassList.cpp - Pipelines as text -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR reads and prints pipelines but does not let them be taken apart, so they
// are kept as the text of their passes and put together where they run.
//
//===----------------------------------------------------------------------===//

#include "arrc/Pipelines/PassList.h"

#include "arrc/InitAll.h"
#include "arrc/Pipelines/Passes.h"

#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <iterator>
#include <memory>
#include <mutex>

using namespace mlir;
using namespace arrc;

static constexpr llvm::StringLiteral mark = "arrc-reach-stage";

static void knowPasses() {
  static std::once_flag once;
  std::call_once(once, registerAllPasses);
}

static bool isKnown(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

/// Where `word` is probably a mistake for one of `names`, asks for it.
template <typename Names>
static std::string askForNearest(StringRef word, const Names &names) {
  StringRef best;
  unsigned least = std::max<size_t>(2, word.size() / 3) + 1;
  for (StringRef name : names)
    if (unsigned distance = word.edit_distance(name, true, least);
        distance < least) {
      least = distance;
      best = name;
    }
  return best.empty() ? "" : ("did you mean '" + best + "'?").str();
}

/// The registry has no list; a parser of command lines makes an option of every
/// pass.
static std::vector<StringRef> allPasses() {
  [[maybe_unused]] static auto *options = new PassPipelineCLParser("", "");
  std::vector<StringRef> names;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (isKnown(name))
      names.push_back(name);
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Takes text apart into passes.
class PassList::Reader {
public:
  Reader(StringRef text, PassProblem &problem) : rest(text), problem(problem) {}

  /// Reads `pass, op(pass, ..), ..` to the end of the text.
  bool readAll(std::vector<Entry> &entries) {
    if (!readList({}, entries))
      return false;
    return rest.empty() || fail("unexpected '" + rest.take_front(1) + "'");
  }

private:
  bool fail(const Twine &text) {
    problem.text = text.str() + " in a pipeline";
    return false;
  }

  bool readList(const std::vector<std::string> &ops,
                std::vector<Entry> &entries) {
    for (;;) {
      rest = rest.ltrim();
      StringRef name = rest.take_until([](char c) {
        return llvm::isSpace(c) || StringRef("{(),}").contains(c);
      });
      if (name.empty()) {
        if (rest.empty() || rest.front() == ')')
          return true;
        return fail("unexpected '" + rest.take_front(1) + "'");
      }
      rest = rest.drop_front(name.size()).ltrim();
      if (rest.consume_front("(")) {
        auto inner = ops;
        // What is seen from the module does not name it.
        if (!ops.empty() || name != ModuleOp::getOperationName())
          inner.push_back(name.str());
        if (!readList(inner, entries))
          return false;
        if (!rest.consume_front(")"))
          return fail("'" + name + "(' has no ')'");
      } else {
        StringRef options;
        if (rest.starts_with("{") && !readOptions(name, options))
          return false;
        entries.push_back({ops, name.str(), options.str()});
      }
      rest = rest.ltrim();
      if (!rest.consume_front(","))
        return true;
    }
  }

  /// Reads from a brace to the one that belongs to it.
  bool readOptions(StringRef name, StringRef &options) {
    unsigned depth = 0;
    char quote = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
      char c = rest[i];
      if (quote) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        options = rest.take_front(i + 1);
        rest = rest.drop_front(i + 1);
        return true;
      }
    }
    return fail("'" + name + "{' has no '}'");
  }

  StringRef rest;
  PassProblem &problem;
};

std::string PassList::Entry::text() const {
  std::string text = llvm::join(ops, "(");
  text += (ops.empty() ? "" : "(") + name + options;
  return text + std::string(ops.size(), ')');
}

bool PassList::append(const Entry &entry, PassProblem &problem) {
  if (!isKnown(entry.name)) {
    problem = {"unknown pass '" + entry.name + "'",
               askForNearest(entry.name, allPasses())};
    return false;
  }
  OpPassManager pm(ModuleOp::getOperationName());
  std::string said, text;
  llvm::raw_string_ostream errors(said), os(text);
  if (failed(parsePassPipeline(entry.text(), pm, errors))) {
    // The message stands between the place in the text and the text.
    StringRef message = said;
    if (size_t at = message.find("error: "); at != StringRef::npos)
      message = message.drop_front(at + 7);
    problem = {message.split('\n').first.str(), ""};
    // What is no value of an option was said on the way.
    if (problem.text.empty())
      problem.text =
          "'" + entry.name + "' does not take '" + entry.options + "'";
    return false;
  }
  pm.printAsTextualPipeline(os);
  return Reader(text, problem).readAll(entries);
}

std::optional<PassList> PassList::parse(StringRef text, PassProblem &problem) {
  knowPasses();
  std::vector<Entry> read;
  if (!Reader(text, problem).readAll(read))
    return std::nullopt;
  PassList list;
  for (const Entry &entry : read)
    if (!list.append(entry, problem))
      return std::nullopt;
  return list;
}

PassList PassList::builtIn(const PipelineOptions &options) {
  OpPassManager pm(ModuleOp::getOperationName());
  SetTargetPassOptions target;
  target.target = options.target.name;
  target.arch = options.target.arch;
  pm.addPass(createSetTargetPass(target));
  bool isDevice = options.target.isDevice();
  PipelineOptions plain = options;
  plain.passes = nullptr;
  // What simplifies kernels comes with the images.
  plain.simplifyKernels = false;
  Stage from = Stage::Array;
  for (Stage to : {Stage::Kernel, Stage::Buffers, Stage::Scheduled, Stage::SCF,
                   Stage::GPU, Stage::Images, Stage::LLVM}) {
    if (to == Stage::SCF
            ? isDevice
            : !isDevice && (to == Stage::GPU || to == Stage::Images))
      continue;
    buildPipeline(pm, from, to, plain);
    if (to != Stage::LLVM)
      pm.addPass(createReachStagePass({nameOf(to).str()}));
    from = to;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  PassList list;
  PassProblem none;
  [[maybe_unused]] bool done = Reader(text, none).readAll(list.entries);
  assert(done && "MLIR prints what it reads");
  return list;
}

//===----------------------------------------------------------------------===//
// Changing
//===----------------------------------------------------------------------===//

bool PassList::edit(Place place, StringRef pass, StringRef passes,
                    PassProblem &problem) {
  knowPasses();
  auto [name, number] = pass.split('#');
  StringRef options = pass.drop_front(std::min(pass.find('{'), pass.size()));
  if (!options.empty())
    name = pass.drop_back(options.size());
  unsigned wanted = 0;
  if (options.empty() && pass.contains('#') &&
      (number.getAsInteger(10, wanted) || wanted == 0)) {
    problem = {"'" + pass.str() + "' is no pass",
               "write " + name.str() + "#1 for the first"};
    return false;
  }
  std::vector<Entry> read;
  if (!Reader(passes, problem).readAll(read))
    return false;
  bool isAbsolute =
      passes.ltrim().starts_with((ModuleOp::getOperationName() + "(").str());

  PassList changed;
  unsigned count = 0;
  for (const Entry &entry : entries) {
    if (entry.name != name || (!options.empty() && entry.options != options) ||
        (++count != wanted && wanted != 0)) {
      changed.entries.push_back(entry);
      continue;
    }
    if (place == Place::Behind)
      changed.entries.push_back(entry);
    for (const Entry &added : read) {
      Entry beside = added;
      PassProblem first;
      if (beside.ops.empty() && !isAbsolute)
        beside.ops = entry.ops;
      if (changed.append(beside, first))
        continue;
      // A pass of the module beside one of functions.
      if (added.ops == beside.ops || !changed.append(added, problem)) {
        problem = first;
        return false;
      }
    }
    if (place == Place::Before)
      changed.entries.push_back(entry);
  }
  if (count == 0 || count < wanted) {
    problem.text = "the pipeline has no pass '" + pass.str() + "'";
    problem.help =
        count ? "it has " + std::to_string(count) + " of '" + name.str() + "'"
              : askForNearest(name, llvm::map_range(entries, [](auto &entry) {
                                return StringRef(entry.name);
                              }));
    return false;
  }
  *this = std::move(changed);
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

std::optional<size_t> PassList::findStage(Stage stage) const {
  if (stage == Stage::Array)
    return 0;
  for (auto [i, entry] : llvm::enumerate(entries))
    if (entry.name == mark &&
        entry.options == ("{stage=" + nameOf(stage) + "}").str())
      return i + 1;
  return std::nullopt;
}

bool PassList::reaches(Stage stage) const {
  return stage == Stage::LLVM || findStage(stage);
}

void PassList::addTo(OpPassManager &pm, Stage from, Stage to,
                     bool simplifyKernels) const {
  size_t first = findStage(from).value_or(0);
  size_t last =
      to == Stage::LLVM ? entries.size() : findStage(to).value_or(first);
  if (to == Stage::GPU && simplifyKernels)
    while (last < entries.size() && !entries[last].ops.empty() &&
           entries[last].ops.front() == "gpu.module")
      ++last;
  for (size_t i = first; i < last; ++i) {
    [[maybe_unused]] LogicalResult done =
        parsePassPipeline(entries[i].text(), pm);
    assert(succeeded(done) && "it was read before");
  }
}

void PassList::print(raw_ostream &os) const {
  os << ModuleOp::getOperationName() << "(\n";
  llvm::interleave(
      entries, os, [&](const Entry &entry) { os << "  " << entry.text(); },
      ",\n");
  os << "\n)\n";
}
