//===- Statements.cpp - bodies of PTX's functions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Parser.h"

#include <cstdlib>

using namespace emulator;

/// Statements up to the brace that closes the function's.
void Parser::parseBody() {
  size_t outer = scopes.size();
  while (scopes.size() >= outer) {
    if (accept("{"))
      scopes.emplace_back();
    else if (accept("}"))
      scopes.pop_back();
    else if (peek().text.empty())
      fail("the function has no end");
    else
      parseStatement();
  }
  // A body may end without `ret`.
  Decoder decoder(*function, {"ret"}, peek().line);
  decoders().at("ret")(decoder);
}

void Parser::parseStatement() {
  if (accept(".reg"))
    return parseRegisters();
  if (accept(".local"))
    return parseVariable(Space::local, true);
  if (accept(".shared"))
    return parseVariable(Space::shared, true);
  if (peek().is(".param")) {
    std::string name;
    Variable variable =
        parseParameter(function->localBytes, Space::local, name);
    scopes.back()[name] = {Symbol::memory, -1, 0, variable};
    return expect(";");
  }
  if (accept(".pragma")) {
    while (!accept(";"))
      next();
    return;
  }
  if (accept(".loc")) {
    for (int32_t line = peek().line; peek().line == line;)
      next();
    return;
  }
  if (peek(1).is(":")) {
    std::string label = next().text;
    next();
    if (accept(".branchtargets"))
      return parseTargets(label);
    if (!labels.emplace(label, int32_t(function->code.size())).second)
      fail("'" + label + "' is there twice");
    return;
  }
  bool isGuarded = accept("@"), isNegated = isGuarded && accept("!");
  Operand guard;
  if (isGuarded)
    guard = parseOperand();
  int32_t line = peek().line;
  std::vector<std::string> words(1);
  for (char c : next().text)
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  auto decode = decoders().find(words[0]);
  Decoder decoder(*function, words, line);
  if (decode == decoders().end())
    decoder.fail("the emulator does not know this instruction");
  while (!accept(";")) {
    decoder.operands.push_back(parseOperand());
    if (!peek().is(";"))
      expect(",");
  }
  size_t first = function->code.size();
  decode->second(decoder);
  decoder.finish();
  for (size_t i = first; i < function->code.size(); ++i) {
    Instruction &made = function->code[i];
    if (isGuarded) {
      if (guard.kind != Operand::predicate)
        decoder.fail("the guard is no predicate");
      made.guard = guard.slot;
      made.flags |= isNegated ? negatedGuard : 0;
    }
    if (!(made.flags & isControl))
      continue;
    for (const Operand &operand : decoder.operands)
      if (operand.kind == Operand::name)
        unresolved.push_back({i, operand.text});
  }
}

/// `name: .branchtargets label, label;`
void Parser::parseTargets(const std::string &label) {
  auto &list = targetLists[label];
  do
    list.push_back(next().text);
  while (accept(","));
  expect(";");
}

void Parser::resolveTargets() {
  auto place = [&](const std::string &name) {
    auto found = labels.find(name);
    if (found == labels.end())
      throw Fault{arrt::cuda::invalidPTX,
                  "'" + function->name + "': there is no label '" + name + "'"};
    return found->second;
  };
  for (auto &[index, name] : unresolved) {
    Instruction &branch = function->code[index];
    if (branch.kind >= kindCall) { // link() resolves it
      branch.target = int32_t(function->callees.size());
      function->callees.push_back(name);
    } else if (auto list = targetLists.find(name); list != targetLists.end()) {
      branch.list = int32_t(function->lists.size());
      function->lists.emplace_back();
      for (const std::string &target : list->second)
        function->lists.back().push_back(place(target));
    } else {
      branch.target = place(name);
    }
  }
}

const Parser::Symbol *Parser::find(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return &found->second;
  return nullptr;
}

bool Parser::isSpecial(const std::string &name, Source &source,
                       uint64_t &value) {
  static const char *const triples[] = {"%tid.", "%ctaid.", "%ntid.",
                                        "%nctaid."};
  source = Source::thread;
  for (uint64_t kind = 0; kind < 4; ++kind)
    for (uint64_t d = 0; d < 3; ++d)
      if (name == triples[kind] + std::string(1, char('x' + d))) {
        value = kind * 4 + d;
        return true;
      }
  static const std::pair<const char *, Special> specials[] = {
      {"%laneid", laneNumber},
      {"%warpid", warpNumber},
      {"%nwarpid", warpCount},
      {"%lanemask_eq", laneBit},
      {"%lanemask_lt", lowerLanes}};
  source = Source::special;
  for (auto &[known, special] : specials)
    if (name == known) {
      value = special;
      return true;
    }
  source = Source::value;
  value = lanes;
  return name == "WARP_SZ";
}

Operand Parser::parseLiteral(bool isNegative) {
  Operand literal;
  literal.kind = Operand::literal;
  literal.text = next().text;
  const char *text = literal.text.c_str();
  char *end = nullptr;
  bool isHex = text[0] == '0' && text[1] &&
               std::string("fFdD").find(text[1]) != std::string::npos;
  if (isHex) {
    bool isSingle = text[1] == 'f' || text[1] == 'F';
    literal.literalType = isSingle ? Type::f32 : Type::f64;
    literal.value = std::strtoull(text + 2, &end, 16);
  } else if (literal.text.find('.') != std::string::npos) {
    literal.literalType = Type::f64;
    double value = std::strtod(text, &end);
    literal.value = put(isNegative ? -value : value);
    isNegative = false;
  } else {
    literal.literalType = Type::s64;
    literal.value = std::strtoull(text, &end, 0);
    if (*end == 'U')
      ++end;
  }
  if (*end || end == text || (isHex && isNegative))
    fail("'" + literal.text + "' is no number");
  if (isNegative)
    literal.value = 0 - literal.value;
  return literal;
}

Operand Parser::parseName() {
  Operand operand;
  operand.text = next().text;
  if (operand.text == "_") {
    operand.kind = Operand::sink;
    return operand;
  }
  const Symbol *symbol = find(operand.text);
  auto variable = module.variables.find(operand.text);
  Source source;
  uint64_t value;
  Decoder constants(*function, {"operand"}, peek().line);
  if (symbol && symbol->kind != Symbol::memory) {
    bool isPredicate = symbol->kind == Symbol::predicate;
    operand.kind = isPredicate ? Operand::predicate : Operand::reg;
    operand.slot = symbol->slot;
    operand.bytes = symbol->bytes;
  } else if (symbol || variable != module.variables.end()) {
    operand.hasVariable = true;
    operand.variable = symbol ? symbol->variable : variable->second;
    operand.kind = Operand::reg;
    if (operand.variable.space != Space::param)
      operand.slot = constants.constant(
          operand.variable.place,
          operand.variable.isDynamic               ? Source::dynamicShared
          : operand.variable.space == Space::local ? Source::local
                                                   : Source::value);
  } else if (isSpecial(operand.text, source, value)) {
    operand.kind = Operand::reg;
    operand.slot = constants.constant(value, source);
  } else if (operand.text[0] == '%') {
    fail("the emulator does not know '" + operand.text + "'");
  } else {
    operand.kind = Operand::name;
  }
  return operand;
}

/// [register + 8], [variable], [variable + 8], [16].
Operand Parser::parsePlace() {
  Operand place;
  place.kind = Operand::place;
  if (std::isdigit(static_cast<unsigned char>(peek().text[0])) ||
      peek().is("-")) {
    place.offset = int64_t(number());
  } else {
    Operand base = parseName();
    if (base.kind != Operand::reg)
      fail("'" + base.text + "' is no address");
    place.hasVariable = base.hasVariable;
    place.variable = base.variable;
    place.slot = base.slot;
    if (accept("+"))
      place.offset = int64_t(number());
    else if (peek().is("-"))
      place.offset = int64_t(number());
  }
  expect("]");
  return place;
}

Operand Parser::parseOperand() {
  auto parseParts = [&](Operand::Kind kind, const char *end) {
    Operand parts;
    parts.kind = kind;
    while (!accept(end)) {
      parts.parts.push_back(parseOperand());
      accept(",");
    }
    return parts;
  };
  if (accept("["))
    return parsePlace();
  if (accept("{"))
    return parseParts(Operand::vector, "}");
  if (accept("("))
    return parseParts(Operand::list, ")");
  if (accept("-"))
    return parseLiteral(true);
  if (std::isdigit(static_cast<unsigned char>(peek().text[0])))
    return parseLiteral(false);
  bool isNegated = accept("!");
  Operand operand = parseName();
  operand.isNegated = isNegated;
  if (operand.kind == Operand::reg && operand.slot < 0)
    operand.kind = Operand::none; // a parameter, whose name stands in lists
  if (!accept("|"))
    return operand;
  Operand pair;
  pair.kind = Operand::pair;
  pair.parts = {operand, parseName()};
  return pair;
}
