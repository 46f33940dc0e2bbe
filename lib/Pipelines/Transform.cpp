//===- Transform.cpp - Scripts of the transform dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR's interpreter on a script in a file of its own. Which sequence of it
// runs where is said by its name.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Support/SourceFile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

namespace arrc {
#define GEN_PASS_DEF_TRANSFORMPASS
#include "arrc/Pipelines/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
struct TransformPass : arrc::impl::TransformPassBase<TransformPass> {
  using TransformPassBase::TransformPassBase;

  void runOnOperation() override {
    if (failed(runScript()))
      signalPassFailure();
  }

  LogicalResult runScript() {
    auto text = readSourceFile(file);
    if (!text)
      return emitError(UnknownLoc::get(&getContext()))
             << "cannot read the script '" << file
             << "': " << text.getError().message();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*text), llvm::SMLoc());
    auto script = parseSourceFile<ModuleOp>(sources, &getContext());
    if (!script)
      return failure();
    constexpr StringRef usual =
        transform::TransformDialect::kTransformEntryPointSymbolName;
    transform::NamedSequenceOp sequence;
    unsigned count = 0;
    for (auto each : script->getOps<transform::NamedSequenceOp>()) {
      ++count;
      if (each.getSymName() == (entry.empty() ? usual : StringRef(entry)))
        sequence = each;
    }
    // One that is alone needs no name.
    if (!sequence && entry.empty() && count == 1)
      sequence = *script->getOps<transform::NamedSequenceOp>().begin();
    if (!sequence)
      return emitError(FileLineColLoc::get(&getContext(), file, 1, 1))
             << "the script has no sequence '"
             << (entry.empty() ? usual : StringRef(entry)) << "'";
    return transform::applyTransformNamedSequence(
        getOperation(), sequence, ModuleOp(), transform::TransformOptions());
  }
};
} // namespace
