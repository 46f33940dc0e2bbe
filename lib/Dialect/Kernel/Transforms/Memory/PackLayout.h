//===- PackLayout.h - Arrays beside each other in one allocation *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where the planes of a pack begin. Arrays of `points` times a constant number
// of bytes (`n` times 12 for `f32[n, 3]`) begin at multiples of
//
//   pitch = (2 * ceil(points / 1024) + 1) * 512
//
// times the bytes of a point in the arrays before: one number says where all of
// them are, whatever their elements, and every plane begins at a multiple of
// 512 bytes, as memory of its own does. The pitch is an odd multiple of 512, so
// that planes of large powers of two do not all fall into the same sets of the
// caches. Arrays of constant sizes stand one behind the other.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKLAYOUT_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKLAYOUT_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>

namespace arrc::kernel {

/// Bytes of one point of an array (all of them if its sizes are constants) as
/// far as it can lie beside others: dense, of one dimension or more.
std::optional<int64_t> getPointBytes(mlir::MemRefType type);

/// Planes in one allocation.
class PackLayout {
public:
  /// Computes the layout of arrays of `types` at the builder; `sizes` are the
  /// dynamic sizes that each of them has.
  PackLayout(mlir::OpBuilder &builder, mlir::Location loc,
             mlir::ValueRange sizes, llvm::ArrayRef<mlir::MemRefType> types);

  /// The type of the allocation, `memref<?xi8>` or with its number of bytes.
  mlir::MemRefType getType() const { return type; }
  /// Its bytes where they are no number; -1, which no allocation satisfies, if
  /// a size is negative or the product too large.
  mlir::ValueRange getSizes() const { return bytes; }
  /// Plane `k` of `pack`, with the attribute that names it.
  mlir::Value show(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value pack, unsigned k) const;

private:
  mlir::MemRefType type;
  llvm::SmallVector<mlir::Value> dynamic, bytes, offsets;
  llvm::SmallVector<mlir::MemRefType> types;
  llvm::SmallVector<int64_t> first, width;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKLAYOUT_H
