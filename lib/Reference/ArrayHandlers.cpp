//===- ArrayHandlers.cpp - maps, reads, views and checks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::reference;

//===----------------------------------------------------------------------===//
// Index spaces
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallVector<int64_t>>
arrc::reference::extentsOf(Interpreter &interp,
                           llvm::ArrayRef<OpFoldResult> extents, Location loc) {
  llvm::SmallVector<int64_t> result;
  for (OpFoldResult e : extents) {
    result.push_back(isa<Value>(e) ? interp.integer(cast<Value>(e))
                                   : *getConstantIntValue(e));
    if (result.back() < 0) {
      (void)interp.fail(loc, "size",
                        "a range has the negative size " +
                            std::to_string(result.back()));
      return std::nullopt;
    }
  }
  return result;
}

LogicalResult arrc::reference::forEachPoint(
    Interpreter &interp, Operation *op,
    llvm::function_ref<LogicalResult(llvm::ArrayRef<int64_t>,
                                     llvm::ArrayRef<Cell>)>
        visit) {
  auto space = cast<array::IndexSpaceOpInterface>(op);
  auto extents = extentsOf(interp, space.getMixedExtents(), op->getLoc());
  if (!extents)
    return failure();
  llvm::SmallVector<Cell> indices, values;
  return interp.forEach(*extents, [&](llvm::ArrayRef<int64_t> index) {
    indices.clear();
    for (int64_t i : index)
      indices.push_back(Scalar::integer(i));
    if (failed(interp.evaluateBlock(*space.getBodyBlock(), indices, values)))
      return failure();
    return visit(index, values);
  });
}

/// A size that a body computes of numbers of outside alone; runs what that
/// takes.
static std::optional<int64_t> unseenSize(Interpreter &interp, Region *body,
                                         Value size) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return body->isAncestor(op->getParentRegion());
  };
  llvm::SetVector<Operation *> slice;
  if (!size.getDefiningOp() ? body->isAncestor(size.getParentRegion())
                            : failed(getBackwardSlice(size, &slice, options)))
    return std::nullopt;
  for (Operation *op : slice) {
    bool isKnown = !op->getNumRegions() && isPure(op) &&
                   llvm::all_of(op->getOperands(), [&](Value operand) {
                     return operand.getType().isIntOrIndex() &&
                            (operand.getDefiningOp() ||
                             !body->isAncestor(operand.getParentRegion()));
                   });
    if (!isKnown || failed(interp.run(op)))
      return std::nullopt;
  }
  return interp.integer(size);
}

llvm::SmallVector<int64_t>
arrc::reference::unseenShape(Interpreter &interp, Region *body, Value yielded) {
  llvm::SmallVector<int64_t> shape;
  auto type = dyn_cast<RankedTensorType>(yielded.getType());
  if (!type)
    return shape;
  if (!body->isAncestor(yielded.getParentRegion()))
    return llvm::to_vector(interp.cell(yielded).array->shape());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OpFoldResult size = array::getKnownSize(yielded, d);
    if (std::optional<int64_t> constant =
            size ? getConstantIntValue(size) : std::nullopt)
      shape.push_back(*constant);
    else
      shape.push_back(
          size ? unseenSize(interp, body, cast<Value>(size)).value_or(0) : 0);
  }
  return shape;
}

/// map and stencil.
static LogicalResult runMap(Interpreter &interp, Operation *op) {
  auto space = cast<array::IndexSpaceOpInterface>(op);
  auto extents = extentsOf(interp, space.getMixedExtents(), op->getLoc());
  if (!extents)
    return failure();
  unsigned count = op->getNumResults();
  llvm::SmallVector<std::shared_ptr<Tensor>> results(count);
  auto allocate = [&](unsigned r, llvm::ArrayRef<int64_t> inner) {
    llvm::SmallVector<int64_t> shape = *extents;
    llvm::append_range(shape, inner);
    results[r] =
        interp.allocate(op->getLoc(), op->getResult(r).getType(), shape);
    return results[r] != nullptr;
  };

  llvm::SmallVector<int64_t> next(count, 0);
  LogicalResult done = forEachPoint(
      interp, op,
      [&](llvm::ArrayRef<int64_t>,
          llvm::ArrayRef<Cell> values) -> LogicalResult {
        for (unsigned r = 0; r < count; ++r) {
          const Cell &value = values[r];
          if (!value.array) {
            if (!results[r] && !allocate(r, {}))
              return failure();
            results[r]->set(next[r]++, value.number);
            continue;
          }
          auto row = interp.densify(op->getLoc(), value.array);
          if (!row || (!results[r] && !allocate(r, row->shape())))
            return failure();
          if (row->shape() != results[r]->shape().drop_front(extents->size()))
            return interp.fail(op->getLoc(), "size",
                               "the rows of an array have different sizes");
          for (int64_t k = 0; k < row->size(); ++k)
            results[r]->set(next[r]++, row->get(k));
        }
        return success();
      });
  if (failed(done))
    return failure();
  for (unsigned r = 0; r < count; ++r) {
    if (!results[r] &&
        !allocate(r, unseenShape(interp, space.getBodyBlock()->getParent(),
                                 space.getYield().getValues()[r])))
      return failure();
    interp.set(op->getResult(r), interp.finish(std::move(results[r])));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// An array seen through an affine map.
class ViewSource : public Source {
public:
  ViewSource(Array base, llvm::ArrayRef<int64_t> shape, AffineMap map,
             llvm::ArrayRef<int64_t> symbols)
      : Source(base->element(), shape), base(std::move(base)), map(map),
        symbols(symbols.begin(), symbols.end()) {}

  std::optional<Scalar> read(llvm::ArrayRef<int64_t> index) const override {
    for (auto [i, n] : llvm::zip_equal(index, shape()))
      if (i < 0 || i >= n)
        return std::nullopt;
    llvm::SmallVector<int64_t> inner;
    for (AffineExpr expr : map.getResults()) {
      std::optional<int64_t> i = evaluateAffine(expr, index, symbols);
      if (!i)
        return std::nullopt;
      inner.push_back(*i);
    }
    return base->read(inner);
  }

private:
  Array base;
  AffineMap map;
  llvm::SmallVector<int64_t> symbols;
};

/// An array that may be read outside of its sizes.
class ExtendedSource : public Source {
public:
  ExtendedSource(Array base, llvm::ArrayRef<array::BoundaryMode> modes,
                 llvm::ArrayRef<Scalar> fills)
      : Source(base->element(), base->shape()), base(std::move(base)),
        modes(modes.begin(), modes.end()), fills(fills.begin(), fills.end()) {}

  std::optional<Scalar> read(llvm::ArrayRef<int64_t> index) const override {
    llvm::SmallVector<int64_t> inner(index.begin(), index.end());
    for (size_t d = 0; d < inner.size(); ++d) {
      int64_t n = shape()[d];
      if (inner[d] >= 0 && inner[d] < n)
        continue;
      if (modes[d] == array::BoundaryMode::Fill) {
        // Nothing can be read of an empty array, not even this.
        if (llvm::is_contained(shape(), 0))
          return std::nullopt;
        return fills[d];
      }
      if (modes[d] != array::BoundaryMode::None) {
        if (n == 0)
          return std::nullopt;
        inner[d] = resolve(modes[d], inner[d], n);
      }
    }
    return base->read(inner);
  }

private:
  static int64_t resolve(array::BoundaryMode mode, int64_t k, int64_t n) {
    switch (mode) {
    case array::BoundaryMode::Clamp:
      return std::clamp<int64_t>(k, 0, n - 1);
    case array::BoundaryMode::Wrap:
      return llvm::mod(k, n);
    case array::BoundaryMode::Mirror: {
      int64_t p = llvm::mod(k, 2 * n);
      return p < n ? p : 2 * n - 1 - p;
    }
    case array::BoundaryMode::Reflect: {
      if (n == 1)
        return 0;
      int64_t p = llvm::mod(k, 2 * n - 2);
      return p < n ? p : 2 * n - 2 - p;
    }
    default:
      return k;
    }
  }

  Array base;
  llvm::SmallVector<array::BoundaryMode> modes;
  llvm::SmallVector<Scalar> fills;
};
} // namespace

static LogicalResult runView(Interpreter &interp, Operation *op) {
  auto view = cast<array::ViewOp>(op);
  auto extents = extentsOf(interp, view.getMixedExtents(), op->getLoc());
  if (!extents)
    return failure();
  Array result = std::make_shared<ViewSource>(
      interp.array(view.getSource()), *extents, view.getMap(),
      interp.integers(view.getSymbols()));
  interp.set(view.getResult(), result);
  return success();
}

static LogicalResult runExtend(Interpreter &interp, Operation *op) {
  auto extend = cast<array::ExtendOp>(op);
  llvm::SmallVector<array::BoundaryMode> modes = extend.getModeList();
  llvm::SmallVector<Scalar> fills(modes.size());
  for (unsigned d = 0; d < modes.size(); ++d)
    if (Value fill = extend.getFill(d))
      fills[d] = interp.number(fill);
  Array result = std::make_shared<ExtendedSource>(
      interp.array(extend.getSource()), modes, fills);
  interp.set(extend.getResult(), result);
  return success();
}

static LogicalResult runAt(Interpreter &interp, Operation *op) {
  auto at = cast<array::AtOp>(op);
  const Array &source = interp.array(at.getSource());
  llvm::SmallVector<int64_t> index = interp.integers(at.getIndices());
  std::optional<Scalar> s = source->read(index);
  if (!s) {
    for (auto [i, n] : llvm::zip_equal(index, source->shape()))
      if (i < 0 || i >= n)
        return interp.fail(op->getLoc(), "index", outsideText(i, n));
    return interp.fail(op->getLoc(), "index",
                       "a view reads outside of its array");
  }
  for (Value i : at.getIndices())
    if (interp.number(i).dev > 0)
      s->dev = unbounded;
  interp.set(at.getResult(), *s);
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes, facts, errors
//===----------------------------------------------------------------------===//

/// What was checked must be so: a pass that loses a check shows here.
static LogicalResult runBind(Interpreter &interp, Operation *op) {
  auto bind = cast<array::BindOp>(op);
  const Array &source = interp.array(bind.getSource());
  for (auto [size, have] :
       llvm::zip_equal(bind.getMixedSizes(), source->shape())) {
    int64_t want = isa<Value>(size) ? interp.integer(cast<Value>(size))
                                    : *getConstantIntValue(size);
    if (want != have)
      return interp.fail(op->getLoc(), "size",
                         "a size is " + std::to_string(have) + ", not " +
                             std::to_string(want) + " as it was said to be");
  }
  interp.set(bind.getResult(), source);
  return success();
}

static LogicalResult runFence(Interpreter &interp, Operation *op) {
  auto fence = cast<array::FenceOp>(op);
  interp.set(fence.getResult(), interp.array(fence.getSource()));
  return success();
}

static LogicalResult runAssume(Interpreter &interp, Operation *op) {
  auto assume = cast<array::AssumeOp>(op);
  const Scalar &value = interp.number(assume.getValue());
  bool holds =
      (!assume.getLower() || value.i >= int64_t(*assume.getLower())) &&
      (!assume.getUpper() || value.i <= int64_t(*assume.getUpper())) &&
      (!assume.getMultiple() || value.i % int64_t(*assume.getMultiple()) == 0);
  if (!holds)
    return interp.fail(op->getLoc(), "size",
                       std::to_string(value.i) +
                           " is not what it was assumed to be");
  interp.set(assume.getResult(), value);
  return success();
}

/// `{0}`, `{1}`, .. in a message replaced by values.
static std::string fillMessage(llvm::StringRef message,
                               llvm::ArrayRef<std::string> values) {
  std::string text;
  while (!message.empty()) {
    size_t open = message.find('{');
    text += message.take_front(open).str();
    message = message.drop_front(std::min(open, message.size()));
    size_t close = message.find('}');
    unsigned number;
    if (!message.empty() && close != llvm::StringRef::npos &&
        !message.slice(1, close).getAsInteger(10, number) &&
        number < values.size()) {
      text += values[number];
      message = message.drop_front(close + 1);
    } else if (!message.empty()) {
      text += message.front();
      message = message.drop_front();
    }
  }
  return text;
}

static LogicalResult runCheck(Interpreter &interp, Operation *op) {
  auto check = cast<array::CheckOp>(op);
  const Scalar &ok = interp.number(check.getOk());
  if (ok.i)
    return success();
  llvm::SmallVector<std::string> values;
  for (Value v : check.getValues()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    const Cell &cell = interp.cell(v);
    if (cell.array) {
      if (auto tensor = interp.densify(op->getLoc(), cell.array))
        tensor->print(os);
    } else {
      printScalar(os, *elementOf(v.getType()), cell.number);
    }
    values.push_back(text);
  }
  return interp.fail(op->getLoc(), stringifyCheckKind(check.getKind()),
                     fillMessage(check.getMessage(), values));
}

//===----------------------------------------------------------------------===//
// Functions from outside
//===----------------------------------------------------------------------===//

/// Whether anything hangs on a result: what is dead may go, its errors too.
static bool isNeeded(Operation *op) {
  return !isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
         llvm::any_of(op->getUsers(), isNeeded);
}

static LogicalResult runExtern(Interpreter &interp, Operation *op) {
  auto call = cast<array::ExternOp>(op);
  if (!interp.options.callExtern)
    return interp.fail(op->getLoc(), "unsupported",
                       "there is no function '" + call.getCallee() +
                           "' to call");
  std::vector<Tensor> values;
  bool isExact = true;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (!isa<TensorType>(type)) {
      const Scalar &number = interp.number(operand.get());
      isExact &= number.dev == 0;
      values.push_back(Tensor::scalar(*elementOf(type), number));
      continue;
    }
    auto array = interp.densify(op->getLoc(), interp.array(operand.get()));
    if (!array)
      return failure();
    values.push_back(Tensor(*elementOf(type), array->shape()));
    if (call.isDpsInit(&operand))
      continue;
    isExact &= array->isExact();
    for (int64_t k = 0; k < array->size(); ++k) {
      Scalar number = array->get(k);
      number.dev = 0;
      values.back().set(k, number);
    }
  }
  llvm::SmallVector<void *> places;
  for (Tensor &value : values)
    places.push_back(value.data());
  int32_t returned = 0;
  std::string problem;
  if (isNeeded(op))
    problem = interp.options.callExtern(call.getCallee(), places, returned);
  if (!problem.empty())
    return interp.fail(op->getLoc(), "unsupported", problem);
  if (returned)
    return interp.fail(op->getLoc(), "assert",
                       "the extern function '" + call.getCallee() +
                           "' returned " + std::to_string(returned));
  // Nobody knows what it makes of values that rounding may change.
  if (!isExact)
    interp.noteUncertain(op);
  llvm::ArrayRef<Tensor> outs =
      llvm::ArrayRef(values).take_back(call.getOuts().size());
  for (auto [result, out] : llvm::zip(call.getResults(), outs)) {
    auto tensor = interp.allocate(op->getLoc(), result.getType(), out.shape());
    if (!tensor)
      return failure();
    for (int64_t k = 0; k < out.size(); ++k) {
      Scalar number = out.get(k);
      number.dev = isExact ? 0 : unbounded;
      tensor->set(k, number);
    }
    interp.set(result, interp.finish(std::move(tensor)));
  }
  return success();
}

void arrc::reference::addArrayHandlers(HandlerTable &table) {
  table.add<array::ExternOp>(runExtern);
  table.add<array::MapOp>(runMap);
  table.add<array::StencilOp>(runMap);
  table.add<array::ViewOp>(runView);
  table.add<array::ExtendOp>(runExtend);
  table.add<array::AtOp>(runAt);
  table.add<array::BindOp>(runBind);
  table.add<array::FenceOp>(runFence);
  table.add<array::AssumeOp>(runAssume);
  table.add<array::CheckOp>(runCheck);
}
