//===- PrintAnalysis.cpp - What a kernel costs, in words ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints the cost model's answers about each launch (Analysis/CostModel.h,
// Analysis/Coalescing.h): what it reads and writes once, what it computes, how
// lanes walk its arrays. Changes nothing.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Analysis/CostModel.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PRINTANALYSISPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static void printCost(raw_ostream &os, const LaunchCost &cost) {
  for (const ArrayCost &array : cost.getArrays()) {
    os << "  " << array.name << ":";
    const char *separator = " ";
    auto print = [&](StringRef verb, const Count &once, const Count &all) {
      if (all.isZero())
        return;
      os << separator << verb << ' ' << once.str() << " of "
         << array.elementBytes << " bytes";
      if (std::optional<int64_t> times = all.divide(once); times && *times != 1)
        os << ", " << *times << " times";
      else if (!times)
        os << ", " << all.str() << " in all";
      separator = "; ";
    };
    print("reads", array.read, array.loads);
    print("writes", array.written, array.stores);
    os << '\n';
  }
  os << "  bytes: " << cost.getBytesRead().str() << " read, "
     << cost.getBytesWritten().str() << " written\n"
     << "  work: " << cost.getWork().str() << ", special functions "
     << cost.getSpecialFunctions().str() << '\n'
     << "  registers: " << cost.getRegisters() << '\n';
}

static void printAccess(raw_ostream &os, const LaneAccess &access,
                        const LaunchCost &cost) {
  os << "  "
     << (access.access.isUpdate() ? "update"
         : access.access.writes   ? "store"
                                  : "load");
  if (FileLineColLoc place = findPlace(access.access.op->getLoc()))
    os << " at line " << place.getLine();
  const auto *array =
      llvm::find_if(cost.getArrays(), [&](const ArrayCost &candidate) {
        return candidate.argument == access.access.array;
      });
  os << " of " << array->name << ": " << getName(access.kind);
  if (access.kind == LaneAccess::Strided && access.stride)
    os << ", " << *access.stride << " apart";
  else if (access.kind == LaneAccess::Strided)
    os << ", a row apart";
  else if (access.stride && *access.stride < 0)
    os << ", backwards";
  if (access.vector > 1)
    os << ", " << access.vector << " at once"
       << (access.isAligned ? ", aligned" : ", alignment not known");
  os << ", " << access.sectors << " sectors of " << access.fewestSectors
     << '\n';
}

namespace {
struct PrintAnalysisPass
    : public kernel::impl::PrintAnalysisPassBase<PrintAnalysisPass> {
  void runOnOperation() override {
    std::string text;
    llvm::raw_string_ostream os(text);
    getOperation().walk([&](LaunchOp launch) {
      os << "launch @" << launch.getKernelName() << '\n';
      LaunchCost cost(launch);
      printCost(os, cost);
      Coalescing coalescing(launch);
      for (const LaneAccess &access : coalescing.getAccesses())
        printAccess(os, access, cost);
    });
    llvm::errs() << text;
    markAllAnalysesPreserved();
  }
};
} // namespace
