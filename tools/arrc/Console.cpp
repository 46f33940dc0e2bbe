//===- Console.cpp - Where messages go ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Console.h"

using namespace arrc::tool;

static thread_local llvm::raw_ostream *captured = nullptr;

llvm::raw_ostream &arrc::tool::console() {
  return captured ? *captured : llvm::errs();
}

bool arrc::tool::isCaptured() { return captured; }

ConsoleCapture::ConsoleCapture(llvm::raw_ostream &os) : outer(captured) {
  captured = &os;
}

ConsoleCapture::~ConsoleCapture() { captured = outer; }
