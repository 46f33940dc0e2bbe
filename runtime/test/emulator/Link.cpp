//===- Link.cpp - a kernel with the functions that it calls ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Functions are placed before those that call them: lanes at the lowest place
// are run first, so lanes that call meet the others again behind the call.
//
//===----------------------------------------------------------------------===//

#include "emulator/Decoder.h"

#include <set>

using namespace emulator;

namespace {
class Linker {
public:
  Linker(const Module &module) : module(module) {}
  Program run(const std::string &entry);

private:
  struct Placed {
    int32_t code, returnSlot;
    uint64_t local;
  };
  const Placed &place(const Function &function);
  void findUsedValues(size_t first);
  void resolveCall(const Function &function, Instruction &call);
  /// A slot with a parameter's place in local memory.
  int32_t placeOf(const Variable &parameter, const Placed &of);

  const Module &module;
  Program program;
  std::map<std::string, Placed> placed;
  std::set<std::string> open;
};
} // namespace

static void move(int32_t &slot, int32_t base) {
  if (slot >= 0)
    slot += base;
}

const Linker::Placed &Linker::place(const Function &function) {
  if (auto found = placed.find(function.name); found != placed.end())
    return found->second;
  if (!open.insert(function.name).second)
    throw Fault{arrt::cuda::invalidPTX,
                "'" + function.name +
                    "' calls itself: the emulator has no "
                    "frames"};
  for (const std::string &name : function.callees) {
    auto callee = module.functions.find(name);
    if (callee == module.functions.end() ||
        (!callee->second.isDefined && !findBuiltin(name)))
      throw Fault{arrt::cuda::invalidPTX, "there is no function '" + name +
                                              "', which '" + function.name +
                                              "' calls"};
    place(callee->second);
  }
  int32_t slots = program.slots, predicates = program.predicates;
  auto lists = int32_t(program.lists.size());
  Placed here{int32_t(program.code.size()), function.returnSlot + slots,
              (program.localBytes + 15) / 16 * 16};
  program.slots += function.slots;
  program.predicates += function.predicates;
  program.localBytes = here.local + function.localBytes;
  for (const Constant &constant : function.constants) {
    program.constants.push_back(constant);
    program.constants.back().slot += slots;
    if (constant.source == Source::local)
      program.constants.back().value += here.local;
  }
  for (auto [slot, value] : function.fixedPredicates)
    program.fixedPredicates.push_back({slot + predicates, value});
  for (const auto &list : function.lists) {
    program.lists.push_back(list);
    for (int32_t &target : program.lists.back())
      target += here.code;
  }
  auto operands = int32_t(program.operands.size());
  for (const auto &list : function.operands) {
    program.operands.push_back(list);
    for (int32_t &slot : program.operands.back())
      slot += slots;
  }
  for (Instruction made : function.code) {
    for (int32_t *slot :
         {&made.to[0], &made.to[1], &made.to[2], &made.to[3], &made.from[0],
          &made.from[1], &made.from[2], &made.from[3], &made.address})
      move(*slot, slots);
    for (int32_t *slot :
         {&made.toPredicate[0], &made.toPredicate[1], &made.fromPredicate[0],
          &made.fromPredicate[1], &made.guard})
      move(*slot, predicates);
    move(made.list, lists);
    move(made.operands, operands);
    if (made.access >= 0)
      made.access = program.accesses++;
    if (made.kind >= kindCall)
      resolveCall(function, made);
    else
      move(made.target, here.code);
    program.code.push_back(made);
  }
  findUsedValues(size_t(here.code));
  return placed.emplace(function.name, here).first->second;
}

/// Vectors that are loaded may have values that nobody reads: LLVM closes gaps
/// between loads where the whole is aligned. What is there is of no account.
void Linker::findUsedValues(size_t first) {
  std::vector<bool> isRead(size_t(program.slots));
  auto note = [&](int32_t slot) {
    if (slot >= 0)
      isRead[size_t(slot)] = true;
  };
  for (size_t i = first; i < program.code.size(); ++i) {
    note(program.code[i].address);
    for (int32_t slot : program.code[i].from)
      note(slot);
    if (program.code[i].operands >= 0)
      for (int32_t slot : program.operands[size_t(program.code[i].operands)])
        note(slot);
  }
  for (size_t i = first; i < program.code.size(); ++i) {
    Instruction &made = program.code[i];
    if (made.kind != 'l' || made.count == 1)
      continue;
    uint8_t used = made.count;
    while (used > 0 && !isRead[size_t(made.to[used - 1])])
      --used;
    if (used)
      made.used = used;
  }
}

int32_t Linker::placeOf(const Variable &parameter, const Placed &of) {
  program.constants.push_back(
      {program.slots, Source::value, of.local + parameter.place});
  return program.slots++;
}

/// A call, or a copy to or from the parameters of who is called.
void Linker::resolveCall(const Function &function, Instruction &call) {
  const std::string &name = function.callees[size_t(call.target)];
  const Function &callee = module.functions.at(name);
  const Placed &target = placed.at(name);
  if (call.kind != kindCall) {
    auto &formal =
        call.kind == kindArgument ? callee.parameters : callee.results;
    if (call.count >= formal.size() ||
        formal[call.count].bytes != uint64_t(call.offset))
      throw Fault{arrt::cuda::invalidPTX, program.describe(call) + ": '" +
                                              name + "' has other parameters"};
    call.from[call.kind == kindArgument ? 1 : 0] =
        placeOf(formal[call.count], target);
  } else if (callee.isDefined) {
    call.target = target.code;
    call.to[0] = target.returnSlot;
  } else {
    call.handler = findBuiltin(name);
    for (size_t k = 0; k < callee.parameters.size() && k < 4; ++k)
      call.from[k] = placeOf(callee.parameters[k], target);
  }
}

Program Linker::run(const std::string &entry) {
  const Function &function = module.functions.at(entry);
  program.name = entry;
  program.lines = module.lines;
  program.parameters = function.parameters;
  program.parameterBytes = function.parameterBytes;
  program.sharedBytes = module.sharedBytes;
  program.entry = place(function).code;
  return std::move(program);
}

Program emulator::link(const Module &module, const std::string &entry) {
  return Linker(module).run(entry);
}

std::string Program::describe(const Instruction &instruction) const {
  auto line = size_t(instruction.line);
  std::string text = "line " + std::to_string(line);
  if (lines && line - 1 < lines->size())
    text += ": '" + (*lines)[line - 1] + "'";
  return text;
}
