//===- PlannedSchedules.cpp - The schedules of a program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// They are read where they are chosen: passes behind that rewrite launches, and
// schedules with them.
//
//===----------------------------------------------------------------------===//

#include "PlannedSchedules.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
/// Notes the schedules behind each pass that chooses some.
class PlanWatch : public mlir::PassInstrumentation {
public:
  explicit PlanWatch(std::vector<PlannedSchedule> &found) : found(found) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!is_contained(
            {"kernel-plan-schedules", "arrc-set-schedules", "arrc-transform"},
            pass->getArgument()))
      return;
    op->walk([&](kernel::LaunchOp launch) {
      std::string name = launch.getKernelName().str();
      if (mlir::Attribute schedule = launch.getScheduleAttr())
        note(name, schedule);
      if (mlir::ArrayAttr versions = launch.getVersionsAttr())
        for (auto [k, version] :
             enumerate(versions.getAsRange<kernel::VersionAttr>()))
          note(name + "#" + std::to_string(k + 1), version.getSchedule());
    });
  }

private:
  void note(const std::string &name, mlir::Attribute schedule) {
    std::string text;
    raw_string_ostream(text) << schedule;
    auto known = find_if(found, [&](auto &each) { return each.name == name; });
    if (known != found.end())
      known->text = std::move(text);
    else
      found.push_back({name, std::move(text)});
  }
  std::vector<PlannedSchedule> &found;
};
} // namespace

int arrc::tool::findSchedules(Compiler &compiler,
                              std::vector<PlannedSchedule> &found) {
  compiler.watch([&](mlir::PassManager &pm) {
    pm.addInstrumentation(std::make_unique<PlanWatch>(found));
  });
  return compiler.lowerTo(Level::Scheduled);
}
