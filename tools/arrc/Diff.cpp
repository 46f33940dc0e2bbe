//===- Diff.cpp - arrc diff -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Both variants are compiled with a note of the module behind each pass: its
// text with the names of values and symbols replaced by numbers, so that it
// says what there is and not what it is called. The passes of both are gone
// through side by side; one that stands in one list only is held against what
// the other variant had then. Where the notes part, both are compiled once more
// and the texts behind that pass are kept.
//
//===----------------------------------------------------------------------===//

#include "LineDiff.h"
#include "Target.h"
#include "Verbs.h"
#include "Words.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

//===----------------------------------------------------------------------===//
// Texts without names
//===----------------------------------------------------------------------===//

/// Replaces names of values and symbols by what `name` makes of them.
static std::string rename(StringRef text,
                          function_ref<std::string(StringRef)> name) {
  std::string renamed;
  bool isQuoted = false;
  while (!text.empty()) {
    char c = text.front();
    if (c == '"')
      isQuoted = !isQuoted;
    size_t length = 1;
    if (!isQuoted && (c == '%' || c == '@' || c == '^')) {
      while (length < text.size() &&
             (isAlnum(text[length]) || text[length] == '_' ||
              text[length] == '$' || text[length] == '.'))
        ++length;
      renamed += name(text.take_front(length));
    } else {
      renamed += c;
    }
    text = text.drop_front(length);
  }
  return renamed;
}

/// What there is: names by the order in which they come first.
static std::string structureOf(StringRef text) {
  StringMap<unsigned> numbers;
  return rename(text, [&](StringRef name) {
    unsigned number = numbers.try_emplace(name, numbers.size()).first->second;
    return name.take_front(1).str() + std::to_string(number);
  });
}

/// A line without names, for texts whose numbers have shifted.
static std::string shapeOf(StringRef line) {
  return rename(line, [](StringRef name) { return name.take_front(1).str(); });
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
/// The module behind a pass.
struct Note {
  std::string pass; ///< its flag; "" for the program as it was read
  std::string on;   ///< `func.func @energy`
  std::string structure;
};

/// A variant, compiled with a note of every step.
class Steps {
public:
  explicit Steps(const Variant &variant) : variant(variant) {}
  /// Compiles; notes all steps and, behind the pass of this number, keeps the
  /// text. Returns an exit code.
  int compile(std::optional<size_t> kept = std::nullopt);

  const Variant &variant;
  std::vector<Note> notes;
  std::string text;

private:
  class Watch;
  void note(mlir::ModuleOp module, StringRef pass, StringRef on,
            std::optional<size_t> kept);
};

class Steps::Watch : public mlir::PassInstrumentation {
public:
  Watch(Steps &steps, std::optional<size_t> kept) : steps(steps), kept(kept) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    // Passes that only run others have no flag.
    if (pass->getArgument().empty())
      return;
    auto module = dyn_cast<mlir::ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<mlir::ModuleOp>();
    std::string on = op->getName().getStringRef().str();
    if (auto name = op->getAttrOfType<mlir::StringAttr>("sym_name"))
      on += " @" + name.str();
    steps.note(module, pass->getArgument(), on, kept);
  }

private:
  Steps &steps;
  std::optional<size_t> kept;
};
} // namespace

void Steps::note(mlir::ModuleOp module, StringRef pass, StringRef on,
                 std::optional<size_t> kept) {
  // What is said of the module is what the command line says, and its tables
  // name the places of the program.
  std::string printed;
  raw_string_ostream os(printed);
  for (mlir::Operation &op : *module.getBody())
    if (op.getName().getStringRef() != "llvm.mlir.global") {
      op.print(os, mlir::OpPrintingFlags().useLocalScope());
      os << '\n';
    }
  if (kept && *kept == notes.size())
    text = printed;
  notes.push_back({pass.str(), on.str(), digestOf(structureOf(printed))});
}

int Steps::compile(std::optional<size_t> kept) {
  notes.clear();
  CommandLine line;
  if (int code = parseWords("build", variant.file, variant.words, line))
    return code;
  if (line.verb != Verb::Build)
    return complain(WrongUse, "'--help' is no option of a variant");
  if (int code = loadPlugins(line.plugins))
    return code;
  std::optional<Target> target = findBuildTarget(line);
  if (!target)
    return NoDevice;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (kept)
    compiler.beQuiet();
  if (int code = compiler.load())
    return code;
  note(compiler.module(), "", "", kept);
  compiler.watch([&](mlir::PassManager &pm) {
    pm.addInstrumentation(std::make_unique<Watch>(*this, kept));
  });
  // The images of kernels are text of another kind.
  Level level = line.level != Level::Executable   ? line.level
                : compiler.getTarget().isDevice() ? Level::GPU
                                                  : Level::LLVM;
  return compiler.lowerTo(level);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {
/// Where two variants part: the notes behind the pass, and which of the two has
/// it alone.
struct Parting {
  size_t a, b;
  enum { Both, OnlyA, OnlyB } who;
};
} // namespace

static std::optional<Parting> findParting(ArrayRef<Note> a, ArrayRef<Note> b) {
  auto differ = [&](size_t i, size_t j) {
    return a[i].structure != b[j].structure;
  };
  if (differ(0, 0))
    return Parting{0, 0, Parting::Both};
  auto distance = [](ArrayRef<Note> list, size_t from, const Note &wanted) {
    for (size_t k = from; k < list.size(); ++k)
      if (list[k].pass == wanted.pass)
        return k - from;
    return list.size();
  };
  size_t i = 1, j = 1;
  while (i < a.size() || j < b.size()) {
    bool isSame = i < a.size() && j < b.size() && a[i].pass == b[j].pass;
    if (isSame) {
      if (differ(i, j))
        return Parting{i, j, Parting::Both};
      ++i, ++j;
      continue;
    }
    // The list whose next pass comes sooner in the other one is the shorter; of
    // two that come as soon, the pass that does nothing is the one more.
    size_t skipA = i < a.size() && j < b.size() ? distance(a, i, b[j])
                   : i < a.size()               ? 0
                                                : a.size();
    size_t skipB = i < a.size() && j < b.size() ? distance(b, j, a[i])
                   : j < b.size()               ? 0
                                                : b.size();
    bool isOfA = i < a.size() &&
                 (j == b.size() || skipA < skipB ||
                  (skipA == skipB && (!differ(i, j - 1) || differ(i - 1, j))));
    if (isOfA) {
      if (differ(i, j - 1))
        return Parting{i, j - 1, Parting::OnlyA};
      ++i;
    } else {
      if (differ(i - 1, j))
        return Parting{i - 1, j, Parting::OnlyB};
      ++j;
    }
  }
  return std::nullopt;
}

/// Says where two variants part. Returns whether they do.
static int report(Steps &a, Steps &b, bool &differ) {
  std::optional<Parting> parting = findParting(a.notes, b.notes);
  StringRef first = a.variant.label, second = b.variant.label;
  if (!parting) {
    outs() << "'" << second << "' is '" << first << "' after each of "
           << a.notes.size() - 1 << " passes\n";
    return Done;
  }
  differ = true;
  const Note &note = parting->who == Parting::OnlyB ? b.notes[parting->b]
                                                    : a.notes[parting->a];
  bool isAgain = a.notes.back().structure == b.notes.back().structure;
  if (note.pass.empty())
    outs() << "'" << second << "' differs from '" << first << "' as it is read";
  else
    outs() << "'" << second << "' differs from '" << first << "' after "
           << note.pass << " on " << note.on;
  if (parting->who != Parting::Both)
    outs() << ", which only '"
           << (parting->who == Parting::OnlyA ? first : second) << "' runs";
  outs() << (isAgain ? "; in the end they are the same\n" : "\n");
  outs().flush();
  if (int code = a.compile(parting->a))
    return code;
  if (int code = b.compile(parting->b))
    return code;
  for (auto [mark, steps, which] :
       {std::tuple("---", &a, parting->a), {"+++", &b, parting->b}}) {
    const std::string &pass = steps->notes[which].pass;
    outs() << mark << ' ' << steps->variant.label
           << (pass.empty() ? " as it is read" : " after " + pass) << '\n';
  }
  // Numbers of values shift with every line; where nothing else differs, they
  // are what does.
  if (!printDiff(a.text, b.text, outs(), shapeOf))
    printDiff(a.text, b.text, outs(),
              [](StringRef line) { return line.str(); });
  return Done;
}

int arrc::tool::diff(const CommandLine &line) {
  WordReader reader(line.rest);
  VariantWords words;
  while (reader.next()) {
    if (auto text = reader.value("--variant"))
      words.addVariant(*text);
    else
      words.add(reader.word());
  }
  std::vector<Variant> variants;
  std::string error = reader.error();
  if (error.empty())
    error = words.finish(variants);
  if (error.empty() && variants.size() < 2)
    error = "there is nothing to compare '" + variants.front().label + "' with";
  if (error.empty() && !words.arguments.empty())
    error = "'" + words.arguments.front() + "' is an argument of the program";
  if (!error.empty())
    return complain(WrongUse, error, "see 'arrc help diff'");
  Steps first(variants.front());
  if (int code = first.compile())
    return code;
  bool differ = false;
  for (const Variant &variant : ArrayRef(variants).drop_front()) {
    Steps other(variant);
    if (int code = other.compile())
      return code;
    if (int code = report(first, other, differ))
      return code;
  }
  return differ ? ProgramError : Done;
}
