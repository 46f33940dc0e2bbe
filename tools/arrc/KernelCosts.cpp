//===- KernelCosts.cpp - What each kernel must read and write -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a kernel must move is read off where its loops are those of the program,
// on buffers and before schedules cut them. Kernels that only scheduling makes
// are read as they are. On devices a kernel is known by its name, which that of
// its image begins with; on the CPU it is code among other code, and calls of
// arrt_mark are put around it.
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

SizeExpression::Parameters arrc::tool::parametersOf(const arrt_entry &entry,
                                                    void *const *args) {
  return [&entry, args](unsigned number,
                        int64_t dim) -> std::optional<int64_t> {
    if (number >= unsigned(entry.num_params))
      return std::nullopt;
    const arrt_param &param = entry.params[number];
    if (dim >= 0)
      return dim < param.rank
                 ? std::optional<int64_t>(arrt_array_size(
                       *static_cast<arrt_array *const *>(args[number]), dim))
                 : std::nullopt;
    if (param.rank || param.element != ARRT_I64)
      return std::nullopt;
    return *static_cast<const int64_t *>(args[number]);
  };
}

std::optional<double>
KernelCost::evaluate(const Count &count,
                     const SizeExpression::Parameters &parameters,
                     const arrt_event &event) const {
  return count.evaluate([&](StringRef size) -> std::optional<int64_t> {
    auto it = sizes.find(size.str());
    if (it == sizes.end())
      return std::nullopt;
    std::optional<int64_t> known = it->second.evaluate(parameters);
    if (!known && size == grid && event.block[0])
      return event.grid[0] * event.grid[1] * event.grid[2];
    return known;
  });
}

/// The argument of `launch` that says how many blocks it has, if its only loop
/// at block is as long as one.
static mlir::BlockArgument findGrid(kernel::LaunchOp launch) {
  mlir::BlockArgument grid;
  unsigned loops = 0;
  launch.getBody().walk([&](kernel::ForOp loop) {
    if (loop.getLevelKind() != kernel::LevelKind::Block)
      return;
    ++loops;
    grid = dyn_cast_if_present<mlir::BlockArgument>(loop.getExtent());
  });
  return loops == 1 && grid && grid.getOwner() == launch.getBodyBlock()
             ? grid
             : mlir::BlockArgument();
}

static KernelCost costOf(kernel::LaunchOp launch) {
  KernelCost kernel;
  kernel.name = launch.getKernelName().str();
  if (mlir::FileLineColLoc place = findPlace(launch.getLoc()))
    kernel.place = (place.getFilename().getValue() + ":" +
                    Twine(place.getLine()) + ":" + Twine(place.getColumn()))
                       .str();
  for (mlir::BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (argument.getType().isIndex())
      kernel.sizes.emplace(getSizeName(launch, argument),
                           SizeExpression(launch.getOperandOf(argument).get()));
  if (mlir::BlockArgument grid = findGrid(launch))
    kernel.grid = getSizeName(launch, grid);
  LaunchCost cost(launch);
  kernel.read = cost.getBytesRead();
  kernel.written = cost.getBytesWritten();
  kernel.work = cost.getWork();
  kernel.registers = cost.getRegisters();
  return kernel;
}

void KernelCosts::add(mlir::ModuleOp module) {
  module.walk([&](kernel::LaunchOp launch) {
    std::string name = launch.getKernelName().str();
    if (byName.emplace(name, kernels.size()).second)
      kernels.push_back(costOf(launch));
  });
}

/// Has the kernels of a module for the CPU tell when they run.
static void mark(mlir::ModuleOp module,
                 function_ref<void(StringRef name)> number) {
  SmallVector<kernel::LaunchOp> launches;
  module.walk([&](kernel::LaunchOp launch) { launches.push_back(launch); });
  if (launches.empty())
    return;
  auto b = mlir::OpBuilder::atBlockEnd(module.getBody());
  mlir::Location loc = module.getLoc();
  auto tell = mlir::func::FuncOp::create(
      b, loc, "arrc_mark", b.getFunctionType({b.getI32Type()}, {}));
  tell.setPrivate();
  for (auto [k, launch] : enumerate(launches)) {
    number(launch.getKernelName());
    mlir::OpBuilder place(launch);
    auto call = [&](int32_t value) {
      mlir::Value is = mlir::arith::ConstantOp::create(
          place, launch.getLoc(), place.getI32IntegerAttr(value));
      mlir::func::CallOp::create(place, launch.getLoc(), tell, is);
    };
    call(int32_t(k));
    place.setInsertionPointAfter(launch);
    call(-1);
  }
}

int KernelCosts::collect(Compiler &compiler) {
  for (Level level : {Level::Buffers, Level::Scheduled}) {
    Stage wanted = level == Level::Buffers ? Stage::Buffers : Stage::Scheduled;
    if (getStage(compiler.module()) > wanted || !compiler.reaches(level))
      continue;
    if (int code = compiler.lowerTo(level))
      return code;
    add(compiler.module());
  }
  if (compiler.getTarget().isDevice())
    if (auto device = kernel::DeviceAttr::get(compiler.module()))
      roof = kernel::getRoof(device);
  if (!compiler.getTarget().isDevice() &&
      getStage(compiler.module()) <= Stage::Scheduled &&
      compiler.reaches(Level::Scheduled))
    mark(compiler.module(),
         [&](StringRef name) { marked.push_back(byName.at(name.str())); });
  return Done;
}

const KernelCost *KernelCosts::find(const arrt_event &event) const {
  if (event.number >= 0)
    return size_t(event.number) < marked.size()
               ? &kernels[marked[size_t(event.number)]]
               : nullptr;
  if (!event.name)
    return nullptr;
  const KernelCost *found = nullptr;
  StringRef name = event.name;
  for (const KernelCost &kernel : kernels)
    if (name.starts_with(kernel.name) &&
        (name.size() == kernel.name.size() ||
         name[kernel.name.size()] == '_') &&
        (!found || found->name.size() < kernel.name.size()))
      found = &kernel;
  return found;
}
