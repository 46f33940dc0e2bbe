//===- ReferenceCheck.cpp - arrc run --check ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ReferenceCheck.h"

#include "Program.h"

#include "arrc/Conversion/KernelToHost/Externs.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Reference/Compare.h"
#include "arrc/Reference/Evaluator.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

void ReferenceCheck::keep(mlir::ModuleOp original) {
  module = original.clone();
}

void *ReferenceCheck::getAdapter(StringRef callee, std::string &problem) {
  if (!adapters) {
    mlir::OwningOpRef<mlir::ModuleOp> made = makeExternAdapters(*module);
    cpu::CodeGenOptions options;
    options.isGlue = true;
    SmallVector<char, 0> object;
    if (!made || mlir::failed(cpu::compile(*made, options,
                                           cpu::OutputKind::Object, object))) {
      problem = "the calls of extern functions cannot be compiled";
      return nullptr;
    }
    adapters = cpu::JIT::load(StringRef(object.data(), object.size()),
                              getRuntimeSymbols(), problem);
    if (!adapters)
      return nullptr;
  }
  void *adapter = adapters->lookup(getExternAdapterName(callee));
  if (!adapter)
    problem = adapters->problem().str();
  return adapter;
}

/// The evaluator's copy of an argument or result in packed form.
static reference::Tensor tensorOf(const arrt_param &param, const void *packed,
                                  mlir::Type type) {
  auto element = *reference::elementOf(type);
  if (!param.rank)
    return reference::Tensor(element, {}, packed);
  auto *array = *static_cast<arrt_array *const *>(packed);
  SmallVector<int64_t> shape;
  for (int32_t d = 0; d < param.rank; ++d)
    shape.push_back(arrt_array_size(array, d));
  return reference::Tensor(element, shape, arrt_array_data(array));
}

int32_t ReferenceCheck::compare(arrt_context *ctx, const arrt_entry &entry,
                                void **args, raw_ostream &os) {
  if (!module)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: text below the arrays cannot be evaluated");
  auto function = module->lookupSymbol<mlir::func::FuncOp>(entry.name);
  if (!function || function.getNumArguments() != unsigned(entry.num_params) ||
      function.getNumResults() != unsigned(entry.num_results))
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: --check: '%s' is not as it was imported",
                     entry.name);
  std::vector<reference::Tensor> inputs;
  for (int32_t i = 0; i < entry.num_params; ++i)
    inputs.push_back(
        tensorOf(entry.params[i], args[i], function.getArgumentTypes()[i]));
  reference::Options options;
  options.callExtern = [&](StringRef callee, ArrayRef<void *> places,
                           int32_t &returned) {
    std::string problem;
    auto adapter =
        reinterpret_cast<arrt_packed_fn>(getAdapter(callee, problem));
    if (adapter)
      returned = adapter(ctx, const_cast<void **>(places.data()));
    return problem;
  };
  reference::Outcome outcome = reference::evaluate(function, inputs, options);
  if (outcome.failure) {
    const reference::Failure &failure = *outcome.failure;
    std::string place = reference::describeLocation(failure.location);
    // A program error that the target did not see is a difference; a limit of
    // the evaluator says nothing about the target.
    if (failure.isProgramError())
      return arrt_fail(ctx, ARRT_STATUS_COMPARE,
                       "%s: error: --check: the program runs, and the "
                       "evaluator stops here: %s",
                       place.c_str(), failure.message.c_str());
    return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                     "%s: error: --check: the evaluator gave up: %s",
                     place.c_str(), failure.message.c_str());
  }
  bool agrees = true;
  for (int32_t i = 0; i < entry.num_results; ++i) {
    const arrt_param &result = entry.results[i];
    reference::Tensor actual = tensorOf(result, args[entry.num_params + i],
                                        function.getResultTypes()[i]);
    reference::Comparison comparison =
        reference::compare(outcome.results[i], actual);
    std::string line =
        reference::report(result.name, outcome.results[i], comparison,
                          outcome.origins[i], outcome.uncertainAt);
    agrees &= comparison.agrees;
    os << "check: " << StringRef(line).rtrim() << '\n';
  }
  os.flush();
  if (agrees) {
    os << "check: ok\n";
    return ARRT_STATUS_OK;
  }
  return arrt_fail(ctx, ARRT_STATUS_COMPARE,
                   "error: the results differ from the reference evaluator's");
}
