//===- Parser.cpp - directives and functions of PTX -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Parser.h"

#include <algorithm>
#include <cstdlib>

using namespace emulator;

std::unique_ptr<Module> emulator::parse(const std::string &text) {
  auto module = std::make_unique<Module>();
  module->lines = std::make_shared<std::vector<std::string>>(linesOf(text));
  Parser(*module, text).run();
  return module;
}

bool Parser::accept(const char *what) {
  if (!peek().is(what))
    return false;
  next();
  return true;
}

void Parser::expect(const char *what) {
  if (!accept(what))
    fail(std::string("expected '") + what + "', not '" + peek().text + "'");
}

void Parser::fail(const std::string &why) const {
  throw Fault{arrt::cuda::invalidPTX,
              "line " + std::to_string(peek().line) + ": " + why};
}

uint64_t Parser::number() {
  bool isNegative = accept("-");
  Token word = next();
  char *end = nullptr;
  uint64_t value = std::strtoull(word.text.c_str(), &end, 0);
  if (end == word.text.c_str() || (*end && *end != 'U'))
    fail("'" + word.text + "' is no number");
  return isNegative ? 0 - value : value;
}

void Parser::run() {
  while (!peek().text.empty())
    parseModuleDirective();
}

void Parser::parseModuleDirective() {
  int32_t line = peek().line;
  bool isExtern = false;
  while (accept(".visible") || accept(".weak") || peek().is(".extern"))
    isExtern |= accept(".extern");
  if (accept(".entry"))
    return parseFunction(true);
  if (accept(".func"))
    return parseFunction(false);
  if (accept(".shared"))
    return parseVariable(Space::shared, false);
  if (accept(".global") || accept(".const")) {
    if (isExtern)
      fail("a variable that is defined elsewhere");
    return parseVariable(Space::global, false);
  }
  // Those that end with their line: `.version 7.8`.
  static const char *const ignored[] = {".version", ".target", ".address_size",
                                        ".file"};
  for (const char *name : ignored)
    if (accept(name)) {
      while (peek().line == line && !peek().text.empty())
        next();
      return;
    }
  if (accept(";"))
    return;
  fail("the emulator does not know '" + peek().text + "' here");
}

/// A variable behind the word for its space: `.align 16 .b8 name[4] = {..};`.
void Parser::parseVariable(Space space, bool isInFunction) {
  uint64_t align = 0;
  if (accept(".align"))
    align = number();
  Type type =
      typeNamed(peek().text.substr(std::min<size_t>(1, peek().text.size())));
  if (type == Type::none || !bytesOf(type))
    fail("'" + peek().text + "' is no type of a variable");
  next();
  std::string name = next().text;
  uint64_t count = 1;
  Variable variable{space};
  while (accept("[")) {
    if (peek().is("]"))
      variable.isDynamic = true;
    else
      count *= number();
    expect("]");
  }
  align = std::max<uint64_t>(align, uint64_t(bytesOf(type)));
  variable.bytes = count * uint64_t(bytesOf(type));
  auto put = [&](uint64_t &size) {
    variable.place = (size + align - 1) / align * align;
    size = variable.place + variable.bytes;
  };
  if (variable.isDynamic) {
    if (space != Space::shared || isInFunction)
      fail("a variable without a size");
    variable.bytes = 0;
  } else if (space == Space::shared) {
    put(module.sharedBytes);
  } else if (space == Space::local) {
    put(function->localBytes);
  } else {
    uint64_t words = (variable.bytes + align) / 8 + 2;
    module.memory.push_back(std::make_unique<uint64_t[]>(words));
    uint64_t start = uint64_t(uintptr_t(module.memory.back().get()));
    variable.place = (start + align - 1) / align * align;
    module.ranges.push_back({variable.place, variable.bytes});
    if (accept("="))
      parseInitial(variable, type);
  }
  expect(";");
  if (isInFunction)
    scopes.back()[name] = {Symbol::memory, -1, 0, variable};
  else
    module.variables[name] = variable;
}

void Parser::parseInitial(const Variable &variable, Type type) {
  auto *bytes = reinterpret_cast<char *>(uintptr_t(variable.place));
  size_t width = size_t(bytesOf(type)), done = 0;
  bool isList = accept("{");
  do {
    bool isNegative = accept("-");
    Operand value = parseLiteral(isNegative);
    if (done + width > variable.bytes)
      fail("too many values");
    std::memcpy(bytes + done, &value.value, width);
    done += width;
  } while (isList && accept(","));
  if (isList)
    expect("}");
}

/// `.param .align 16 .b8 name[16]`, `.param .u64 .ptr .global .align 4 name`.
Variable Parser::parseParameter(uint64_t &size, Space space,
                                std::string &name) {
  expect(".param");
  Variable variable{space};
  uint64_t align = 1, bytes = 0;
  for (;; next()) {
    if (peek().is(".align")) {
      next();
      if (!bytes) // else of what a pointer points to
        align = std::strtoull(peek().text.c_str(), nullptr, 0);
    } else if (peek().text.empty() || peek().text[0] != '.') {
      break;
    } else if (Type type = typeNamed(peek().text.substr(1));
               type != Type::none) {
      bytes = uint64_t(bytesOf(type));
    }
  }
  name = next().text;
  align = std::max(align, bytes);
  if (accept("[")) {
    bytes *= number();
    expect("]");
  }
  if (!bytes || !align)
    fail("a parameter without a size");
  variable.place = (size + align - 1) / align * align;
  variable.bytes = bytes;
  size = variable.place + bytes;
  return variable;
}

void Parser::parseFunction(bool isEntry) {
  Function made;
  made.isEntry = isEntry;
  function = &made;
  scopes.assign(1, {});
  labels.clear();
  unresolved.clear();
  targetLists.clear();
  uint64_t &size = isEntry ? made.parameterBytes : made.localBytes;
  Space space = isEntry ? Space::param : Space::local;
  auto parseList = [&](std::vector<Variable> &list) {
    while (!accept(")")) {
      std::string name;
      list.push_back(parseParameter(size, space, name));
      scopes.back()[name] = {Symbol::memory, -1, 0, list.back()};
      accept(",");
    }
  };
  if (!isEntry && accept("("))
    parseList(made.results);
  made.name = next().text;
  if (accept("("))
    parseList(made.parameters);
  skipFunctionDirectives();
  made.returnSlot = made.slots++;
  if (!accept(";")) {
    made.isDefined = true;
    expect("{");
    scopes.emplace_back();
    parseBody();
    resolveTargets();
  }
  auto &known = module.functions[made.name];
  if (!known.isDefined)
    known = std::move(made);
  function = nullptr;
}

/// `.reqntid 256, 1, 1` and their like, which the host keeps to.
void Parser::skipFunctionDirectives() {
  for (;;) {
    if (accept(".reqntid") || accept(".maxntid") || accept(".minnctapersm") ||
        accept(".maxnreg") || accept(".maxnctapersm")) {
      do
        number();
      while (accept(","));
    } else if (!accept(".noreturn")) {
      return;
    }
  }
}

void Parser::parseRegisters() {
  Type type = typeNamed(peek().text.substr(1));
  if (type == Type::none)
    fail("'" + peek().text + "' is no type of a register");
  next();
  do {
    std::string name = next().text;
    uint64_t count = 0;
    bool isRange = accept("<");
    if (isRange) {
      count = number();
      expect(">");
    }
    bool isPredicate = type == Type::pred;
    int32_t &numbers = isPredicate ? function->predicates : function->slots;
    auto add = [&](const std::string &name) {
      scopes.back()[name] = {isPredicate ? Symbol::predicate : Symbol::reg,
                             numbers++,
                             bytesOf(type),
                             {}};
    };
    if (!isRange)
      add(name);
    for (uint64_t i = 0; i < count; ++i)
      add(name + std::to_string(i));
  } while (accept(","));
  expect(";");
}
