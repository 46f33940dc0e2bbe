//===- SetSchedules.cpp - Schedules from a file ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Stands behind the planner and puts schedules that a person or a tuner wrote
// in the place of those that it chose, a line each:
//
//   heat_8#2: #kernel.schedule<i = [block.0, thread.y 8], j = [..], ..>
//
// Only the schedule of a version is replaced; the condition under which it runs
// stays, so that a program is right for all sizes whatever it was tuned for.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Pipelines/Pipelines.h"
#include "arrc/Support/SourceFile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"

namespace arrc {
#define GEN_PASS_DEF_SETSCHEDULESPASS
#include "arrc/Pipelines/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
/// A line of the file.
struct Choice {
  std::string kernel;
  unsigned version = 0; ///< from 1; 0: the launch has one schedule
  kernel::ScheduleAttr schedule;
  Location place;
};
} // namespace

/// Reads a line; nothing, with an error at its place, if it is none.
static std::optional<Choice> readChoice(StringRef row, FileLineColLoc place) {
  auto fail = [&](const Twine &text) {
    emitError(place) << text;
    return std::nullopt;
  };
  auto [name, text] = row.split(':');
  Choice choice{name.trim().str(), 0, {}, place};
  if (auto [kernel, number] = name.trim().split('#'); !number.empty()) {
    choice.kernel = kernel.str();
    if (number.getAsInteger(10, choice.version) || choice.version == 0)
      return fail("'" + number + "' is no number of a version");
  }
  // What is wrong is said here, with the place in the file.
  Attribute read;
  {
    ScopedDiagnosticHandler silent(place.getContext(),
                                   [](Diagnostic &) { return success(); });
    read = parseAttribute(text.trim(), place.getContext());
  }
  choice.schedule = dyn_cast_if_present<kernel::ScheduleAttr>(read);
  if (choice.kernel.empty() || !choice.schedule)
    return fail("this is no 'KERNEL: #kernel.schedule<..>'");
  return choice;
}

/// Gives a launch the schedule of a line.
static LogicalResult apply(kernel::LaunchOp launch, const Choice &choice) {
  if (choice.version == 0) {
    launch.removeVersionsAttr();
    launch.setScheduleAttr(choice.schedule);
    return success();
  }
  ArrayAttr versions = launch.getVersionsAttr();
  size_t count = versions ? versions.size() : 0;
  if (choice.version > count)
    return emitError(choice.place)
           << "kernel '" << choice.kernel << "' has " << count << " versions";
  SmallVector<Attribute> changed(versions.begin(), versions.end());
  auto version = cast<kernel::VersionAttr>(changed[choice.version - 1]);
  changed[choice.version - 1] = kernel::VersionAttr::get(
      launch.getContext(), version.getWhen(), choice.schedule);
  launch.setVersionsAttr(ArrayAttr::get(launch.getContext(), changed));
  return success();
}

namespace {
struct SetSchedulesPass : arrc::impl::SetSchedulesPassBase<SetSchedulesPass> {
  using SetSchedulesPassBase::SetSchedulesPassBase;

  void runOnOperation() override {
    auto text = readSourceFile(file);
    if (!text) {
      getOperation().emitError() << "cannot read the schedules '" << file
                                 << "': " << text.getError().message();
      return signalPassFailure();
    }
    auto module = getOperation()->getParentOfType<ModuleOp>();
    unsigned line = 0;
    for (StringRef row : llvm::split((*text)->getBuffer(), '\n')) {
      ++line;
      // Schedules of another target are of no use.
      StringRef about = row;
      if (about.consume_front("// for ") && module &&
          about.split(' ').first != getTargetName(module))
        return;
      if (row.trim().empty() || row.trim().starts_with("//"))
        continue;
      auto place = FileLineColLoc::get(&getContext(), file, line, 1);
      std::optional<Choice> choice = readChoice(row, place);
      if (!choice)
        return signalPassFailure();
      WalkResult done = getOperation().walk([&](kernel::LaunchOp launch) {
        return launch.getKernelName() == choice->kernel &&
                       failed(apply(launch, *choice))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (done.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
