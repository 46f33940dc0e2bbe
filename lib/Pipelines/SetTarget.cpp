//===- SetTarget.cpp - What a module is for -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Pipelines/Pipelines.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace arrc {
#define GEN_PASS_DEF_SETTARGETPASS
#include "arrc/Pipelines/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

std::string arrc::getTargetName(ModuleOp module) {
  auto row = kernel::DeviceAttr::get(module);
  return row ? row.getName().str() : "cpu";
}

/// The architecture of the table that is the latest not above `arch`, or the
/// earliest one.
static StringRef getNearestArch(StringRef target, StringRef arch) {
  auto number = [](StringRef text) {
    unsigned value = 0;
    text.consume_front("sm_");
    text.consumeInteger(10, value);
    return value;
  };
  if (arch.empty())
    return "";
  StringRef best;
  for (StringRef known : kernel::getArchitectures(target))
    if (best.empty() ||
        (number(best) > number(arch)
             ? number(known) < number(best)
             : number(known) <= number(arch) && number(known) > number(best)))
      best = known;
  return best;
}

/// Which index devices share is nothing to stay apart for where there is one.
static void dropSplits(ModuleOp module) {
  auto row = kernel::DeviceAttr::get(module);
  if (!row || !row.getInteger("parts", 0))
    module.walk([](Operation *op) { op->removeAttr(array::kSplitAttr); });
}

static void setDevice(ModuleOp module, const TargetOptions &target) {
  if (!(target.isDevice() || target.isInParts()) ||
      kernel::DeviceAttr::get(module))
    return;
  module->getContext()->loadDialect<kernel::KernelDialect>();
  Builder b(module.getContext());
  SmallVector<NamedAttribute> facts;
  if (!target.arch.empty())
    facts.push_back(b.getNamedAttr("arch", b.getStringAttr(target.arch)));
  if (!target.device.empty())
    facts.push_back(b.getNamedAttr("device", b.getStringAttr(target.device)));
  for (auto &[name, value] : target.facts)
    facts.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  auto row =
      kernel::makeDevice(b.getContext(), target.name,
                         getNearestArch(target.name, target.arch), facts);
  assert(row && "no such target");
  module->setAttr("kernel.device", row);
}

void arrc::setTarget(ModuleOp module, const TargetOptions &target) {
  setDevice(module, target);
  dropSplits(module);
}

namespace {
struct SetTargetPass : arrc::impl::SetTargetPassBase<SetTargetPass> {
  using SetTargetPassBase::SetTargetPassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::is_contained({"cpu", "cuda", "opencl"}, StringRef(target))) {
      module.emitError() << "there is no target '" << target << "'";
      return signalPassFailure();
    }
    TargetOptions options;
    options.name = target;
    options.arch = arch;
    setTarget(module, options);
    if (std::string is = getTargetName(module); is != options.name) {
      module.emitError() << "the pipeline is for '" << options.name
                         << "', the program for '" << is << "'";
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
