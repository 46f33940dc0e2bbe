//===- KernelTransformOps.cpp - Steps of scripts --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

// With assertions this header's templates call functions that a library of LLVM
// built without them does not have.
#ifndef NDEBUG
#define NDEBUG
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#undef NDEBUG
#endif

#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.h"

#include "arrc/Dialect/Kernel/IR/DigitText.h"

#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDL/IR/PDLTypes.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `[ONE, ONE]`, each read by `parseOne`.
static ParseResult parseList(OpAsmParser &parser, ArrayAttr &list,
                             function_ref<FailureOr<Attribute>()> parseOne) {
  SmallVector<Attribute> read;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() -> ParseResult {
                                       FailureOr<Attribute> one = parseOne();
                                       if (succeeded(one))
                                         read.push_back(*one);
                                       return LogicalResult(one);
                                     }))
    return failure();
  list = ArrayAttr::get(parser.getContext(), read);
  return success();
}

static void printList(OpAsmPrinter &printer, ArrayAttr list,
                      function_ref<void(Attribute)> printOne) {
  printer << "[";
  llvm::interleaveComma(list, printer, printOne);
  printer << "]";
}

/// `[block.0, seq 4, thread.x 32]`
static ParseResult parseDigits(OpAsmParser &parser, ArrayAttr &digits) {
  return parseList(parser, digits, [&]() -> FailureOr<Attribute> {
    FailureOr<DigitAttr> digit = parseDigit(parser);
    if (failed(digit))
      return failure();
    return Attribute(*digit);
  });
}

static void printDigits(OpAsmPrinter &printer, Operation *, ArrayAttr digits) {
  printList(printer, digits, [&](Attribute digit) {
    printDigit(printer, cast<DigitAttr>(digit));
  });
}

/// `[i.0, j.1]`
static ParseResult parseNames(OpAsmParser &parser, ArrayAttr &names) {
  return parseList(parser, names, [&]() -> FailureOr<Attribute> {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    return Attribute(StringAttr::get(parser.getContext(), name));
  });
}

static void printNames(OpAsmPrinter &printer, Operation *, ArrayAttr names) {
  printList(printer, names, [&](Attribute name) {
    printer << cast<StringAttr>(name).getValue();
  });
}

#define GET_OP_CLASSES
#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
script::ApplyPDLOp::apply(transform::TransformRewriter &rewriter,
                          transform::TransformResults &,
                          transform::TransformState &state) {
  for (Operation *root : state.getPayloadOps(getRoot())) {
    if (!root->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
      auto error = emitSilenceableError();
      error << "patterns are applied to functions and modules, not to '"
            << root->getName() << "'";
      return error;
    }
    OwningOpRef<ModuleOp> patterns = ModuleOp::create(getLoc());
    for (Operation &pattern : getPatterns().front())
      patterns->getBody()->push_back(pattern.clone());
    RewritePatternSet set(PDLPatternModule(std::move(patterns)));
    GreedyRewriteConfig config;
    config.setListener(
        static_cast<RewriterBase::Listener *>(rewriter.getListener()));
    if (failed(applyPatternsGreedily(root, std::move(set), config))) {
      auto error = emitSilenceableError();
      error << "the patterns fit again and again";
      return error;
    }
  }
  return DiagnosedSilenceableFailure::success();
}

void script::ApplyPDLOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class KernelTransforms
    : public transform::TransformDialectExtension<KernelTransforms> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernelTransforms)

  void init() {
    declareDependentDialect<KernelDialect>();
    declareDependentDialect<pdl::PDLDialect>();
    declareGeneratedDialect<pdl_interp::PDLInterpDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void arrc::kernel::registerTransformExtension(DialectRegistry &registry) {
  registry.addExtensions<KernelTransforms>();
}
