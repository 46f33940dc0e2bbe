//===- LazyTasks.cpp - Tasks that are compiled when they are needed -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A launch has several versions, of which a call takes one, and nearly
// all of the time goes into code for their loops. So the tasks of a program
// that runs in memory stay behind as LLVM's bitcode, and the rest asks for each
// one where it starts it:
//
// Before   call @arrt_parallel(%ctx, @f_task3_entry, ..)
// After    %task = call @arrc_task(@arrc_tasks, 3)
//          call @arrt_parallel(%ctx, %task, ..)
//
// What a task needs of the module goes with it: functions and constants are
// copied, and variables become visible and stay where they were.
//
//===----------------------------------------------------------------------===//

#include "LazyTasks.h"
#include "arrc/Target/CPU/CPU.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc::cpu;

/// Fewer tasks are compiled at once: most programs need what they have.
static constexpr size_t kFewest = 2;

/// Functions that the runtime starts, if all who name them are instructions.
static SmallVector<Function *> findTasks(Module &module) {
  SmallVector<Function *> tasks;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(taskAttribute) &&
        all_of(function.users(), [](User *user) {
          return isa<Instruction>(user) && !isa<PHINode>(user);
        }))
      tasks.push_back(&function);
  return tasks;
}

/// Variables have one place, which other objects find by name.
static void showVariables(Module &module) {
  unsigned number = 0;
  for (GlobalVariable &global : module.globals())
    if (global.hasInitializer() && global.hasLocalLinkage() &&
        !global.isConstant()) {
      global.setLinkage(GlobalValue::ExternalLinkage);
      global.setName("arrc_variable_" + Twine(number++));
    }
}

/// Erases `tasks`, and what nobody calls then.
static void eraseTasks(Module &module, ArrayRef<Function *> tasks) {
  for (Function *task : tasks)
    task->deleteBody();
  for (Function *task : tasks)
    task->eraseFromParent();
  for (bool changes = true; changes;) {
    changes = false;
    for (Function &function : make_early_inc_range(module))
      if (function.use_empty() &&
          (function.hasLocalLinkage() || function.isDeclaration())) {
        function.eraseFromParent();
        changes = true;
      }
  }
}

std::string arrc::cpu::detachTasks(Module &module) {
  SmallVector<Function *> tasks = findTasks(module);
  if (tasks.size() < kFewest)
    return "";
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::get(context, 0);
  auto *number = Type::getInt32Ty(context);
  FunctionCallee ask =
      module.getOrInsertFunction(askForTaskName, pointer, pointer, number);
  Constant *all =
      module.getOrInsertGlobal(allTasksName, Type::getInt8Ty(context));
  showVariables(module);
  for (auto [k, task] : enumerate(tasks)) {
    task->setName(getTaskName(k));
    task->setLinkage(GlobalValue::ExternalLinkage);
    for (Use &use : make_early_inc_range(task->uses())) {
      IRBuilder<> builder(cast<Instruction>(use.getUser()));
      use.set(builder.CreateCall(ask, {all, ConstantInt::get(number, k)}));
    }
  }
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  eraseTasks(module, tasks);
  return bitcode;
}

/// Reads `task`, and adds it and all that it calls to `needed`.
static Error readNeeded(Function *task, SmallPtrSetImpl<Function *> &needed) {
  SmallVector<Function *> work{task};
  needed.insert(task);
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    if (Error error = function->materialize())
      return error;
    // Functions that constants are made of are among their operands.
    SmallVector<const User *> users;
    for (Instruction &each : instructions(function))
      users.push_back(&each);
    SmallPtrSet<const User *, 16> seen;
    while (!users.empty())
      for (const Use &operand : users.pop_back_val()->operands()) {
        if (auto *other = dyn_cast<Function>(operand)) {
          if (!other->isDeclaration() && needed.insert(other).second)
            work.push_back(other);
        } else if (auto *constant = dyn_cast<Constant>(operand);
                   constant && seen.insert(constant).second) {
          users.push_back(constant);
        }
      }
  }
  return Error::success();
}

std::unique_ptr<Module> arrc::cpu::extractTask(StringRef bitcode,
                                               unsigned number,
                                               LLVMContext &context,
                                               std::string &problem) {
  auto fail = [&](Error error) {
    problem = toString(std::move(error));
    return nullptr;
  };
  auto module =
      getLazyBitcodeModule(MemoryBufferRef(bitcode, "tasks"), context);
  if (!module)
    return fail(module.takeError());
  Function *task = (*module)->getFunction(getTaskName(number));
  if (!task) {
    problem = "there is no task " + std::to_string(number);
    return nullptr;
  }
  SmallPtrSet<Function *, 8> needed;
  if (Error error = readNeeded(task, needed))
    return fail(std::move(error));
  for (Function &function : **module)
    if (!function.isDeclaration() && !needed.contains(&function)) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  for (GlobalVariable &global : (*module)->globals())
    if (global.hasInitializer() && !global.isConstant()) {
      global.setInitializer(nullptr);
      global.setLinkage(GlobalValue::ExternalLinkage);
    } else if (global.hasInitializer()) {
      global.setLinkage(GlobalValue::InternalLinkage);
    }
  if (Error error = (*module)->materializeAll())
    return fail(std::move(error));
  for (Function &function : make_early_inc_range(**module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return std::move(*module);
}
