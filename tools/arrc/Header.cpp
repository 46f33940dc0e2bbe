//===- Header.cpp - Exports as functions of C -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order of arguments is the runtime's (Core/Typed.h), which takes the
// values apart again when a function is called.
//
//===----------------------------------------------------------------------===//

#include "Header.h"

#include "Core/Typed.h"

#include "arrc/Support/SourceFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;
using arrt::TypedArgument;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// A file's stem as a name of C.
static std::string programNameOf(StringRef file) {
  std::string name = sys::path::stem(file).str();
  for (char &c : name)
    if (!isAlnum(c))
      c = '_';
  return name.empty() || isDigit(name.front()) ? "_" + name : name;
}

std::string arrc::tool::programNameFor(StringRef program, StringRef target,
                                       bool isFirst) {
  return isFirst ? program.str() : (program + "_" + target).str();
}

const char *Exports::keep(StringRef text) {
  return texts.emplace_back(text.str()).c_str();
}

const arrt_param *Exports::params(mlir::ArrayAttr all, int32_t &count) {
  std::vector<arrt_param> &list = lists.emplace_back();
  if (all)
    for (auto param : all.getAsRange<mlir::DictionaryAttr>()) {
      auto text = [&](StringRef key) {
        auto attr = param.getAs<mlir::StringAttr>(key);
        return keep(attr ? attr.getValue() : "");
      };
      std::vector<const char *> &sizes = dims.emplace_back();
      if (auto given = param.getAs<mlir::ArrayAttr>("dims"))
        for (auto dim : given.getAsRange<mlir::StringAttr>())
          sizes.push_back(keep(dim.getValue()));
      arrt_param made = {};
      made.name = text("name");
      made.type = text("type");
      made.element = arrt_element_from_name(text("element"));
      made.rank = int32_t(sizes.size());
      made.dims = sizes.data();
      list.push_back(made);
    }
  count = int32_t(list.size());
  return list.data();
}

Exports::Exports(mlir::ModuleOp module, StringRef file)
    : file(file.str()), program(programNameOf(file)) {
  if (auto text = readSourceFile(file))
    source = (*text)->getBuffer().str();
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    if (!func->hasAttr("arrc.export"))
      continue;
    arrt_entry entry = {};
    entry.name = keep(func.getName());
    auto listOf = [&](StringRef attribute) {
      return func->getAttrOfType<mlir::ArrayAttr>(attribute);
    };
    entry.params = params(listOf("arrc.params"), entry.num_params);
    entry.results = params(listOf("arrc.results"), entry.num_results);
    entries.push_back(entry);
  }
  if (auto all = module->getAttrOfType<mlir::ArrayAttr>("arrc.externs"))
    for (auto declared : all.getAsRange<mlir::DictionaryAttr>()) {
      arrt_entry entry = {};
      entry.name = keep(declared.getAs<mlir::StringAttr>("name").getValue());
      entry.params =
          params(declared.getAs<mlir::ArrayAttr>("params"), entry.num_params);
      entry.results =
          params(declared.getAs<mlir::ArrayAttr>("results"), entry.num_results);
      externs.push_back(entry);
    }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Words that neither C nor C++ lets a program use, and the names of what every
/// program has.
static bool isTaken(StringRef name) {
  static const StringSet<> taken = {
      "alignas",   "alignof",  "asm",      "auto",      "bool",      "break",
      "case",      "catch",    "char",     "class",     "concept",   "const",
      "constexpr", "continue", "default",  "delete",    "do",        "double",
      "enum",      "explicit", "export",   "extern",    "false",     "float",
      "for",       "friend",   "goto",     "if",        "inline",    "int",
      "long",      "main",     "mutable",  "namespace", "new",       "noexcept",
      "nullptr",   "operator", "or",       "private",   "protected", "public",
      "register",  "requires", "restrict", "return",    "short",     "signed",
      "sizeof",    "static",   "struct",   "switch",    "template",  "this",
      "throw",     "true",     "try",      "typedef",   "typename",  "union",
      "unsigned",  "using",    "virtual",  "void",      "volatile",  "while",
      "and",       "not",      "xor",      "ctx"};
  return taken.contains(name);
}

static std::string nameInC(StringRef name) {
  return isTaken(name) ? name.str() + "_" : name.str();
}

/// One prefix a program; an export that is called as its program is that alone.
std::string Exports::functionName(const arrt_entry &entry) const {
  return nameInC(program == entry.name ? program : program + "_" + entry.name);
}

static StringRef elementInC(int32_t element) {
  static constexpr StringLiteral names[ARRT_NUM_ELEMENTS] = {
      "bool",     "int8_t",   "int16_t",  "int32_t",  "int64_t",
      "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "uint16_t",
      "uint16_t", "float",    "double",   "arrt_c64", "arrt_c128"};
  return names[element];
}

static std::string declare(const TypedArgument &argument) {
  std::string name = nameInC(argument.name);
  switch (argument.kind) {
  case TypedArgument::Size:
    return "int64_t " + name;
  case TypedArgument::NewSizes:
    return "int64_t *" + name;
  default:
    break;
  }
  StringRef element = elementInC(argument.param->element);
  switch (argument.kind) {
  case TypedArgument::Scalar:
    return (element + " " + name).str();
  case TypedArgument::Array:
    return ("const " + element + " *" + name).str();
  case TypedArgument::NewResult:
    return (element + " **" + name).str();
  default:
    return (element + " *" + name).str();
  }
}

/// `int32_t heat(arrt_context *ctx, ..)`, in lines of at most 80 columns.
static std::string declareFunction(StringRef name,
                                   ArrayRef<TypedArgument> arguments) {
  std::string text = ("int32_t " + name + "(").str(), line = text;
  std::string indent(line.size(), ' ');
  text.clear();
  for (size_t i = 0; i <= arguments.size(); ++i) {
    std::string word =
        i ? declare(arguments[i - 1]) : std::string("arrt_context *ctx");
    word += i == arguments.size() ? ")" : ",";
    if (line.size() + word.size() > 79 && i) {
      text += line + "\n";
      line = indent;
    } else if (i) {
      line += " ";
    }
    line += word;
  }
  return text + line;
}

/// What an argument is, for its line of the comment.
static std::string describe(const TypedArgument &argument, bool isExtern) {
  const arrt_param &param = *argument.param;
  std::string type = param.type;
  switch (argument.kind) {
  case TypedArgument::Size:
    return "dimension " + std::to_string(argument.dim) + " of " + param.name;
  case TypedArgument::Scalar:
    return type;
  case TypedArgument::Array:
    return type + ", dense and row-major";
  case TypedArgument::ScalarResult:
    return "receives " + type;
  case TypedArgument::ArrayResult:
    return "receives " + type + ": " +
           (isExtern ? "" : "memory of the caller, ") + "dense and row-major";
  case TypedArgument::NewResult:
    return "receives " + type + " in new memory: free it by arrt_free";
  case TypedArgument::NewSizes:
    return "receives its " + std::to_string(param.rank) +
           (param.rank == 1 ? " size" : " sizes");
  }
  return "";
}

/// The lines of comments right above an export (or what else `word` begins),
/// attributes in between left out.
static std::vector<std::string> commentOf(StringRef source, StringRef name,
                                          StringRef word = "export") {
  std::vector<std::string> lines;
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    source = rest;
    StringRef text = line.trim();
    StringRef head = text;
    if (text.consume_front("#")) {
      text.consume_front(" ");
      lines.push_back(text.str());
    } else if (head.consume_front(word) && head.ltrim().size() &&
               (head = head.ltrim(), head.consume_front("def")) &&
               head.ltrim().take_while(
                   [](char c) { return isAlnum(c) || c == '_'; }) == name) {
      return lines;
    } else if (!text.starts_with("@")) {
      lines.clear();
    }
  }
  return {};
}

std::string Exports::header() const {
  std::string text;
  raw_string_ostream os(text);
  std::string guard = "ARRC_" + StringRef(program).upper() + "_H";
  os << "/* The exports of " << sys::path::filename(file)
     << " as functions of C, written by `arrc build --emit=header`.\n"
     << " *\n"
     << " * Each returns 0, or an arrt_status whose message arrt_message(ctx) "
        "gives. A\n"
     << " * context is used by one thread at a time. Pointers to arrays are of "
        "the host\n"
     << " * unless the context was made with ARRT_OPTION_DEVICE_POINTERS; "
        "nothing is\n"
     << " * kept of them.\n"
     << " */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include \"arrt/arrt.h\"\n\n#include <stdbool.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  auto write = [&](const arrt_entry &entry, StringRef function, bool isExtern) {
    std::vector<TypedArgument> arguments = arrt::typedSignature(entry);
    os << '\n';
    for (const std::string &line :
         commentOf(source, entry.name, isExtern ? "extern" : "export"))
      os << "/// " << line << '\n';
    for (const TypedArgument &argument : arguments)
      os << "/// \\param " << nameInC(argument.name) << ' '
         << describe(argument, isExtern) << '\n';
    os << declareFunction(function, arguments) << ";\n";
  };
  for (const arrt_entry &entry : entries)
    write(entry, functionName(entry), /*isExtern=*/false);
  if (!externs.empty())
    os << "\n/* What the program calls: it returns 0, or the program fails. */"
          "\n";
  for (const arrt_entry &entry : externs)
    write(entry, entry.name, /*isExtern=*/true);
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}

std::string Exports::definitions(ArrayRef<std::string> targets) const {
  std::string text = "#include <stdbool.h>\n#include <stdint.h>\n"
                     "typedef struct arrt_context arrt_context;\n"
                     "typedef struct { float re, im; } arrt_c64;\n"
                     "typedef struct { double re, im; } arrt_c128;\n"
                     "struct arrt_program;\n"
                     "int32_t arrt_call_typed(arrt_context *,\n"
                     "                        const struct arrt_program *const "
                     "*, int32_t,\n"
                     "                        const char *, void **);\n";
  std::string list;
  for (size_t i = 0; i < targets.size(); ++i) {
    std::string symbol =
        programNameFor(program, targets[i], i == 0) + "_program";
    text += "extern const struct arrt_program " + symbol + ";\n";
    list += (i ? ", &" : "&") + symbol;
  }
  for (const arrt_entry &entry : entries) {
    std::vector<TypedArgument> arguments = arrt::typedSignature(entry);
    text += declareFunction(functionName(entry), arguments) + " {\n";
    text += "  static const struct arrt_program *const programs_[] = {" + list +
            "};\n  void *values_[] = {";
    for (const TypedArgument &argument : arguments)
      text += "&" + nameInC(argument.name) + ", ";
    text += "0};\n  return arrt_call_typed(ctx, programs_, " +
            std::to_string(targets.size()) + ", \"" + entry.name +
            "\", values_);\n}\n";
  }
  return text;
}
