//===- LoadSteps.cpp - Kernels know the number of the step ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A loop whose launches are given the number of the step, or what is computed
// of it, starts something else in each step, so that the host must start it
// all: launches of small kernels take longer than the kernels. The number is
// kept in memory of the device, in two places that take turns; a kernel that
// wants it reads one of them, and each of its blocks that is the first of a
// launch writes the number of the next step into the other:
//
//   scf.while (%k = %c0, ..) { .. } do { ..
//     %v = sitofp %k     gpu.launch_func @f args(%x, %v, %k) ..
//     scf.yield %k + 1, .. }
//   =>
//   scf.while (%k = %c0, .., %cur = %a, %next = %b) { .. } do { ..
//     gpu.launch_func @f args(%x, %cur, %next) ..
//     scf.yield %k + 1, .., %next, %cur }
//   // in @f: %k = load %cur; %v = sitofp %k; if the first thread: store %k + 1
//
// Legal when the number is asked for nothing but arguments of launches that
// scalar operations make of it, and when each step has the same launches: no
// grid and no branch depends on the number. Then a kernel that reads it has, in
// the step before, written it, or is started in no step. Several kernels of a
// step write the same. Pays when nothing else keeps the host in the loop. In
// another loop the host writes the first number again and again: that pays
// unless the steps are known to be few.
//
//===----------------------------------------------------------------------===//

#include "TimeLoops.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

namespace arrc {
#define GEN_PASS_DEF_LOADSTEPSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

static constexpr StringLiteral argsAttrName = "arrc.args";

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

namespace {
/// A loop of the host, and what its steps make of their number.
class CountedLoop {
public:
  explicit CountedLoop(scf::WhileOp op) : op(op) {}

  /// Whether launches can load the number, and some want it.
  bool analyze();

  scf::WhileOp op;
  /// The number of the step in the body.
  BlockArgument number;
  /// What is made of it in the body, in order.
  llvm::SetVector<Operation *> work;
  /// The launches that want it.
  SmallVector<gpu::LaunchFuncOp> launches;

  bool isOfStep(Value value) const {
    return value == number ||
           (value.getDefiningOp() && work.contains(value.getDefiningOp()));
  }
};
} // namespace

BlockArgument arrc::findStepNumber(scf::WhileOp loop) {
  if (!llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
    return {};
  for (auto [argument, next] :
       llvm::zip(loop.getAfterArguments(), loop.getYieldOp().getOperands())) {
    auto sum = next.getDefiningOp<arith::AddIOp>();
    if (argument.getType().isIndex() && sum && sum.getLhs() == argument &&
        matchPattern(sum.getRhs(), m_One()))
      return argument;
  }
  return {};
}

static bool isNumber(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether a kernel can do what the host does: scalar operations on numbers.
static bool isScalarWork(Operation *op) {
  return op->getNumResults() == 1 && !op->getNumRegions() &&
         isMemoryEffectFree(op) &&
         isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         isNumber(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperandTypes(), isNumber);
}

bool CountedLoop::analyze() {
  number = findStepNumber(op);
  if (!number)
    return false;
  WalkResult walked = op.getAfter().walk([&](Operation *inner) {
    if (!isPartOfStep(inner))
      return WalkResult::interrupt();
    bool depends = llvm::any_of(inner->getOperands(),
                                [&](Value value) { return isOfStep(value); });
    if (!depends)
      return WalkResult::advance();
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(inner)) {
      // Whether and how it starts must be the same in all steps.
      unsigned wanted =
          llvm::count_if(launch.getKernelOperands(),
                         [&](Value value) { return isOfStep(value); });
      unsigned all = llvm::count_if(
          launch->getOperands(), [&](Value value) { return isOfStep(value); });
      if (wanted != all)
        return WalkResult::interrupt();
      launches.push_back(launch);
      return WalkResult::advance();
    }
    if (inner == op.getYieldOp())
      return WalkResult::advance();
    if (!isScalarWork(inner))
      return WalkResult::interrupt();
    work.insert(inner);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted() || launches.empty())
    return false;
  // What is handed on may not be of the step, but for the next number.
  for (auto [k, value] : llvm::enumerate(op.getYieldOp().getOperands()))
    if (k != number.getArgNumber() && isOfStep(value))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Gives one launch the number in memory.
class StepLoader {
public:
  StepLoader(const CountedLoop &loop, gpu::LaunchFuncOp launch,
             gpu::GPUFuncOp kernel)
      : loop(loop), launch(launch), kernel(kernel), loc(launch.getLoc()),
        b(OpBuilder::atBlockBegin(&kernel.getBody().front())) {}

  void run(Value current, Value next) {
    letters = cast<StringAttr>(kernel->getAttr(argsAttrName)).str();
    operands = llvm::to_vector(launch.getKernelOperands());
    BlockArgument from = add(current, 'p'), to = add(next, 'p');
    auto setUnit = [&](BlockArgument argument, StringRef name) {
      kernel.setArgAttr(argument.getArgNumber(), name, b.getUnitAttr());
    };
    for (BlockArgument argument : {from, to})
      setUnit(argument, LLVM::LLVMDialect::getNoAliasAttrName());
    setUnit(from, LLVM::LLVMDialect::getReadonlyAttrName());
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value step = memref::LoadOp::create(b, loc, from, zero);
    inside.map(loop.number, step);
    llvm::BitVector dead(kernel.getNumArguments());
    for (auto [i, value] : llvm::enumerate(launch.getKernelOperands()))
      if (loop.isOfStep(value)) {
        Value made = compute(value);
        BlockArgument argument = kernel.getArgument(i);
        if (argument.getType().isIndex())
          made = arith::IndexCastOp::create(b, loc, argument.getType(), made);
        argument.replaceAllUsesWith(made);
        dead.resize(kernel.getNumArguments());
        dead.set(i);
      }
    storeNext(step, to, zero);
    dead.resize(kernel.getNumArguments());
    (void)kernel.eraseArguments(dead);
    std::string left;
    SmallVector<Value> kept;
    for (auto [i, value] : llvm::enumerate(operands))
      if (!dead.test(i)) {
        left += letters[i];
        kept.push_back(value);
      }
    kernel->setAttr(argsAttrName, b.getStringAttr(left));
    launch.getKernelOperandsMutable().assign(kept);
  }

private:
  BlockArgument add(Value operand, char letter) {
    unsigned at = kernel.getNumArguments();
    (void)kernel.insertArgument(at, operand.getType(), {}, loc);
    operands.push_back(operand);
    letters += letter;
    return kernel.getArgument(at);
  }

  /// The first thread of the grid writes the number of the next step: at the
  /// end, where the number that it waits for has come.
  void storeNext(Value step, Value to, Value zero) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(kernel.getBody().back().getTerminator());
    Value first;
    auto also = [&](Value id) {
      Value is =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, id, zero);
      first = first ? arith::AndIOp::create(b, loc, first, is).getResult() : is;
    };
    for (gpu::Dimension dim :
         {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
      also(gpu::ThreadIdOp::create(b, loc, dim));
      also(gpu::BlockIdOp::create(b, loc, dim));
    }
    auto branch = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
    OpBuilder in = branch.getThenBodyBuilder();
    Value one = arith::ConstantOp::create(in, loc, in.getI64IntegerAttr(1));
    Value next = arith::AddIOp::create(in, loc, step, one);
    memref::StoreOp::create(in, loc, next, to, zero);
  }

  /// The value in the kernel. Indices are as wide as on the host, whatever
  /// those of the kernel are.
  Value compute(Value value) {
    if (Value known = inside.lookupOrNull(value))
      return known;
    Value made;
    Operation *op = value.getDefiningOp();
    APInt number;
    if (value.getType().isIndex() &&
        matchPattern(value, m_ConstantInt(&number))) {
      made = arith::ConstantOp::create(
          b, loc, b.getI64IntegerAttr(number.getSExtValue()));
    } else if (op && op->hasTrait<OpTrait::ConstantLike>()) {
      made = b.clone(*op)->getResult(0);
    } else if (!loop.isOfStep(value)) {
      made = bring(value);
    } else {
      for (Value operand : op->getOperands())
        compute(operand);
      made = repeat(op);
    }
    inside.map(value, made);
    return made;
  }

  /// A number that all steps share, as an argument.
  Value bring(Value value) {
    Type type = value.getType();
    OpBuilder host(launch);
    if (type.isIndex())
      value = arith::IndexCastOp::create(host, loc, b.getI64Type(), value);
    else if (type.isInteger(1))
      value = arith::ExtUIOp::create(host, loc, b.getI8Type(), value);
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    Value made = add(value, static_cast<char>('0' + bits / 8));
    if (type.isInteger(1))
      made = arith::TruncIOp::create(b, loc, type, made);
    return made;
  }

  Value repeat(Operation *op) {
    Type i64 = b.getI64Type();
    auto narrow = [&](Type type) { return type.isIndex() ? i64 : type; };
    Type type = narrow(op->getResult(0).getType());
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
      Value from = inside.lookup(op->getOperand(0));
      unsigned have = from.getType().getIntOrFloatBitWidth();
      unsigned want = type.getIntOrFloatBitWidth();
      if (have == want)
        return from;
      if (have > want)
        return arith::TruncIOp::create(b, loc, type, from);
      if (isa<arith::IndexCastUIOp>(op))
        return arith::ExtUIOp::create(b, loc, type, from);
      return arith::ExtSIOp::create(b, loc, type, from);
    }
    Operation *copy = b.clone(*op, inside);
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }

  const CountedLoop &loop;
  gpu::LaunchFuncOp launch;
  gpu::GPUFuncOp kernel;
  Location loc;
  OpBuilder b;
  std::string letters;
  SmallVector<Value> operands;
  IRMapping inside;
};
} // namespace

/// Carries two places for the number; those of a step.
static std::pair<Value, Value> carryPlaces(CountedLoop &loop) {
  scf::WhileOp op = loop.op;
  Location loc = op.getLoc();
  // One pair does for all runs of the loop.
  Operation *outermost = op;
  while (auto around = outermost->getParentOfType<LoopLikeOpInterface>())
    outermost = around;
  OpBuilder b(outermost);
  auto type = MemRefType::get({}, b.getI64Type());
  SmallVector<Value> places;
  for (int place = 0; place < 2; ++place)
    places.push_back(memref::AllocOp::create(b, loc, type));
  b.setInsertionPointAfter(outermost);
  for (Value place : places)
    memref::DeallocOp::create(b, loc, place);
  b.setInsertionPoint(op);
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, places);
  Value first = arith::IndexCastOp::create(
      b, loc, b.getI64Type(), op.getInits()[loop.number.getArgNumber()]);
  memref::StoreOp::create(b, loc, first, inits[inits.size() - 2], ValueRange());
  auto made = scf::WhileOp::create(
      b, loc, llvm::to_vector(ValueRange(inits).getTypes()), inits);
  made->setAttrs(op->getAttrs());
  made.getBefore().takeBody(op.getBefore());
  made.getAfter().takeBody(op.getAfter());
  auto extend = [&](Block *block) {
    return std::pair<Value, Value>(block->addArgument(type, loc),
                                   block->addArgument(type, loc));
  };
  auto [asked, askedNext] = extend(made.getBeforeBody());
  made.getConditionOp().getArgsMutable().append({asked, askedNext});
  auto [current, next] = extend(made.getAfterBody());
  made.getYieldOp().getResultsMutable().append({next, current});
  op.replaceAllUsesWith(made.getResults().drop_back(2));
  op.erase();
  loop.op = made;
  return {current, next};
}

/// The runtime starts so many steps one by one before it records any: loops of
/// fewer gain nothing for the first number that is written.
static constexpr int64_t kManySteps = 32;

/// Whether a counted loop is known to have few steps.
static bool hasFewSteps(scf::WhileOp loop) {
  auto less =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  APInt most;
  return less && matchPattern(less.getRhs(), m_ConstantInt(&most)) &&
         most.slt(kManySteps);
}

/// The kernel of a launch, which no other launch starts.
static gpu::GPUFuncOp
getOwnKernel(ModuleOp module, gpu::LaunchFuncOp launch,
             DenseMap<SymbolRefAttr, unsigned> &launches) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      module, launch.getKernel());
  unsigned &count = launches[launch.getKernel()];
  if (count == 1)
    return kernel;
  --count;
  auto kernels = kernel->getParentOfType<gpu::GPUModuleOp>();
  gpu::GPUFuncOp copy = kernel.clone();
  SymbolTable(kernels).insert(copy);
  launch.setKernelAttr(SymbolRefAttr::get(
      kernels.getNameAttr(), {FlatSymbolRefAttr::get(copy.getNameAttr())}));
  return copy;
}

namespace {
struct LoadStepsPass : arrc::impl::LoadStepsPassBase<LoadStepsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto row = kernel::DeviceAttr::get(module);
    // Others start each step from the host in any case.
    if (!row || row.getName() != "cuda")
      return;
    // What a part of a kernel touches is told by its arguments.
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (kernels->hasAttr("arrc.parts"))
        return;
    SmallVector<scf::WhileOp> loops;
    DenseMap<SymbolRefAttr, unsigned> launches;
    module.walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::WhileOp>(op);
          loop &&
          (!loop->getParentOfType<LoopLikeOpInterface>() || !hasFewSteps(loop)))
        loops.push_back(loop);
      else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
        ++launches[launch.getKernel()];
    });
    for (scf::WhileOp op : loops) {
      CountedLoop loop(op);
      if (!loop.analyze())
        continue;
      auto [current, next] = carryPlaces(loop);
      for (gpu::LaunchFuncOp launch : loop.launches) {
        gpu::GPUFuncOp kernel = getOwnKernel(module, launch, launches);
        OpBuilder b(launch);
        auto space = gpu::AddressSpaceAttr::get(&getContext(),
                                                gpu::AddressSpace::Global);
        auto pointer = MemRefType::get({1}, b.getI64Type(), AffineMap(), space);
        auto cast = [&](Value place) {
          return UnrealizedConversionCastOp::create(b, launch.getLoc(), pointer,
                                                    place)
              .getResult(0);
        };
        StepLoader(loop, launch, kernel).run(cast(current), cast(next));
      }
      for (Operation *dead : llvm::reverse(loop.work))
        if (dead->use_empty())
          dead->erase();
    }
  }
};
} // namespace
