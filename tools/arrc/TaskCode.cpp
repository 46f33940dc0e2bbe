//===- TaskCode.cpp - Tasks that are compiled when they start -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TaskCode.h"

#include "llvm/Support/ErrorHandling.h"

#include <chrono>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

std::array<cpu::Symbol, 2> TaskCode::getSymbols() {
  return {cpu::Symbol{cpu::askForTaskName, reinterpret_cast<void *>(&ask)},
          cpu::Symbol{cpu::allTasksName, this}};
}

void TaskCode::start(cpu::JIT &program, const cpu::CodeGenOptions &how) {
  jit = &program;
  options = how;
}

void *TaskCode::ask(void *self, int32_t number) {
  return static_cast<TaskCode *>(self)->make(number);
}

bool TaskCode::compile(int32_t number, std::string &object,
                       std::string &problem) {
  if (cache.readImage(number, object))
    return true;
  SmallVector<char, 0> made;
  if (!cpu::compileTask(code, number, options, made, problem))
    return false;
  object.assign(made.begin(), made.end());
  cache.writeImage(number, object);
  return true;
}

void *TaskCode::make(int32_t number) {
  std::lock_guard<std::mutex> lock(mutex);
  void *&task = known[number];
  if (task)
    return task;
  auto begin = std::chrono::steady_clock::now();
  std::string object, problem;
  if (compile(number, object, problem)) {
    if (jit->add(object))
      task = jit->lookup(cpu::getTaskName(number));
    problem = jit->problem().str();
  }
  // All of it was translated before: nothing that a program can be to blame
  // for.
  if (!task)
    report_fatal_error("a task cannot be compiled: " + Twine(problem));
  std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - begin;
  milliseconds += took.count();
  return task;
}
