//===- Evaluate.cpp - Evaluate a function and print its results -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The evaluator as a pass, so that a test can say that other passes keep what a
// program means: it runs before and after them, and the lines must be equal.
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Evaluator.h"
#include "arrc/Reference/Passes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::reference;

namespace arrc::reference {
#define GEN_PASS_DEF_EVALUATEPASS
#include "arrc/Reference/Passes.h.inc"
} // namespace arrc::reference

namespace {
struct EvaluatePass : reference::impl::EvaluatePassBase<EvaluatePass> {
  using EvaluatePassBase::EvaluatePassBase;

  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!func) {
      getOperation().emitError() << "there is no function '" << function << "'";
      return signalPassFailure();
    }
    std::vector<Tensor> arguments;
    if (failed(args.empty() ? makeRandom(func, arguments)
                            : readArguments(func, arguments)))
      return signalPassFailure();
    Options options;
    options.mode = exact ? Mode::Exact : Mode::Own;
    options.maxBytes = maxBytes;
    Outcome outcome = evaluate(func, arguments, options);
    if (outcome.failure) {
      emitError(outcome.failure->location)
          << outcome.failure->kind << ": " << outcome.failure->message;
      return signalPassFailure();
    }
    print(outcome);
    markAllAnalysesPreserved();
  }

  /// The arguments that `args` spells.
  LogicalResult readArguments(func::FuncOp func,
                              std::vector<Tensor> &arguments) {
    llvm::SmallVector<llvm::StringRef> texts;
    llvm::StringRef(args).split(texts, ';');
    if (texts.size() != func.getNumArguments())
      return func.emitError()
             << "expected " << func.getNumArguments() << " arguments";
    for (auto [text, type] : llvm::zip_equal(texts, func.getArgumentTypes())) {
      std::optional<Element> element = elementOf(type);
      std::optional<Tensor> value =
          element ? parseTensor(text, *element) : std::nullopt;
      if (!value)
        return func.emitError() << "'" << text << "' is no value of " << type;
      arguments.push_back(std::move(*value));
    }
    return success();
  }

  /// Random arguments of sizes that fit together where names say so.
  LogicalResult makeRandom(func::FuncOp func, std::vector<Tensor> &arguments) {
    RandomSource random(seed);
    llvm::StringMap<int64_t> named;
    size_t next = 0;
    auto nextSize = [&]() -> int64_t {
      if (sizes.empty())
        return 3;
      return sizes[std::min(next++, sizes.size() - 1)];
    };
    auto params = func->getAttrOfType<ArrayAttr>("arrc.params");
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
      std::optional<Element> element = elementOf(type);
      if (!element)
        return func.emitError() << "no random values of " << type;
      ArrayAttr dims;
      if (params && i < params.size())
        if (auto param = dyn_cast<DictionaryAttr>(params[i]))
          dims = param.getAs<ArrayAttr>("dims");
      llvm::SmallVector<int64_t> shape;
      if (auto shaped = dyn_cast<RankedTensorType>(type))
        for (auto [d, n] : llvm::enumerate(shaped.getShape())) {
          if (!ShapedType::isDynamic(n)) {
            shape.push_back(n);
            continue;
          }
          llvm::StringRef name;
          if (dims && d < dims.size())
            if (auto text = dyn_cast<StringAttr>(dims[d]))
              name = text.getValue();
          if (name.empty()) {
            shape.push_back(nextSize());
            continue;
          }
          if (!named.contains(name))
            named[name] = nextSize();
          shape.push_back(named[name]);
        }
      std::optional<int64_t> count = elementCount(shape);
      if (!count || *count > maxBytes / sizeOf(*element))
        return func.emitError() << "the sizes are negative or too large";
      Tensor tensor(*element, shape);
      for (int64_t k = 0; k < tensor.size(); ++k)
        tensor.set(k, random.scalar(*element, lowest, highest, wholeFloats));
      arguments.push_back(std::move(tensor));
    }
    return success();
  }

  void print(const Outcome &outcome) {
    for (auto [k, result] : llvm::enumerate(outcome.results)) {
      llvm::outs() << "result " << k << ": ";
      result.print(llvm::outs());
      llvm::outs() << "\n";
      if (!deviations)
        continue;
      llvm::outs() << "deviation " << k << ":";
      for (int64_t e = 0; e < result.size(); ++e)
        llvm::outs() << llvm::format(" %.3g", result.deviation(e));
      llvm::outs() << "\n";
    }
    if (deviations && outcome.uncertainAt)
      llvm::outs() << "rounding decides at "
                   << describeLocation(*outcome.uncertainAt) << "\n";
    llvm::outs().flush();
  }
};
} // namespace
