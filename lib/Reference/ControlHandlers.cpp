//===- ControlHandlers.cpp - calls, branches and loops of the evaluator ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A branch whose condition rounding may turn is taken both ways: what the two
// sides give is how far a target may be away. A loop that may end elsewhere
// leaves results that cannot be compared.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc::reference;

/// Gives an operation its results.
static LogicalResult setResults(Interpreter &interp, Operation *op,
                                llvm::ArrayRef<Cell> values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    interp.set(result, value);
  return success();
}

static LogicalResult callFunction(Interpreter &interp, Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, call.getCalleeAttr());
  if (!callee)
    return interp.fail(op->getLoc(), "unsupported",
                       "there is no function '" + call.getCallee() + "'");
  llvm::SmallVector<Cell> results;
  if (failed(interp.call(callee, interp.cellsOf(call.getOperands()), results,
                         nullptr)))
    return failure();
  return setResults(interp, op, results);
}

/// Runs one side of a branch; a missing one gives nothing.
static LogicalResult runRegion(Interpreter &interp, Region &region,
                               llvm::SmallVectorImpl<Cell> &results) {
  results.clear();
  if (region.empty())
    return success();
  return interp.evaluateBlock(region.front(), {}, results);
}

/// Takes the other side of an uncertain branch, too, and widens `results`.
static void widenBranch(Interpreter &interp, Operation *op, Region &other,
                        llvm::SmallVectorImpl<Cell> &results) {
  llvm::SmallVector<Cell> others;
  bool failed = mlir::failed(runRegion(interp, other, others));
  // An error over there is not one here, but then nothing is known.
  if (failed)
    interp.failure.reset();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    if (failed) {
      results[i].number.dev = unbounded;
      continue;
    }
    results[i] = interp.widen(op->getLoc(), type, results[i], others[i]);
  }
}

static LogicalResult runIf(Interpreter &interp, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  Scalar condition = interp.number(branch.getCondition());
  Region &taken = condition.i ? branch.getThenRegion() : branch.getElseRegion();
  Region &other = condition.i ? branch.getElseRegion() : branch.getThenRegion();
  llvm::SmallVector<Cell> results;
  if (failed(runRegion(interp, taken, results)))
    return failure();
  if (condition.dev > 0 && op->getNumResults()) {
    widenBranch(interp, op, other, results);
    if (interp.failure)
      return failure();
  }
  return setResults(interp, op, results);
}

static LogicalResult runFor(Interpreter &interp, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  int64_t lower = interp.integer(loop.getLowerBound());
  int64_t upper = interp.integer(loop.getUpperBound());
  int64_t stride = interp.integer(loop.getStep());
  if (stride <= 0)
    return interp.fail(op->getLoc(), "size",
                       "the step of a loop is " + std::to_string(stride));
  llvm::SmallVector<Cell> carried = interp.cellsOf(loop.getInitArgs());
  for (int64_t i = lower; i < upper; i += stride) {
    llvm::SmallVector<Cell> arguments = {Scalar::integer(i)};
    arguments.append(carried);
    if (failed(interp.evaluateBlock(*loop.getBody(), arguments, carried)))
      return failure();
    if (upper - i <= stride)
      break;
  }
  return setResults(interp, op, carried);
}

/// A value that cannot be compared any more.
static Cell forget(Interpreter &interp, Location loc, Type type,
                   const Cell &cell) {
  if (!cell.array) {
    Cell result = cell;
    result.number.dev = unbounded;
    return result;
  }
  auto tensor = interp.densify(loc, cell.array);
  auto result = tensor ? interp.allocate(loc, type, tensor->shape()) : nullptr;
  if (!result)
    return cell;
  for (int64_t k = 0; k < tensor->size(); ++k) {
    Scalar s = tensor->get(k);
    s.dev = unbounded;
    result->set(k, s);
  }
  return interp.finish(std::move(result));
}

static LogicalResult runWhile(Interpreter &interp, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  llvm::SmallVector<Cell> carried = interp.cellsOf(loop.getInits());
  bool uncertain = false;
  while (true) {
    llvm::SmallVector<Cell> passed;
    if (failed(interp.evaluateBlock(*loop.getBeforeBody(), carried, passed)))
      return failure();
    Scalar condition = passed.front().number;
    passed.erase(passed.begin());
    uncertain |= condition.dev > 0;
    if (!condition.i) {
      if (uncertain)
        for (auto [cell, type] : llvm::zip(passed, op->getResultTypes()))
          cell = forget(interp, op->getLoc(), type, cell);
      if (interp.failure)
        return failure();
      return setResults(interp, op, passed);
    }
    if (failed(interp.evaluateBlock(*loop.getAfterBody(), passed, carried)))
      return failure();
  }
}

static LogicalResult runSwitch(Interpreter &interp, Operation *op) {
  auto select = cast<scf::IndexSwitchOp>(op);
  int64_t value = interp.integer(select.getArg());
  Region *taken = &select.getDefaultRegion();
  for (auto [i, c] : llvm::enumerate(select.getCases()))
    if (c == value)
      taken = &select.getCaseRegions()[i];
  llvm::SmallVector<Cell> results;
  if (failed(runRegion(interp, *taken, results)))
    return failure();
  return setResults(interp, op, results);
}

/// Splits the operands of an affine map.
static LogicalResult runAffineMap(Interpreter &interp, Operation *op,
                                  AffineMap map, bool takeLargest) {
  llvm::SmallVector<int64_t> values = interp.integers(op->getOperands());
  llvm::ArrayRef<int64_t> dims =
      llvm::ArrayRef(values).take_front(map.getNumDims());
  llvm::ArrayRef<int64_t> symbols =
      llvm::ArrayRef(values).drop_front(map.getNumDims());
  std::optional<int64_t> best;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> v = evaluateAffine(expr, dims, symbols);
    if (!v)
      return interp.fail(op->getLoc(), "divide", "an index is divided by zero");
    if (!best || (takeLargest ? *v > *best : *v < *best))
      best = v;
  }
  bool certain = llvm::all_of(
      op->getOperands(), [&](Value v) { return interp.number(v).dev == 0; });
  interp.set(op->getResult(0), interp.makeDecision(op, *best, certain));
  return success();
}

void arrc::reference::addControlHandlers(HandlerTable &table) {
  table.add<func::CallOp>(callFunction);
  table.add<scf::IfOp>(runIf);
  table.add<scf::ForOp>(runFor);
  table.add<scf::WhileOp>(runWhile);
  table.add<scf::IndexSwitchOp>(runSwitch);
  table.add<affine::AffineApplyOp>([](Interpreter &interp, Operation *op) {
    return runAffineMap(interp, op, cast<affine::AffineApplyOp>(op).getMap(),
                        true);
  });
  table.add<affine::AffineMinOp>([](Interpreter &interp, Operation *op) {
    return runAffineMap(interp, op, cast<affine::AffineMinOp>(op).getMap(),
                        false);
  });
  table.add<affine::AffineMaxOp>([](Interpreter &interp, Operation *op) {
    return runAffineMap(interp, op, cast<affine::AffineMaxOp>(op).getMap(),
                        true);
  });
}
