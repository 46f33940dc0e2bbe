//===- SortWords.h - Keys as unsigned integers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order of `array.sort` is that of unsigned integers, of as many bits as a
// key has: of floats it is total, -0 before 0, NaN last and equal to each
// other.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_SORTWORDS_H
#define ARRC_DIALECT_ARRAY_IR_SORTWORDS_H

#include "mlir/IR/Builders.h"

namespace arrc::array {

/// The word of `key`: words, compared without signs, are in the order of keys.
mlir::Value createSortWord(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value key, bool isUnsigned);

/// The key, of `type`, whose word is `word`. Of a NaN some NaN.
mlir::Value createSortKey(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value word, mlir::Type type, bool isUnsigned);

/// Words in the same order that tell all keys apart: NaN, last as well, are in
/// the order of their bits. For keys that carry nothing along.
mlir::Value createExactWord(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value key, bool isUnsigned);

/// The key, of `type`, whose exact word is `word`, bit for bit.
mlir::Value createExactKey(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value word, mlir::Type type, bool isUnsigned);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_SORTWORDS_H
