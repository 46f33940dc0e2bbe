//===- Integers.h - Integers of the evaluator in all readings ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_REFERENCE_INTEGERS_H
#define ARRC_LIB_REFERENCE_INTEGERS_H

#include "Interpreter.h"

#include "llvm/Support/MathExtras.h"

namespace arrc::reference {

using Numbers = llvm::ArrayRef<Scalar>;

/// The value read without a sign.
inline uint64_t asUnsigned(Element element, int64_t value) {
  unsigned bits = bitsOf(element);
  return bits == 64 ? uint64_t(value)
                    : uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(bits);
}
/// The value read with a sign (i1: 0 or -1).
inline int64_t asSigned(Element element, int64_t value) {
  return element == Element::Bool ? -(value & 1) : value;
}

/// An integer result; uncertain if an operand is.
inline Scalar integer(Element element, int64_t value, Numbers in) {
  Scalar result = Scalar::integer(wrapTo(element, value));
  for (const Scalar &s : in)
    if (s.dev > 0)
      result.dev = unbounded;
  return result;
}

/// Called by `addArithHandlers`.
void addIntegerHandlers(HandlerTable &table);

} // namespace arrc::reference

#endif // ARRC_LIB_REFERENCE_INTEGERS_H
