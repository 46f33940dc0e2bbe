//===- AnalyzeHtml.h - A report as a page -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_ANALYZEHTML_H
#define ARRC_TOOLS_ARRC_ANALYZEHTML_H

#include "Findings.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace arrc::tool {

/// What the compiler makes of a program on the way to kernels.
struct LevelText {
  std::string name, text;
};

/// What a page is about.
struct ReportPage {
  std::string program, device;
  std::map<std::string, int64_t> sizes;
  kernel::Roof roof;
  std::vector<LevelText> levels;
};

/// One file that needs no other, nor a network: the program with notes in its
/// margin, kernels, their roofline, what a warp asks of memory, and the text of
/// each level.
void printHTML(llvm::raw_ostream &os, const ProgramReport &report,
               const ReportPage &page);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_ANALYZEHTML_H
