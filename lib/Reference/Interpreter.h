//===- Interpreter.h - The inside of the reference evaluator ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One table from operation to handler, one environment from value to cell. A
// cell is a number or an array; arrays are never written once they are in a
// cell, so copying one is copying a pointer. Views and extended arrays stay
// what they are until somebody needs their elements.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_REFERENCE_INTERPRETER_H
#define ARRC_LIB_REFERENCE_INTERPRETER_H

#include "arrc/Reference/Evaluator.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace arrc::reference {

/// Where elements come from.
class Source {
public:
  Source(Element element, llvm::ArrayRef<int64_t> shape)
      : kind(element), dims(shape.begin(), shape.end()) {}
  virtual ~Source() = default;

  Element element() const { return kind; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  int64_t rank() const { return dims.size(); }
  /// The element at an index; none if that is out of bounds.
  virtual std::optional<Scalar> read(llvm::ArrayRef<int64_t> index) const = 0;
  /// The array itself if it lies in memory.
  virtual const Tensor *dense() const { return nullptr; }

private:
  Element kind;
  llvm::SmallVector<int64_t, 4> dims;
};
using Array = std::shared_ptr<const Source>;

/// The value of an SSA value.
struct Cell {
  Scalar number;
  /// Set for tensors.
  Array array;

  Cell() = default;
  Cell(const Scalar &number) : number(number) {}
  Cell(Array array) : array(std::move(array)) {}
};

class Interpreter;

/// Computes a number from numbers; failures go to the interpreter.
using ScalarHandler = Scalar (*)(Interpreter &, mlir::Operation *,
                                 llvm::ArrayRef<Scalar>);
/// Runs an operation of any kind: reads cells, writes cells of its results.
using Handler = mlir::LogicalResult (*)(Interpreter &, mlir::Operation *);

/// What the evaluator knows of operations.
class HandlerTable {
public:
  /// All of them, made once.
  static const HandlerTable &get();

  template <typename Op> void add(Handler handler) {
    entries[mlir::TypeID::get<Op>()].general = handler;
  }
  /// An operation on numbers, which works elementwise on arrays.
  template <typename Op> void addScalar(ScalarHandler handler) {
    entries[mlir::TypeID::get<Op>()].scalar = handler;
  }

  struct Entry {
    Handler general = nullptr;
    ScalarHandler scalar = nullptr;
  };
  const Entry *find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, Entry> entries;
};

/// Each file adds its operations.
void addArithHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addComplexHandlers(HandlerTable &table);
void addTensorHandlers(HandlerTable &table);
void addControlHandlers(HandlerTable &table);
void addArrayHandlers(HandlerTable &table);
void addReductionHandlers(HandlerTable &table);

/// Runs operations.
class Interpreter {
public:
  explicit Interpreter(const Options &options) : options(options) {}

  const Options &options;
  /// Set when something failed; nothing runs after it.
  std::optional<Failure> failure;
  /// The first decision that rounding may turn.
  std::optional<mlir::Location> uncertainAt;
  /// Counts every rounding as freedom: set inside operators of folds, whose
  /// roundings depend on the tree that a target chooses.
  bool countRoundings = false;

  bool isExact() const { return options.mode == Mode::Exact; }

  /// Notes that a decision at `op` may go either way.
  void noteUncertain(mlir::Operation *op) {
    if (!uncertainAt)
      uncertainAt = op->getLoc();
  }

  /// Ends the evaluation; always a failure.
  mlir::LogicalResult fail(mlir::Location loc, llvm::StringRef kind,
                           const llvm::Twine &message);

  // --- Cells ---

  const Cell &cell(mlir::Value value) const {
    auto it = cells.find(value);
    assert(it != cells.end() && "value is used before it is computed");
    return it->second;
  }
  const Scalar &number(mlir::Value value) const { return cell(value).number; }
  int64_t integer(mlir::Value value) const { return cell(value).number.i; }
  const Array &array(mlir::Value value) const { return cell(value).array; }
  void set(mlir::Value value, Cell c) { cells[value] = std::move(c); }
  llvm::SmallVector<int64_t> integers(mlir::ValueRange values) const;
  llvm::SmallVector<Cell> cellsOf(mlir::ValueRange values) const;

  // --- Arrays ---

  /// An array to be filled; null after a failure (no memory, no shape).
  std::shared_ptr<Tensor> allocate(mlir::Location loc, mlir::Type type,
                                   llvm::ArrayRef<int64_t> shape);
  /// The element type that arrays of `type` have in this mode.
  std::optional<Element> storedElement(mlir::Type type) const;
  /// A filled array as a cell.
  Cell finish(std::shared_ptr<Tensor> tensor) const;
  /// The elements of an array in memory; null after a failure.
  std::shared_ptr<const Tensor> densify(mlir::Location loc, const Array &array);
  /// The sizes of a tensor type, the dynamic ones taken from `sizes`.
  llvm::SmallVector<int64_t> shapeOf(mlir::RankedTensorType type,
                                     mlir::ValueRange sizes) const;

  // --- Running ---

  /// Runs a block up to its terminator, which the caller reads; null after a
  /// failure.
  mlir::Operation *run(mlir::Block &block);
  mlir::LogicalResult run(mlir::Operation *op);
  /// Runs a function and gives its results.
  mlir::LogicalResult call(mlir::func::FuncOp function,
                           llvm::ArrayRef<Cell> arguments,
                           llvm::SmallVectorImpl<Cell> &results,
                           llvm::SmallVectorImpl<mlir::Location> *origins);
  /// Runs a block on arguments and reads what its terminator passes on.
  mlir::LogicalResult evaluateBlock(mlir::Block &block,
                                    llvm::ArrayRef<Cell> arguments,
                                    llvm::SmallVectorImpl<Cell> &results);
  /// Visits all indices of a box in row-major order.
  mlir::LogicalResult forEach(
      llvm::ArrayRef<int64_t> extents,
      llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<int64_t>)> visit);

  // --- Numbers ---

  /// A float result: `value` rounded to the type. `carried` is how far away it
  /// may be because of its operands, `ulps` how much the operation itself may
  /// be off.
  Scalar makeFloat(Element element, double value, double carried,
                   double ulps = 0) const;
  /// A result that is a decision: uncertain if `certain` is false.
  Scalar makeDecision(mlir::Operation *op, int64_t value, bool certain);
  /// What a choice between two values gives if it may go either way.
  static Scalar widen(Element element, const Scalar &chosen,
                      const Scalar &other);
  /// The same for cells of a type.
  Cell widen(mlir::Location loc, mlir::Type type, const Cell &chosen,
             const Cell &other);

private:
  llvm::DenseMap<mlir::Value, Cell> cells;
  /// Shared with the deleters of arrays, which may outlive the interpreter.
  std::shared_ptr<int64_t> liveBytes = std::make_shared<int64_t>(0);
  uint64_t steps = 0;
  int depth = 0;
};

/// The element type of the only result of an operation on numbers.
inline Element resultElement(mlir::Operation *op) {
  return *elementOf(op->getResult(0).getType());
}
inline Element operandElement(mlir::Operation *op) {
  return *elementOf(op->getOperand(0).getType());
}

/// The message of an index outside, as the compiled program has it.
inline std::string outsideText(int64_t index, int64_t size) {
  return "index " + std::to_string(index) +
         " is outside of a dimension of size " + std::to_string(size);
}

/// The value of an affine expression; none for division by zero or less.
std::optional<int64_t> evaluateAffine(mlir::AffineExpr expr,
                                      llvm::ArrayRef<int64_t> dims,
                                      llvm::ArrayRef<int64_t> symbols);

} // namespace arrc::reference

#endif // ARRC_LIB_REFERENCE_INTERPRETER_H
