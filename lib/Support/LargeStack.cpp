//===- LargeStack.cpp - Room for recursion --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/LargeStack.h"

#include "llvm/Support/thread.h"

#include <csignal>
#include <memory>
#include <optional>

/// Only what is touched takes memory. Passes recurse over what the checker lets
/// through (SemaOptions::maxDepth).
static constexpr unsigned stackBytes = 256u << 20;
static constexpr size_t signalStackBytes = 1u << 16;

void arrc::runOnLargeStack(llvm::function_ref<void()> fn) {
  auto room = std::make_unique<char[]>(signalStackBytes);
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] {
    stack_t stack = {};
    stack.ss_sp = room.get();
    stack.ss_size = signalStackBytes;
    ::sigaltstack(&stack, nullptr);
    fn();
    // It goes back before the thread's last destructors run.
    stack.ss_flags = SS_DISABLE;
    ::sigaltstack(&stack, nullptr);
  });
  worker.join();
}
