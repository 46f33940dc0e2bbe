//===- Program.h - a kernel as the emulator runs it ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An instruction is a function and the slots that it works on. A slot is a
/// register of every lane: constants and special registers have slots as well,
/// which are filled when a warp starts, so that an operand is always one. No
/// function of PTX is recursive here: each has its own slots and its own part
/// of local memory, for its parameters too, and there are no frames.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_PROGRAM_H
#define ARRT_TEST_EMULATOR_PROGRAM_H

#include "emulator/Types.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace emulator {

class Warp;
struct Instruction;
/// Does an instruction for the lanes of a mask.
using Handler = void (*)(Warp &, const Instruction &, Mask);

/// What a handler is told besides operands.
enum Flag : uint16_t {
  flushed = 1,   ///< .ftz
  saturated = 2, ///< .sat
  carryIn = 4,   ///< takes the carry
  carryOut = 8,  ///< gives the carry
  negated0 = 16, ///< the first predicate is meant negated
  negated1 = 32, ///< the second one
  negatedGuard = 64,
  signExtended = 128, ///< a load
  isControl = 256,    ///< run even if no lane passes the guard
  isStrong = 512,     ///< a load or store that others may race with
  acquires = 1024,
  releases = 2048,
};

/// How a result is rounded.
enum class Rounding : uint8_t { none, nearest, zero, down, up };

struct Instruction {
  Handler handler = nullptr;
  int32_t to[4] = {-1, -1, -1, -1};   ///< slots of results
  int32_t from[4] = {-1, -1, -1, -1}; ///< slots of operands
  int32_t address = -1;               ///< slot of the address, or none
  int32_t toPredicate[2] = {-1, -1}, fromPredicate[2] = {-1, -1};
  int32_t guard = -1;
  int32_t target = -1; ///< where a branch goes, a call's function
  int32_t list = -1;   ///< of targets
  int32_t line = 0;
  int32_t access = -1;   ///< number among those of memory
  int32_t operands = -1; ///< those of more operands than `from` has
  uint16_t flags = 0;
  Type type = Type::none, fromType = Type::none;
  Space space = Space::generic;
  Rounding rounding = Rounding::none;
  uint8_t count = 1;  ///< values of a vector
  uint8_t used = 4;   ///< of a load: values up to the last that is ever read
  uint8_t kind = 0;   ///< what the handler makes of it
  int64_t offset = 0; ///< of the address, or a number
};

/// Instruction::kind of a call and of the copies before and after it.
inline constexpr uint8_t kindCall = 200, kindArgument = 201, kindResult = 202;

/// What fills a slot when a warp starts.
enum class Source : uint8_t {
  value,
  local,         ///< of the function's part of local memory
  dynamicShared, ///< behind the variables of fixed size
  thread,        ///< and block, threads, blocks: kind * 4 + dimension
  special,       ///< Special
};
enum Special : uint8_t {
  laneNumber,
  warpNumber,
  warpCount,
  laneBit,
  lowerLanes
};

struct Constant {
  int32_t slot;
  Source source;
  uint64_t value;
};

/// A variable or parameter: its place in its space.
struct Variable {
  Space space;
  uint64_t place = 0;
  uint64_t bytes = 0;
  bool isDynamic = false;
};

/// A function of a module, with slots and targets of its own.
struct Function {
  std::string name;
  bool isEntry = false, isDefined = false;
  std::vector<Instruction> code;
  std::vector<Constant> constants;
  /// Slots of predicates that are always false (0) or true (all ones).
  std::vector<std::pair<int32_t, Mask>> fixedPredicates;
  std::vector<std::vector<int32_t>> lists;    ///< targets of brx.idx
  std::vector<std::vector<int32_t>> operands; ///< slots, results first
  std::vector<std::string> callees;           ///< Instruction::target of calls
  int32_t slots = 0, predicates = 0;
  int32_t returnSlot = -1; ///< where lanes go on, for functions
  uint64_t localBytes = 0;
  std::vector<Variable> parameters, results;
  uint64_t parameterBytes = 0; ///< of an entry
};

/// A kernel, whole.
struct Program {
  std::string name;
  std::vector<Instruction> code;
  std::vector<Constant> constants;
  std::vector<std::pair<int32_t, Mask>> fixedPredicates;
  std::vector<std::vector<int32_t>> lists, operands;
  std::vector<Variable> parameters;
  int32_t entry = 0; ///< where it starts
  int32_t slots = 0, predicates = 0, accesses = 0;
  uint64_t localBytes = 0, sharedBytes = 0, parameterBytes = 0;
  std::shared_ptr<const std::vector<std::string>> lines; ///< of the module

  /// `line 12: 'add.s32 %r1, %r2, %r3;'`.
  std::string describe(const Instruction &instruction) const;
};

/// The functions of a text of PTX.
struct Module {
  std::map<std::string, Function> functions;
  std::map<std::string, Variable> variables;
  uint64_t sharedBytes = 0;
  std::shared_ptr<std::vector<std::string>> lines;
  /// The module's variables in device memory.
  std::vector<std::unique_ptr<uint64_t[]>> memory;
  std::vector<std::pair<uint64_t, uint64_t>> ranges; ///< address, bytes
};

/// Reads PTX. Throws a Fault that names the line.
std::unique_ptr<Module> parse(const std::string &text);
/// An entry with the functions that it calls, which are placed before it.
Program link(const Module &module, const std::string &entry);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_PROGRAM_H
