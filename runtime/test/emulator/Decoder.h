//===- Decoder.h - from a statement of PTX to an instruction ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first part of an opcode chooses a function of a table (`decoders`),
/// which takes the modifiers one by one, chooses a handler by them and names
/// the operands. What is left over is refused: nothing is guessed.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_DECODER_H
#define ARRT_TEST_EMULATOR_DECODER_H

#include "emulator/Program.h"

#include <initializer_list>
#include <unordered_map>

namespace emulator {

/// An operand as it is written, its names looked up.
struct Operand {
  enum Kind {
    none,
    reg,       ///< or a special register, or an address of a variable: a slot
    predicate, ///< a slot among predicates
    literal,
    place,  ///< [..]
    vector, ///< {..}
    pair,   ///< p|q
    list,   ///< (..), of a call
    name,   ///< a label or a function
    sink,   ///< _
  };
  Kind kind = none;
  int32_t slot = -1; ///< of a place: the register, or none
  bool isNegated = false;
  Type literalType = Type::none; ///< f32, f64 or s64
  uint64_t value = 0;            ///< the bits of a literal
  int64_t offset = 0;            ///< of a place
  Variable variable;             ///< of a place, if it names one
  bool hasVariable = false;
  int32_t bytes = 0; ///< of a register
  std::string text;
  std::vector<Operand> parts;
};

/// One statement, while it is decoded.
class Decoder {
public:
  Decoder(Function &function, std::vector<std::string> words, int32_t line)
      : function(function), words(std::move(words)), line(line),
        isTaken(this->words.size()) {}

  const std::string &opcode() const { return words[0]; }
  /// True if the opcode has the modifier, a type of floats.
  bool has(const char *modifier) const;
  bool hasFloatType() const;
  /// True if it has a type that was not taken.
  bool hasTypeLeft() const;
  /// True, once, if the opcode has the modifier.
  bool take(const char *modifier);
  /// The first of the modifiers that is there; -1: none.
  int takeOne(std::initializer_list<const char *> modifiers);
  /// The next of the types of the opcode, from the first; refuses if none.
  Type takeType();
  /// .rn, .rz, .rm, .rp; none where there is none.
  Rounding takeRounding();
  /// .ftz and .sat as flags.
  uint16_t takeFloatFlags();
  /// Adds an instruction; operands follow.
  Instruction &emit(Handler handler);

  /// Slots of operands.
  int32_t result(size_t operand);
  int32_t resultOf(const Operand &operand);
  int32_t source(size_t operand, Type type);
  int32_t sourceOf(const Operand &operand, Type type);
  int32_t predicateResult(size_t operand);
  int32_t predicateResultOf(const Operand &operand);
  /// A predicate that is read; `flag` tells of its negation.
  int32_t predicateSource(size_t operand, Instruction &instruction,
                          uint16_t flag);
  /// Sets address, offset and space.
  void place(size_t operand, Instruction &instruction, Space space);
  /// Slot of a constant.
  int32_t constant(uint64_t value, Source source = Source::value);
  int32_t newSlot() { return function.slots++; }

  /// Refuses the statement.
  [[noreturn]] void fail(const std::string &why) const;
  /// Refuses what was not taken.
  void finish() const;
  /// Refuses another number of operands.
  void expectOperands(size_t least, size_t most) const;

  std::vector<Operand> operands;
  Function &function;

private:
  std::vector<std::string> words; ///< the opcode and its modifiers
  int32_t line;
  std::vector<bool> isTaken;
};

using Decode = void (*)(Decoder &);
using Decoders = std::unordered_map<std::string, Decode>;
/// All of the opcodes, by their first part.
const Decoders &decoders();
/// Their groups, a file each.
void addIntegers(Decoders &all);
void addBits(Decoders &all);
void addFloats(Decoders &all);
void addConversions(Decoders &all);
void addComparisons(Decoders &all);
void addMemory(Decoders &all);
void addAtomics(Decoders &all);
void addControl(Decoders &all);
void addExchanges(Decoders &all);
void addMatrices(Decoders &all);

/// What is behind a name of an extern function that the driver would give, as
/// the handler of its call: parameters are in local memory.
Handler findBuiltin(const std::string &name);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_DECODER_H
