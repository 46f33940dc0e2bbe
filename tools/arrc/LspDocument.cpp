//===- LspDocument.cpp - What an editor asks of a text --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LspDocument.h"

#include "arrc/Frontend/Lexer.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

//===----------------------------------------------------------------------===//
// Built-in functions
//===----------------------------------------------------------------------===//

namespace {
struct Builtin {
  StringLiteral name, head, help;
};
} // namespace

static constexpr Builtin builtins[] = {
    {"sum", "sum(a, axis = d)", "adds up; also 'sum for i { e }'"},
    {"prod", "prod(a, axis = d)", "multiplies; also 'prod for i { e }'"},
    {"min", "min(a, axis = d)", "the least; also 'min(x, y)', 'min for'"},
    {"max", "max(a, axis = d)", "the greatest; also 'max(x, y)', 'max for'"},
    {"any", "any(b, axis = d)", "whether one is true"},
    {"all", "all(b, axis = d)", "whether all are true"},
    {"count", "count(b, axis = d)", "how many are true"},
    {"mean", "mean(a, axis = d)", "sum / count"},
    {"argmin", "argmin(a, axis = d)", "the index of the least"},
    {"argmax", "argmax(a, axis = d)", "the index of the greatest"},
    {"reduce", "reduce(op, e, a)", "op over all, beginning with e"},
    {"scan", "scan(op, a)", "all partial results of op"},
    {"exscan", "exscan(op, e, a)", "partial results without the own element"},
    {"hist", "hist(op, e, bins)", "before a 'for' of (bin, value)"},
    {"scatter", "scatter(a)", "before a 'for' of (index, value)"},
    {"zeros", "zeros(n, ..)", "an array of zeros"},
    {"ones", "ones(n, ..)", "an array of ones"},
    {"full", "full(v, n, ..)", "an array of v"},
    {"iota", "iota(n)", "0, 1, .. n - 1"},
    {"size", "size(a, d)", "all elements; of one dimension"},
    {"transpose", "transpose(a, 1, 0)", "dimensions in another order"},
    {"reshape", "reshape(a, n, ..)", "the same elements in other sizes"},
    {"flatten", "flatten(a)", "one dimension"},
    {"zip", "zip(a, b, ..)", "an array of tuples"},
    {"concat", "concat(a, b, axis = d)", "one behind the other"},
    {"reverse", "reverse(a, axis = d)", "from the end"},
    {"roll", "roll(a, k, axis = d)", "roll(a, k)[i] is a[(i - k) % n]"},
    {"sort", "sort(a, axis = d, by = fn(x) => key)", "ascending, stable"},
    {"argsort", "argsort(a, axis = d, by = fn(x) => key)", "indices in order"},
    {"extend", "extend(a, mode)",
     "a view beyond the edges: clamp, wrap, mirror, reflect, none or a value"},
    {"select", "select(c, x, y)", "x where c, else y"},
    {"clamp", "clamp(x, lo, hi)", "min(max(x, lo), hi)"},
    {"uniform", "uniform(key, i, ..)", "random in [0, 1)"},
    {"normal", "normal(key, i, ..)", "random, normally distributed"},
    {"randint", "randint(key, i, lo = 0, hi = n)", "a random int in lo:hi"},
    {"philox", "philox(key, a, b)", "four random words"},
    {"atan2", "atan2(y, x)", "the angle of a point"},
    {"fma", "fma(x, y, z)", "x * y + z, rounded once"},
    {"shl", "shl(x, k)", "x shifted to the left"},
    {"shr", "shr(x, k)", "x shifted to the right"},
    {"complex", "complex(x, y)", "x + y i"},
    {"bitand", "bitand(x, y)", "bits of both"},
    {"bitor", "bitor(x, y)", "bits of either"},
    {"bitxor", "bitxor(x, y)", "bits of one"},
};

/// Names of built-in functions of one or more numbers.
static constexpr StringLiteral scalarFunctions[] = {
#define FUNCTION(id, name, least, most, rule) name,
#include "arrc/Frontend/Builtins.def"
};

static constexpr StringLiteral keywords[] = {
#define KEYWORD(name, text) text,
#define TOKEN(name, text)
#define PUNCT(name, text)
#include "arrc/Frontend/Token.def"
};

static constexpr StringLiteral typeNames[] = {
    "bool", "int", "i8",  "i16",  "i32", "i64", "u8",  "u16",
    "u32",  "u64", "f16", "bf16", "f32", "f64", "c64", "c128"};

std::pair<StringRef, StringRef> arrc::tool::builtinHelp(StringRef name) {
  for (const Builtin &row : builtins)
    if (row.name == name)
      return {row.head, row.help};
  if (is_contained(scalarFunctions, name))
    return {name, "a function of numbers; it maps over arrays"};
  return {};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TextRange arrc::tool::wordAt(StringRef text, size_t offset) {
  auto isPart = [&](size_t at) {
    return at < text.size() && (isAlnum(text[at]) || text[at] == '_');
  };
  size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && isPart(begin - 1))
    --begin;
  while (isPart(end))
    ++end;
  return {begin, end};
}

Document::Document(std::string givenPath, std::string givenText,
                   const std::map<std::string, std::string> &others)
    : path(std::move(givenPath)), content(std::move(givenText)),
      diags(sources) {
  auto files = makeIntrusiveRefCnt<SourceFileSystem>();
  for (auto &[other, text] : others)
    files->give(other, text);
  files->give(path, content);
  LoadOptions load;
  load.fileSystem = files;
  program = loadProgram(path, load, tree, diags);
  if (!program)
    return;
  SemaOptions options;
  options.notes = true;
  options.seen = [&](const SeenName &seen) {
    if (!inText(seen.loc) || seen.name == "_")
      return;
    LocalName &known = locals[seen.loc.Start.getPointer()];
    // Of several calls the first that says something.
    if (known.type.empty() || StringRef(known.type).contains("error") ||
        (known.range.empty() && !seen.range.empty()))
      known = {*inText(seen.loc), seen.name.str(), seen.type, seen.range};
  };
  options.resolved = [&](SMRange use, SMRange declaration) {
    if (use.isValid() && declaration.isValid())
      uses[use.Start.getPointer()] = declaration;
  };
  analyze(*program, diags, options);
}

std::optional<TextRange> Document::inText(SMRange range) const {
  if (!range.isValid() || !sources.getNumBuffers())
    return std::nullopt;
  StringRef main = sources.getMemoryBuffer(1)->getBuffer();
  const char *begin = range.Start.getPointer();
  if (begin < main.begin() || begin > main.end())
    return std::nullopt;
  size_t at = begin - main.begin();
  return TextRange{at, at + (range.End.getPointer() - begin)};
}

StringRef Document::textOf(SMRange range) const {
  return {range.Start.getPointer(),
          size_t(range.End.getPointer() - range.Start.getPointer())};
}

const ast::Decl *Document::findDecl(StringRef name) const {
  if (program && program->main())
    for (const ast::Decl *decl : program->main()->decls)
      if (decl->name.text == name)
        return decl;
  return nullptr;
}

/// A declaration without the body of a function.
std::string Document::headOf(const ast::Decl *decl) const {
  SMRange range = decl->range;
  if (auto *def = dyn_cast<ast::DefDecl>(decl); def && def->body)
    range.End = def->body->range.Start;
  std::string head = textOf(range).rtrim(" \t\r\n={").str();
  return head;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const LocalName *Document::localAt(const char *begin) const {
  auto it = locals.find(begin);
  return it == locals.end() ? nullptr : &it->second;
}

SMRange Document::declarationAt(size_t offset) const {
  if (!program || offset > content.size())
    return {};
  StringRef main = sources.getMemoryBuffer(1)->getBuffer();
  TextRange word = wordAt(main, offset);
  if (word.begin == word.end)
    return {};
  const char *begin = main.begin() + word.begin;
  if (auto it = uses.find(begin); it != uses.end())
    return it->second;
  SMRange here(SMLoc::getFromPointer(begin),
               SMLoc::getFromPointer(main.begin() + word.end));
  if (localAt(begin))
    return here;
  for (const ast::Decl *decl : program->main()->decls)
    if (decl->name.range.Start.getPointer() == begin)
      return decl->name.range;
  return {};
}

std::optional<FilePlace> Document::definition(size_t offset) const {
  SMRange range = declarationAt(offset);
  unsigned buffer =
      range.isValid() ? sources.FindBufferContainingLoc(range.Start) : 0;
  if (!buffer)
    return std::nullopt;
  StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
  size_t begin = range.Start.getPointer() - text.begin();
  // What binds a size is a whole dimension: its first word is the name.
  TextRange word = wordAt(text, begin);
  return FilePlace{sources.getMemoryBuffer(buffer)->getBufferIdentifier().str(),
                   word, text};
}

std::vector<FilePlace> Document::references(size_t offset) const {
  std::vector<FilePlace> result;
  std::optional<FilePlace> declared = definition(offset);
  if (!declared)
    return result;
  result.push_back(*declared);
  SMRange range = declarationAt(offset);
  for (auto &[use, declaration] : uses) {
    if (declaration.Start != range.Start)
      continue;
    unsigned buffer =
        sources.FindBufferContainingLoc(SMLoc::getFromPointer(use));
    if (!buffer)
      continue;
    StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
    TextRange word = wordAt(text, use - text.begin());
    // `vec.norm` is resolved as a whole.
    if (text.slice(word.begin, word.end) !=
        declared->text.slice(declared->range.begin, declared->range.end))
      continue;
    std::string file =
        sources.getMemoryBuffer(buffer)->getBufferIdentifier().str();
    if (word.begin != declared->range.begin || file != declared->path)
      result.push_back({file, word, text});
  }
  return result;
}

std::optional<std::pair<std::string, std::string>>
Document::describe(size_t offset) const {
  StringRef main =
      program ? sources.getMemoryBuffer(1)->getBuffer() : StringRef(content);
  TextRange word = wordAt(main, offset);
  StringRef name = main.slice(word.begin, word.end);
  SMRange range = declarationAt(offset);
  if (range.isValid()) {
    if (const LocalName *local = localAt(range.Start.getPointer())) {
      std::string text = local->name;
      if (!local->type.empty())
        text += ": " + local->type;
      if (!local->range.empty())
        text += " in " + local->range;
      return std::pair(text, std::string());
    }
    for (const ast::Module *module : program->modules)
      for (const ast::Decl *decl : module->decls)
        if (decl->name.range.Start == range.Start)
          return std::pair(headOf(decl), std::string());
  }
  auto [head, help] = builtinHelp(name);
  if (!head.empty())
    return std::pair(head.str(), help.str());
  return std::nullopt;
}

/// Whether a name behind this text stands in the brackets of a type.
static bool bindsSize(StringRef before) {
  unsigned depth = 0;
  for (char c : reverse(before)) {
    if (c == ')' || c == ']' || c == '}')
      ++depth;
    else if (c == '(' || c == '[' || c == '{')
      if (depth-- == 0)
        return c == '[';
  }
  return false;
}

std::vector<std::pair<size_t, std::string>> Document::hints() const {
  std::vector<std::pair<size_t, std::string>> result;
  for (auto &[begin, local] : locals) {
    StringRef behind =
        StringRef(content).drop_front(local.place.end).ltrim(" \t");
    // What is written needs no hint; a size is in its type.
    if (local.type == "size" || local.type.empty() || behind.starts_with(":") ||
        StringRef(local.type).contains("error"))
      continue;
    StringRef before =
        StringRef(content).take_front(local.place.begin).rtrim(" \t");
    if (bindsSize(before))
      continue;
    bool isIndex = !local.range.empty();
    if (isIndex) {
      if (!behind.starts_with("in ") && !before.ends_with("loop")) {
        StringRef range = local.range;
        range.consume_front("0:");
        result.push_back({local.place.end, " in " + range.str()});
      }
      continue;
    }
    result.push_back({local.place.end, ": " + local.type});
  }
  sort(result);
  return result;
}

std::vector<Document::Outline> Document::outline() const {
  std::vector<Outline> result;
  if (!program || !program->main())
    return result;
  for (const ast::Decl *decl : program->main()->decls) {
    unsigned kind = isa<ast::DefDecl>(decl)      ? 12
                    : isa<ast::StructDecl>(decl) ? 23
                    : isa<ast::ConstDecl>(decl)  ? 14
                    : isa<ast::ImportDecl>(decl) ? 2
                                                 : 26;
    auto whole = inText(decl->range), place = inText(decl->name.range);
    if (whole && place)
      result.push_back({decl->name.text.str(), kind, *whole, *place});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// While typing
//===----------------------------------------------------------------------===//

std::vector<Completion> Document::completions(StringRef current,
                                              size_t offset) const {
  std::vector<Completion> result;
  TextRange word = wordAt(current, offset);
  StringRef before = current.take_front(word.begin);
  if (before.consume_back(".")) {
    // The fields of a struct, the declarations of a module.
    TextRange base = wordAt(current, before.size());
    StringRef name = current.slice(base.begin, base.end);
    if (name.empty() && before.ends_with("]")) {
      size_t open = before.rfind('[');
      base = wordAt(current, open);
      name = current.slice(base.begin, base.end);
    }
    StringRef type;
    for (auto &[at, local] : locals)
      if (local.name == name && local.place.begin <= offset)
        type = local.type;
    if (auto *decl =
            dyn_cast_or_null<ast::StructDecl>(findDecl(type.split('[').first)))
      for (const ast::Param &field : decl->fields)
        result.push_back({field.name.text.str(), textOf(field.range).str(), 5});
    if (auto *import = dyn_cast_or_null<ast::ImportDecl>(findDecl(name));
        import && import->module)
      for (const ast::Decl *decl : import->module->decls)
        if (!decl->name.text.starts_with("_"))
          result.push_back({decl->name.text.str(), headOf(decl), 3});
    return result;
  }

  // The locals of the declaration around it.
  StringRef main =
      program ? sources.getMemoryBuffer(1)->getBuffer() : StringRef();
  size_t from = 0, to = 0;
  if (program && program->main())
    for (const ast::Decl *decl : program->main()->decls)
      if (auto range = inText(decl->range); range && range->begin <= offset) {
        from = range->begin;
        // The text may have grown since.
        to = range->end +
             (current.size() > main.size() ? current.size() - main.size() : 0) +
             1;
      }
  StringSet<> known;
  for (auto &[at, local] : locals)
    if (local.place.begin >= from && local.place.begin < offset &&
        offset <= to && known.insert(local.name).second)
      result.push_back({local.name, local.type, 6});
  if (program && program->main())
    for (const ast::Decl *decl : program->main()->decls)
      if (known.insert(decl->name.text).second)
        result.push_back({decl->name.text.str(), headOf(decl),
                          isa<ast::DefDecl>(decl)      ? 3u
                          : isa<ast::StructDecl>(decl) ? 22u
                          : isa<ast::ConstDecl>(decl)  ? 21u
                                                       : 25u});
  for (const Builtin &row : builtins)
    if (known.insert(row.name).second)
      result.push_back({row.name.str(), row.head.str(), 3});
  for (StringRef name : scalarFunctions)
    if (known.insert(name).second)
      result.push_back({name.str(), "", 3});
  for (StringRef name : typeNames)
    result.push_back({name.str(), "", 25});
  for (StringRef name : keywords)
    result.push_back({name.str(), "", 14});
  return result;
}

std::optional<Signature> Document::signature(StringRef current,
                                             size_t offset) const {
  // The call whose parenthesis is open here, and the commas behind it.
  StringRef before = current.take_front(offset);
  unsigned depth = 0, commas = 0;
  size_t open = StringRef::npos;
  for (size_t at = before.size(); at-- > 0;) {
    char c = before[at];
    if (c == ')' || c == ']' || c == '}')
      ++depth;
    else if (c == ',' && depth == 0)
      ++commas;
    else if (c == '(' || c == '[' || c == '{') {
      if (depth-- > 0)
        continue;
      if (c == '(')
        open = at;
      break;
    }
  }
  if (open == StringRef::npos)
    return std::nullopt;
  TextRange word = wordAt(current, open);
  StringRef name = current.slice(word.begin, word.end);
  Signature result;
  result.active = commas;
  if (const ast::Decl *decl = findDecl(name)) {
    ArrayRef<ast::Param> params;
    if (auto *def = dyn_cast<ast::DefDecl>(decl))
      params = def->params;
    else if (auto *type = dyn_cast<ast::StructDecl>(decl))
      params = type->fields;
    for (const ast::Param &param : params)
      result.parameters.push_back(textOf(param.range).str());
    result.label = name.str() + "(" + join(result.parameters, ", ") + ")";
    if (auto *def = dyn_cast<ast::DefDecl>(decl); def && def->result)
      result.label += " -> " + textOf(def->result->range).str();
    return result;
  }
  auto [head, help] = builtinHelp(name);
  if (head.empty() || !head.contains('('))
    return std::nullopt;
  result.label = head.str();
  SmallVector<StringRef> parts;
  head.split('(').second.rsplit(')').first.split(parts, ", ");
  for (StringRef part : parts)
    result.parameters.push_back(part.str());
  return result;
}
