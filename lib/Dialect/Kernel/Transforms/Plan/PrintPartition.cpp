//===- PrintPartition.cpp - What parts of launches touch, in words --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints the answers of Analysis/LaunchPartition.h. Changes nothing.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"
#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PRINTPARTITIONPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// An expression with `lo`, `hi` and the names of arguments.
static std::string getText(AffineExpr expr, LaunchOp launch) {
  std::string text, result;
  llvm::raw_string_ostream(text) << expr;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isName = (text[i] == 'd' || text[i] == 's') && i + 1 < text.size() &&
                  llvm::isDigit(text[i + 1]) &&
                  (i == 0 || !llvm::isAlpha(text[i - 1]));
    if (!isName) {
      result += text[i];
      continue;
    }
    bool isSymbol = text[i] == 's';
    size_t end = i + 1;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    unsigned number = std::stoul(text.substr(i + 1, end - i - 1));
    i = end - 1;
    if (!isSymbol) {
      result += number == 0 ? "lo" : "hi";
      continue;
    }
    StringRef name = launch.getArgName(number);
    result += name.empty() ? "arg" + std::to_string(number) : name.str();
  }
  return result;
}

static std::string getText(ArrayRef<Bound> bounds, StringRef choose,
                           LaunchOp launch) {
  SmallVector<std::string> texts;
  for (const Bound &bound : bounds)
    texts.push_back(getText(bound.get(), launch));
  if (texts.empty())
    return "..";
  if (texts.size() == 1)
    return texts.front();
  return (choose + "(" + llvm::join(texts, ", ") + ")").str();
}

static void printBoxes(raw_ostream &os, ArrayRef<AccessBox> boxes,
                       LaunchOp launch) {
  static constexpr StringLiteral verbs[] = {"reads", "writes", "touches",
                                            "updates"};
  for (const AccessBox &box : boxes) {
    os << "    " << verbs[static_cast<int>(box.kind)] << ' '
       << getArrayName(launch.getArgument(box.argument));
    StringRef separator = ": ";
    for (const Interval &interval : box.dims) {
      os << separator << '[';
      if (interval.starts) {
        std::string row = getArrayName(launch.getArgument(*interval.starts));
        os << row << "[lo], " << row << "[hi])";
      } else {
        os << getText(interval.lowers, "max", launch) << ", "
           << getText(interval.uppers, "min", launch) << ')';
      }
      if (interval.edge != EdgeMode::None)
        os << ' ' << stringifyEnum(interval.edge);
      separator = " x ";
    }
    os << '\n';
  }
}

namespace {
struct PrintPartitionPass
    : public kernel::impl::PrintPartitionPassBase<PrintPartitionPass> {
  void runOnOperation() override {
    std::string text;
    llvm::raw_string_ostream os(text);
    getOperation().walk([&](LaunchOp launch) {
      os << "launch @" << launch.getKernelName() << '\n';
      LaunchPartition partition = LaunchPartition::plan(launch);
      std::string reason;
      SmallVector<ForOp> loops = getCutLoops(launch, reason);
      if (partition.cuts.empty())
        os << "  one device: " << partition.reason << '\n';
      for (const LaunchPartition::Cut &cut : partition.cuts) {
        os << "  cut \"" << loops[cut.loop].getDim() << "\"\n";
        printBoxes(os, cut.boxes, launch);
      }
      os << "  whole\n";
      printBoxes(os, partition.whole, launch);
    });
    llvm::errs() << text;
    markAllAnalysesPreserved();
  }
};
} // namespace
