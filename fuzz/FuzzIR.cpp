//===- FuzzIR.cpp - Any text goes through the reader of the dialects ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What reads as a module prints, and its text reads again.
//
//===----------------------------------------------------------------------===//

#include "arrc/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    arrc::registerAllDialects(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
    return made;
  }();
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // Depth is limited before text is handed to MLIR, which recurses; what is in
  // strings counts as well.
  int64_t depth = 0;
  for (size_t i = 0; i < text.size() && depth <= 256; ++i) {
    bool isArrow = i > 0 && text.substr(i - 1, 2) == "->";
    depth += llvm::StringRef("{([<").contains(text[i]);
    depth -= depth > 0 && !isArrow && llvm::StringRef("})]>").contains(text[i]);
  }
  if (depth > 256)
    return 0;
  auto module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module->print(os);
  if (!parseSourceString<ModuleOp>(printed, context))
    std::abort();
  return 0;
}
