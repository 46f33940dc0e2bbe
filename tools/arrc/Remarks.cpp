//===- Remarks.cpp - What the optimizer says ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "Console.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Support/Printable.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Keeps each remark as a line of text.
class Remarks::Streamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(std::vector<Entry> &entries) : entries(entries) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    // What was done or not, then why not, then what to do about it.
    std::string what, why, advice;
    for (const auto &arg : remark.getArgs()) {
      if (arg.key == "Reason")
        why += arg.val;
      else if (arg.key == "Suggestion")
        advice += arg.val;
      else
        what += arg.val;
    }
    std::string text = what;
    if (!why.empty())
      text += (text.empty() ? "" : ": ") + why;
    if (!advice.empty())
      text += "; " + advice;
    text += (" [" + remark.getCategoryName() + "]").str();
    mlir::FileLineColLoc place = findPlace(remark.getLocation());
    if (place)
      entries.emplace_back(place.getFilename().str(), place.getLine(),
                           place.getColumn(), text);
    else
      entries.emplace_back("", 0, 0, text);
  }

private:
  std::vector<Entry> &entries;
};

void Remarks::listen(mlir::MLIRContext &context) {
  mlir::remark::RemarkCategories categories;
  categories.all = ".*";
  categories.passed = categories.missed = categories.failed =
      categories.analysis = ".*";
  (void)mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<Streamer>(entries),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories);
}

void Remarks::print() {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (auto &[file, line, column, text] : entries) {
    if (line)
      console() << printable(file) << ':' << line << ':' << column << ": ";
    console() << "remark: " << printable(text) << '\n';
  }
  entries.clear();
}
