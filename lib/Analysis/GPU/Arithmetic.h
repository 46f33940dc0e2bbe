//===- Arithmetic.h - Operations on forms -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_ANALYSIS_GPU_ARITHMETIC_H
#define ARRC_LIB_ANALYSIS_GPU_ARITHMETIC_H

#include "arrc/Analysis/GPU/Form.h"

namespace arrc::lanes {

/// What is done with two integers.
enum class Binary {
  Add,
  Sub,
  Mul,
  DivFloor, ///< divisions of what is not negative, too
  DivCeil,
  DivZero, ///< towards zero
  RemZero,
  ModFloor,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Min,
  Max
};

/// `a op b`, exactly; nothing if it is no form. Where threads agree it is one:
/// a symbol of its own if need be. `isAssumed` is set where the values that
/// symbols are taken to have decided.
std::optional<Form> apply(Binary op, const Form &a, const Form &b,
                          Symbols &symbols, bool &isAssumed);

} // namespace arrc::lanes

#endif // ARRC_LIB_ANALYSIS_GPU_ARITHMETIC_H
