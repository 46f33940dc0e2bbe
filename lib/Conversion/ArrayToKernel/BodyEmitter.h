//===- BodyEmitter.h - Write loops for the body of an array operation -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Bodies of `array` operations are walked once, in order, and written as loops
// and stores. A scalar becomes a scalar. An array of a body is one of
//
//   a place      elements in a destination or a `kernel.local`,
//   elements     a short list of scalars,
//   a view       nothing: reads through it are resolved when they are met.
//
// Destinations travel down: an array that is yielded is written where it ends.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_BODYEMITTER_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_BODYEMITTER_H

#include "LaunchFrame.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc {

/// Where an array lies: a memref, and how an index of the array becomes one of
/// the memref.
struct Place {
  using IndexMap = std::function<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

  mlir::Value memref;
  /// Null for the identity.
  IndexMap map;
  /// Equal for copies of one place.
  unsigned id = 0;

  explicit operator bool() const { return memref != nullptr; }
  /// Index of the memref for an index of the array.
  llvm::SmallVector<mlir::Value> getIndex(mlir::OpBuilder &b,
                                          mlir::Location loc,
                                          mlir::ValueRange index) const {
    return map ? map(b, loc, index) : llvm::SmallVector<mlir::Value>(index);
  }
};

/// See the head of the file. Methods that return a value give null after they
/// reported an error.
class BodyEmitter {
public:
  /// Called in the innermost loop of a nest with its indices.
  using NestBody = llvm::function_ref<mlir::LogicalResult(mlir::ValueRange)>;

  explicit BodyEmitter(LaunchFrame &frame);

  /// A place in `memref` as it is.
  Place makePlace(mlir::Value memref, Place::IndexMap map = nullptr);

  /// Writes an operation with an index space; arrays go to `places` where they
  /// are given (one entry a result, maybe empty). Scalar results are found by
  /// `getScalar` afterwards.
  mlir::LogicalResult emitMap(array::IndexSpaceOpInterface op,
                              llvm::ArrayRef<Place> places);
  mlir::LogicalResult emitReduce(array::ReduceOp op);
  /// A filter of scalars: its count, then its arrays.
  mlir::LogicalResult emitFilter(array::FilterOp op,
                                 llvm::ArrayRef<Place> places);
  mlir::LogicalResult emitScan(array::ScanOp op, llvm::ArrayRef<Place> places);
  mlir::LogicalResult emitScatter(array::ScatterOp op,
                                  llvm::ArrayRef<Place> places);

  /// Writes all elements of `array` to `place`, unless they are there.
  mlir::LogicalResult copyInto(mlir::Value array, const Place &place,
                               mlir::Location loc);

  /// The scalar inside of the launch.
  mlir::Value getScalar(mlir::Value original);
  mlir::OpFoldResult getScalar(mlir::OpFoldResult original);

  /// The elements of a small array, row-major.
  mlir::LogicalResult getElements(mlir::Value array, mlir::Location loc,
                                  llvm::SmallVectorImpl<mlir::Value> &elements);

  /// The element at `index`; with a `mask`, zero where it is false.
  mlir::Value readElement(mlir::Value array, mlir::ValueRange index,
                          mlir::Value mask, mlir::Location loc);

  /// The size of an array of the body or from outside, inside of the launch.
  mlir::OpFoldResult getSize(mlir::Value array, int64_t dim);

  /// A checked read.
  mlir::Value emitAt(array::AtOp op);

  mlir::OpBuilder &getBuilder() { return builder; }

private:
  // BodyEmitter.cpp: operations in order.
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  mlir::LogicalResult emitScalarOp(mlir::Operation &op);
  mlir::LogicalResult emitArrayOp(mlir::Operation &op);
  mlir::LogicalResult emitCheck(array::CheckOp op);
  mlir::LogicalResult emitInsert(mlir::Operation &op, mlir::Value dest);
  bool canWriteInto(mlir::Value dest, mlir::Operation &writer);
  /// Whether nothing looks at `array` once `writer`, an operation of its block
  /// or of a branch that updates it, stands behind; with `within`, what stands
  /// in the regions of `writer` may.
  bool diesAt(mlir::Value array, mlir::Operation &writer, bool within);

  // EmitControlFlow.cpp: branches and ordered loops.
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  Place findUpdated(mlir::scf::IfOp op, unsigned k);
  Place findHome(mlir::Value init, mlir::Operation &loop,
                 llvm::ArrayRef<Place> taken);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult emitYields(mlir::ValueRange yields,
                                 llvm::ArrayRef<Place> places,
                                 llvm::SmallVectorImpl<mlir::Value> &scalars,
                                 mlir::Location loc);
  mlir::LogicalResult carryInto(mlir::ValueRange values,
                                llvm::ArrayRef<Place> places,
                                mlir::Location loc);
  mlir::LogicalResult emitInits(mlir::ValueRange inits,
                                llvm::function_ref<Place(unsigned)> makePlace,
                                llvm::SmallVectorImpl<Place> &homes,
                                llvm::SmallVectorImpl<mlir::Value> &seeds,
                                mlir::Location loc);
  mlir::LogicalResult emitNext(mlir::ValueRange yielded,
                               llvm::ArrayRef<Place> homes, mlir::Location loc);

  // EmitNests.cpp: loops.
  mlir::LogicalResult emitNest(mlir::Location loc,
                               llvm::ArrayRef<mlir::OpFoldResult> extents,
                               llvm::ArrayRef<std::string> names,
                               NestBody body);
  mlir::LogicalResult emitFold(array::ReduceOp op,
                               llvm::ArrayRef<mlir::Type> types,
                               mlir::ValueRange seeds, unsigned depth,
                               llvm::SmallVectorImpl<mlir::Value> &indices,
                               llvm::SmallVectorImpl<mlir::Value> &folded);
  mlir::LogicalResult emitCombiner(mlir::Region &from, mlir::Region &to,
                                   mlir::TypeRange types, mlir::Location loc);
  mlir::LogicalResult setTotals(mlir::ValueRange results,
                                mlir::ValueRange totals);
  void promise(mlir::Value yielded, const Place &place);

  // ReadElement.cpp: reads through views and boundaries.

  mlir::LogicalResult checkIndex(mlir::Value array, int64_t dim,
                                 mlir::Value index, mlir::Location loc,
                                 mlir::Value &ok);
  mlir::Value readExtended(array::ExtendOp op, mlir::ValueRange index,
                           mlir::Value mask, mlir::Location loc);
  mlir::Value readReshaped(mlir::Value source, mlir::Value result,
                           llvm::ArrayRef<mlir::ReassociationIndices> groups,
                           bool collapses, mlir::ValueRange index,
                           mlir::Value mask, mlir::Location loc);
  /// The value of `expr` over `operands`, dimensions first. Products of two
  /// values stand by themselves, so that analyses see the sum around them.
  mlir::Value createIndex(mlir::AffineExpr expr, unsigned numDims,
                          llvm::ArrayRef<mlir::OpFoldResult> operands,
                          mlir::Location loc);
  mlir::Value resolveEdge(array::BoundaryMode mode, mlir::Value index,
                          mlir::Value size, mlir::Location loc);
  mlir::Value skipBinds(mlir::Value array);
  Place findPlace(mlir::Value array);
  mlir::Value andMask(mlir::Value a, mlir::Value b, mlir::Location loc);
  mlir::Value toIndex(mlir::OpFoldResult value, mlir::Location loc);

  // Arrays.
  Place makeLocal(mlir::Value array, mlir::Location loc);
  Place placeFor(mlir::Value array, mlir::Location loc);
  Place getSubPlace(const Place &place, mlir::ValueRange front);
  mlir::LogicalResult storeYield(mlir::Value yielded, const Place &place,
                                 mlir::ValueRange index, mlir::Location loc);

  LaunchFrame &frame;
  mlir::OpBuilder builder;
  unsigned nextPlace = 1;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, Place> places, promised;
  /// Arrays that a branch, whose block this is, updates where they lie.
  llvm::DenseSet<std::pair<mlir::Value, mlir::Block *>> updated;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> lists;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_BODYEMITTER_H
