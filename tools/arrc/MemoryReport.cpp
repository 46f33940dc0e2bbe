//===- MemoryReport.cpp - arrc run --memory -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MemoryReport.h"
#include "KernelCosts.h"

#include "arrc/Analysis/SourceNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

void MemoryReport::keep(mlir::ModuleOp scheduled) {
  for (auto function : scheduled.getOps<mlir::func::FuncOp>())
    if (!function.isExternal())
      plans.emplace_back(function);
}

/// `12.5 MiB`.
static std::string sayBytes(int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double number = double(bytes);
  unsigned unit = 0;
  for (; number >= 1024 && unit < 4; ++unit)
    number /= 1024;
  return formatv(unit ? "{0:f1} {1}" : "{0:f0} {1}", number, units[unit]);
}

static std::string sayLines(const MemoryPlan &plan,
                            ArrayRef<unsigned> kernels) {
  std::string text;
  SmallVector<unsigned> lines;
  for (unsigned kernel : kernels)
    if (auto place = findPlace(plan.getKernel(kernel)))
      if (!is_contained(lines, place.getLine()))
        lines.push_back(place.getLine());
  for (unsigned line : lines)
    text += (text.empty() ? "" : ", ") + std::to_string(line);
  return (lines.size() > 1 ? "lines " : "line ") + text;
}

/// What is special about a buffer.
static std::string sayNotes(const MemoryPlan &plan,
                            const PlannedBuffer &buffer) {
  std::vector<std::string> notes;
  if (buffer.isParameter)
    notes.push_back("parameter");
  if (buffer.isResult)
    notes.push_back("result");
  if (!buffer.inPlace.empty())
    notes.push_back("in place at " + sayLines(plan, buffer.inPlace));
  if (!buffer.reusedBy.empty())
    notes.push_back("used again by " + sayLines(plan, buffer.reusedBy));
  if (buffer.isInLoop)
    notes.push_back("made in every step");
  return join(notes, ", ");
}

void MemoryReport::print(const arrt_context *ctx, const arrt_entry &entry,
                         void *const *args) const {
  auto plan = find_if(plans, [&](const MemoryPlan &candidate) {
    return candidate.getName() == entry.name;
  });
  if (plan == plans.end())
    return;
  SizeExpression::Parameters parameters = parametersOf(entry, args);

  raw_ostream &os = errs();
  unsigned width = 8;
  for (const PlannedBuffer &buffer : plan->getBuffers())
    width = std::max<unsigned>(width, buffer.name.size() + 2);
  os << "memory: " << plan->getName() << " has " << plan->getNumKernels()
     << (plan->getNumKernels() == 1 ? " kernel" : " kernels");
  if (unsigned copies = plan->getNumCopies())
    os << " and makes " << copies << (copies == 1 ? " copy" : " copies");
  os << "\nmemory: " << left_justify("buffer", width) << "elements      shape"
     << "                   bytes  kernels\n";
  int64_t numbers = 0, numberBytes = 0;
  for (const PlannedBuffer &buffer : plan->getBuffers()) {
    std::optional<int64_t> bytes = buffer.getBytes(parameters);
    if (buffer.shape.empty()) {
      ++numbers;
      numberBytes += *bytes;
      continue;
    }
    std::string kernels = "none";
    if (buffer.firstKernel)
      kernels = std::to_string(buffer.firstKernel);
    if (buffer.lastKernel != buffer.firstKernel)
      kernels += " to " + std::to_string(buffer.lastKernel);
    std::string shape = "[" + join(buffer.shape, ", ") + "]";
    std::string notes = sayNotes(*plan, buffer);
    os << "memory: " << left_justify(buffer.name, width)
       << left_justify(buffer.element, 14) << left_justify(shape, 16)
       << right_justify(bytes ? sayBytes(*bytes) : "at run time", 13) << "  ";
    if (notes.empty())
      os << kernels << '\n';
    else
      os << left_justify(kernels, 9) << notes << '\n';
  }
  if (numbers)
    os << "memory: " << numbers << (numbers == 1 ? " number, " : " numbers, ")
       << sayBytes(numberBytes) << '\n';
  auto round = [&](int64_t bytes) { return arrt_memory_rounded(ctx, bytes); };
  if (std::optional<int64_t> peak = plan->getPeak(parameters, round))
    os << "memory: peak " << sayBytes(*peak) << " planned, ";
  else
    os << "memory: peak not known before the run, ";
  os << sayBytes(arrt_memory_peak(ctx)) << " in the pool\n";
  os.flush();
}
