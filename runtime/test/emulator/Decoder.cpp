//===- Decoder.cpp - from a statement of PTX to an instruction ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Decoder.h"

#include <algorithm>

using namespace emulator;

static constexpr std::pair<const char *, Type> typeNames[] = {
    {"pred", Type::pred},    {"b8", Type::b8},   {"b16", Type::b16},
    {"b32", Type::b32},      {"b64", Type::b64}, {"u8", Type::u8},
    {"u16", Type::u16},      {"u32", Type::u32}, {"u64", Type::u64},
    {"s8", Type::s8},        {"s16", Type::s16}, {"s32", Type::s32},
    {"s64", Type::s64},      {"f16", Type::f16}, {"bf16", Type::bf16},
    {"f32", Type::f32},      {"f64", Type::f64}, {"f16x2", Type::f16x2},
    {"bf16x2", Type::bf16x2}};

Type emulator::typeNamed(const std::string &name) {
  for (auto &[known, type] : typeNames)
    if (name == known)
      return type;
  return Type::none;
}

int emulator::bytesOf(Type type) {
  switch (type) {
  case Type::none:
  case Type::pred:
    return 0;
  case Type::b8:
  case Type::u8:
  case Type::s8:
    return 1;
  case Type::b16:
  case Type::u16:
  case Type::s16:
  case Type::f16:
  case Type::bf16:
    return 2;
  case Type::b64:
  case Type::u64:
  case Type::s64:
  case Type::f64:
    return 8;
  default:
    return 4;
  }
}

const Decoders &emulator::decoders() {
  static const Decoders all = [] {
    Decoders all;
    for (auto add :
         {addIntegers, addBits, addFloats, addConversions, addComparisons,
          addMemory, addAtomics, addControl, addExchanges, addMatrices})
      add(all);
    return all;
  }();
  return all;
}

bool Decoder::has(const char *modifier) const {
  return std::find(words.begin() + 1, words.end(), modifier) != words.end();
}

bool Decoder::hasFloatType() const {
  return std::any_of(words.begin() + 1, words.end(),
                     [](auto &word) { return isFloat(typeNamed(word)); });
}

bool Decoder::hasTypeLeft() const {
  for (size_t i = 1; i < words.size(); ++i)
    if (!isTaken[i] && typeNamed(words[i]) != Type::none)
      return true;
  return false;
}

bool Decoder::take(const char *modifier) {
  for (size_t i = 1; i < words.size(); ++i)
    if (!isTaken[i] && words[i] == modifier) {
      isTaken[i] = true;
      return true;
    }
  return false;
}

int Decoder::takeOne(std::initializer_list<const char *> modifiers) {
  int index = 0;
  for (const char *modifier : modifiers) {
    if (take(modifier))
      return index;
    ++index;
  }
  return -1;
}

Type Decoder::takeType() {
  for (size_t i = 1; i < words.size(); ++i)
    if (!isTaken[i])
      if (Type type = typeNamed(words[i]); type != Type::none) {
        isTaken[i] = true;
        return type;
      }
  fail("a type is missing");
}

Rounding Decoder::takeRounding() {
  return Rounding(takeOne({"rn", "rz", "rm", "rp"}) + 1);
}

uint16_t Decoder::takeFloatFlags() {
  uint16_t flags = take("ftz") ? flushed : 0;
  return uint16_t(flags | (take("sat") ? saturated : 0));
}

Instruction &Decoder::emit(Handler handler) {
  if (!handler)
    fail("the emulator has no such type of this instruction");
  function.code.emplace_back();
  Instruction &made = function.code.back();
  made.handler = handler;
  made.line = line;
  return made;
}

int32_t Decoder::constant(uint64_t value, Source source) {
  for (const Constant &known : function.constants)
    if (known.value == value && known.source == source)
      return known.slot;
  function.constants.push_back({newSlot(), source, value});
  return function.constants.back().slot;
}

int32_t Decoder::resultOf(const Operand &operand) {
  if (operand.kind == Operand::sink)
    return newSlot();
  if (operand.kind != Operand::reg)
    fail("a result is no register");
  return operand.slot;
}

int32_t Decoder::result(size_t operand) {
  expectOperands(operand + 1, 99);
  return resultOf(operands[operand]);
}

int32_t Decoder::sourceOf(const Operand &operand, Type type) {
  if (operand.kind == Operand::reg)
    return operand.slot;
  // The name of a parameter of an entry is its place among them.
  if (operand.hasVariable && operand.variable.space == Space::param)
    return constant(operand.variable.place);
  if (operand.kind != Operand::literal)
    fail("'" + operand.text + "' is no value");
  uint64_t bits = operand.value;
  if (operand.literalType == Type::f64 && type == Type::f32)
    bits = put(float(get<double>(bits)));
  else if (operand.literalType == Type::f32 &&
           (type == Type::f64 || bytesOf(type) == 8))
    bits = put(double(get<float>(bits)));
  else if (operand.literalType == Type::s64 && isFloat(type) &&
           bytesOf(type) > 2 && bits && type != Type::f16x2 &&
           type != Type::bf16x2)
    fail("an integer where a float is meant");
  return constant(bits);
}

int32_t Decoder::source(size_t operand, Type type) {
  expectOperands(operand + 1, 99);
  return sourceOf(operands[operand], type);
}

int32_t Decoder::predicateResultOf(const Operand &operand) {
  if (operand.kind == Operand::sink)
    return function.predicates++;
  if (operand.kind != Operand::predicate || operand.isNegated)
    fail("a result is no predicate");
  return operand.slot;
}

int32_t Decoder::predicateResult(size_t operand) {
  expectOperands(operand + 1, 99);
  return predicateResultOf(operands[operand]);
}

int32_t Decoder::predicateSource(size_t operand, Instruction &instruction,
                                 uint16_t flag) {
  expectOperands(operand + 1, 99);
  const Operand &read = operands[operand];
  if (read.kind == Operand::literal) {
    int32_t slot = function.predicates++;
    function.fixedPredicates.push_back({slot, read.value ? allLanes : 0});
    return slot;
  }
  if (read.kind != Operand::predicate)
    fail("'" + read.text + "' is no predicate");
  if (read.isNegated)
    instruction.flags |= flag;
  return read.slot;
}

void Decoder::place(size_t operand, Instruction &instruction, Space space) {
  expectOperands(operand + 1, 99);
  const Operand &where = operands[operand];
  if (where.kind != Operand::place)
    fail("an address is missing");
  instruction.offset = where.offset;
  instruction.address = where.slot;
  instruction.space = space;
  if (!where.hasVariable)
    return;
  // Parameters of an entry are apart; those of functions are in local memory.
  const Variable &variable = where.variable;
  if (space == Space::param) {
    instruction.space = variable.space;
    if (variable.space == Space::param) {
      instruction.offset += int64_t(variable.place);
      if (instruction.offset < 0 ||
          uint64_t(instruction.offset) +
                  instruction.count * uint64_t(bytesOf(instruction.type)) >
              variable.place + variable.bytes)
        fail("outside of the parameter");
      return;
    }
  }
  if (variable.space != instruction.space && space != Space::generic)
    fail("the variable is in another space");
  if (space == Space::generic && variable.space != Space::global)
    fail("a variable that is not in generic memory");
  instruction.address = constant(
      variable.place, variable.isDynamic               ? Source::dynamicShared
                      : variable.space == Space::local ? Source::local
                                                       : Source::value);
}

void Decoder::fail(const std::string &why) const {
  std::string opcode;
  for (const std::string &word : words)
    opcode += (opcode.empty() ? "" : ".") + word;
  throw Fault{arrt::cuda::invalidPTX,
              "line " + std::to_string(line) + ": '" + opcode + "': " + why};
}

void Decoder::finish() const {
  for (size_t i = 1; i < words.size(); ++i)
    if (!isTaken[i])
      fail("the emulator does not know '." + words[i] + "' here");
}

void Decoder::expectOperands(size_t least, size_t most) const {
  if (operands.size() < least || operands.size() > most)
    fail(std::to_string(operands.size()) + " operands");
}
