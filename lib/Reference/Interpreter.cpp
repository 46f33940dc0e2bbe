//===- Interpreter.cpp - The inside of the reference evaluator ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace arrc::reference;

namespace {
/// An array in memory.
class DenseSource : public Source {
public:
  explicit DenseSource(std::shared_ptr<Tensor> tensor)
      : Source(tensor->element(), tensor->shape()), tensor(std::move(tensor)) {}

  std::optional<Scalar> read(llvm::ArrayRef<int64_t> index) const override {
    int64_t position = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < 0 || index[d] >= shape()[d])
        return std::nullopt;
      position = position * shape()[d] + index[d];
    }
    return tensor->get(position);
  }
  const Tensor *dense() const override { return tensor.get(); }

private:
  std::shared_ptr<Tensor> tensor;
};
} // namespace

/// Nested calls, branches and bodies go at most this deep.
static constexpr int maxDepth = 1000;

const HandlerTable &HandlerTable::get() {
  static const HandlerTable table = [] {
    HandlerTable t;
    addArithHandlers(t);
    addMathHandlers(t);
    addComplexHandlers(t);
    addTensorHandlers(t);
    addControlHandlers(t);
    addArrayHandlers(t);
    addReductionHandlers(t);
    return t;
  }();
  return table;
}

const HandlerTable::Entry *HandlerTable::find(Operation *op) const {
  auto it = entries.find(op->getName().getTypeID());
  return it == entries.end() ? nullptr : &it->second;
}

LogicalResult Interpreter::fail(Location loc, llvm::StringRef kind,
                                const llvm::Twine &message) {
  if (!failure)
    failure = Failure{kind.str(), message.str(), loc};
  return mlir::failure();
}

llvm::SmallVector<int64_t> Interpreter::integers(ValueRange values) const {
  llvm::SmallVector<int64_t> result;
  for (Value v : values)
    result.push_back(integer(v));
  return result;
}

llvm::SmallVector<Cell> Interpreter::cellsOf(ValueRange values) const {
  llvm::SmallVector<Cell> result;
  for (Value v : values)
    result.push_back(cell(v));
  return result;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::optional<Element> Interpreter::storedElement(Type type) const {
  std::optional<Element> e = elementOf(type);
  if (e && isExact())
    return isFloat(*e) ? Element::F64 : isComplex(*e) ? Element::C128 : *e;
  return e;
}

std::shared_ptr<Tensor> Interpreter::allocate(Location loc, Type type,
                                              llvm::ArrayRef<int64_t> shape) {
  std::optional<Element> element = storedElement(type);
  if (!element) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    (void)fail(loc, "unsupported", "no numbers of type " + text);
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  for (int64_t n : shape)
    if (n < 0) {
      (void)fail(loc, "size",
                 "the size of an array is negative: [" + text + "]");
      return nullptr;
    }
  std::optional<int64_t> count = elementCount(shape);
  int64_t bytes = 0;
  if (!count || llvm::MulOverflow(*count, int64_t(sizeOf(*element)), bytes) ||
      bytes > options.maxBytes - *liveBytes) {
    (void)fail(loc, "memory",
               "an array of shape [" + text + "] and " +
                   std::to_string(*liveBytes) +
                   " bytes that are in use are more than the " +
                   std::to_string(options.maxBytes) +
                   " bytes that the evaluator may take");
    return nullptr;
  }
  *liveBytes += bytes;
  auto live = liveBytes;
  return std::shared_ptr<Tensor>(new Tensor(*element, shape),
                                 [live, bytes](Tensor *tensor) {
                                   *live -= bytes;
                                   delete tensor;
                                 });
}

Cell Interpreter::finish(std::shared_ptr<Tensor> tensor) const {
  return Array(std::make_shared<DenseSource>(std::move(tensor)));
}

LogicalResult Interpreter::forEach(
    llvm::ArrayRef<int64_t> extents,
    llvm::function_ref<LogicalResult(llvm::ArrayRef<int64_t>)> visit) {
  for (int64_t n : extents)
    if (n <= 0)
      return success();
  llvm::SmallVector<int64_t> index(extents.size(), 0);
  while (true) {
    if (mlir::failed(visit(index)) || failure)
      return mlir::failure();
    size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return success();
  }
}

std::shared_ptr<const Tensor> Interpreter::densify(Location loc,
                                                   const Array &array) {
  if (const Tensor *tensor = array->dense())
    return std::shared_ptr<const Tensor>(array, tensor);
  std::optional<int64_t> count = elementCount(array->shape());
  int64_t bytes = 0;
  if (!count ||
      llvm::MulOverflow(*count, int64_t(sizeOf(array->element())), bytes) ||
      bytes > options.maxBytes - *liveBytes) {
    (void)fail(loc, "memory", "a view is too large to be copied");
    return nullptr;
  }
  auto result = std::make_shared<Tensor>(array->element(), array->shape());
  int64_t k = 0;
  LogicalResult done =
      forEach(array->shape(), [&](llvm::ArrayRef<int64_t> index) {
        std::optional<Scalar> s = array->read(index);
        if (!s)
          return fail(loc, "index", "a view reads outside of its array");
        result->set(k++, *s);
        return success();
      });
  return mlir::failed(done) ? nullptr : result;
}

llvm::SmallVector<int64_t> Interpreter::shapeOf(RankedTensorType type,
                                                ValueRange sizes) const {
  llvm::SmallVector<int64_t> shape;
  size_t next = 0;
  for (int64_t n : type.getShape())
    shape.push_back(ShapedType::isDynamic(n) ? integer(sizes[next++]) : n);
  return shape;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Runs an operation on numbers for every element of its array operands.
static LogicalResult runElementwise(Interpreter &interp, Operation *op,
                                    ScalarHandler handler) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  llvm::SmallVector<std::shared_ptr<const Tensor>> arrays;
  llvm::SmallVector<int64_t> shape;
  for (Value operand : op->getOperands()) {
    arrays.push_back(nullptr);
    if (!interp.array(operand))
      continue;
    if (!(arrays.back() = interp.densify(op->getLoc(), interp.array(operand))))
      return failure();
    if (!shape.empty() && llvm::ArrayRef(shape) != arrays.back()->shape())
      return interp.fail(op->getLoc(), "size", "arrays of different shapes");
    shape = llvm::to_vector(arrays.back()->shape());
  }
  auto result = interp.allocate(op->getLoc(), type, shape);
  if (!result)
    return failure();
  llvm::SmallVector<Scalar> in(op->getNumOperands());
  for (int64_t k = 0; k < result->size(); ++k) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      in[i] = arrays[i] ? arrays[i]->get(k) : interp.number(operand);
    result->set(k, handler(interp, op, in));
    if (interp.failure)
      return failure();
  }
  interp.set(op->getResult(0), interp.finish(std::move(result)));
  return success();
}

LogicalResult Interpreter::run(Operation *op) {
  ++steps;
  if (options.maxSteps && steps > options.maxSteps)
    return fail(op->getLoc(), "steps",
                "more than " + std::to_string(options.maxSteps) +
                    " operations");
  const HandlerTable::Entry *entry = HandlerTable::get().find(op);
  if (!entry)
    return fail(op->getLoc(), "unsupported",
                "the evaluator does not know '" + op->getName().getStringRef() +
                    "'");
  if (entry->general)
    return entry->general(*this, op);
  if (isa<ShapedType>(op->getResult(0).getType()))
    return runElementwise(*this, op, entry->scalar);
  llvm::SmallVector<Scalar, 4> in;
  for (Value operand : op->getOperands())
    in.push_back(number(operand));
  Scalar result = entry->scalar(*this, op, in);
  if (failure)
    return mlir::failure();
  set(op->getResult(0), result);
  return success();
}

Operation *Interpreter::run(Block &block) {
  if (depth >= maxDepth) {
    (void)fail(block.getParentOp()->getLoc(), "unsupported",
               "the program nests too deeply for the evaluator");
    return nullptr;
  }
  ++depth;
  Operation *end = nullptr;
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      end = &op;
      break;
    }
    if (mlir::failed(run(&op)))
      break;
  }
  --depth;
  return failure ? nullptr : end;
}

LogicalResult Interpreter::evaluateBlock(Block &block,
                                         llvm::ArrayRef<Cell> arguments,
                                         llvm::SmallVectorImpl<Cell> &results) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    set(argument, value);
  Operation *end = run(block);
  if (!end)
    return mlir::failure();
  results.clear();
  for (Value v : end->getOperands())
    results.push_back(cell(v));
  return success();
}

LogicalResult Interpreter::call(func::FuncOp function,
                                llvm::ArrayRef<Cell> arguments,
                                llvm::SmallVectorImpl<Cell> &results,
                                llvm::SmallVectorImpl<Location> *origins) {
  if (function.isExternal())
    return fail(function.getLoc(), "unsupported",
                "the evaluator does not call '" + function.getName() +
                    "', which is not written in the language");
  if (!function.getBody().hasOneBlock())
    return fail(function.getLoc(), "unsupported",
                "a function with branches between blocks");
  // Every call has its own environment.
  llvm::DenseMap<Value, Cell> outer;
  std::swap(outer, cells);
  LogicalResult done =
      evaluateBlock(function.getBody().front(), arguments, results);
  std::swap(outer, cells);
  if (mlir::succeeded(done) && origins)
    for (Value v : function.getBody().front().getTerminator()->getOperands())
      origins->push_back(v.getLoc());
  return done;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Scalar Interpreter::makeFloat(Element element, double value, double carried,
                              double ulps) const {
  if (isExact())
    return Scalar::real(value);
  double rounded = roundTo(element, value);
  double dev = carried;
  if (carried > 0)
    ulps += 1;
  // What the tree of a fold decides: one rounding here, another one there. In
  // the narrow types double shows whether anything was rounded.
  if (countRoundings && (element == Element::F64 || rounded != value))
    ulps += 1;
  if (ulps > 0 && std::isfinite(rounded))
    dev += ulps * ulpOf(element, rounded);
  if (std::isnan(dev))
    dev = unbounded;
  return Scalar::real(rounded, dev);
}

Scalar Interpreter::makeDecision(Operation *op, int64_t value, bool certain) {
  Scalar s = Scalar::integer(value);
  if (!certain && !isExact()) {
    s.dev = unbounded;
    noteUncertain(op);
  }
  return s;
}

Scalar Interpreter::widen(Element element, const Scalar &chosen,
                          const Scalar &other) {
  Scalar result = chosen;
  if (isInteger(element))
    result.dev =
        chosen.i == other.i ? std::max(chosen.dev, other.dev) : unbounded;
  else
    result.dev = std::max(chosen.dev, std::max(distance(chosen.re, other.re),
                                               distance(chosen.im, other.im)) +
                                          other.dev);
  return result;
}

Cell Interpreter::widen(Location loc, Type type, const Cell &chosen,
                        const Cell &other) {
  Element element = *elementOf(type);
  if (!chosen.array)
    return widen(element, chosen.number, other.number);
  auto a = densify(loc, chosen.array), b = densify(loc, other.array);
  if (!a || !b)
    return chosen;
  auto result = allocate(loc, type, a->shape());
  if (!result)
    return chosen;
  for (int64_t k = 0; k < a->size(); ++k) {
    Scalar s = a->get(k);
    if (a->shape() == b->shape())
      s = widen(element, s, b->get(k));
    else
      s.dev = unbounded;
    result->set(k, s);
  }
  return finish(std::move(result));
}

std::optional<int64_t>
arrc::reference::evaluateAffine(AffineExpr expr, llvm::ArrayRef<int64_t> dims,
                                llvm::ArrayRef<int64_t> symbols) {
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return dims[d.getPosition()];
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[s.getPosition()];
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto a = evaluateAffine(binary.getLHS(), dims, symbols);
  auto b = evaluateAffine(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return int64_t(uint64_t(*a) + uint64_t(*b));
  case AffineExprKind::Mul:
    return int64_t(uint64_t(*a) * uint64_t(*b));
  case AffineExprKind::Mod:
    if (*b <= 0)
      return std::nullopt;
    return llvm::mod(*a, *b);
  case AffineExprKind::FloorDiv:
    if (*b <= 0)
      return std::nullopt;
    return llvm::divideFloorSigned(*a, *b);
  case AffineExprKind::CeilDiv:
    if (*b <= 0)
      return std::nullopt;
    return llvm::divideCeilSigned(*a, *b);
  default:
    return std::nullopt;
  }
}
