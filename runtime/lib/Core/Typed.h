//===- Typed.h - the C signature of an export ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An export as a function of C: the sizes that its arrays have, in the order
/// in which they first appear, then its parameters, then places for its
/// results. Calls and the headers that are written for them follow this one
/// list.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_TYPED_H
#define ARRT_CORE_TYPED_H

#include "arrt/arrt.h"

#include <string>
#include <vector>

namespace arrt {

/// One argument of the C function.
struct TypedArgument {
  enum Kind {
    Size,         ///< int64_t: a size of parameters
    Scalar,       ///< the value
    Array,        ///< const T *: dense, row-major
    ScalarResult, ///< T *: where to put it
    ArrayResult,  ///< T *: memory of the caller that holds it
    NewResult,    ///< T **: receives memory for arrt_free
    NewSizes      ///< int64_t *: receives the sizes of the result before
  };
  Kind kind;
  std::string name;        ///< of the argument in C
  const arrt_param *param; ///< what it belongs to; of a size: where it is first
  int32_t dim;             ///< of a size: which dimension of the parameter
  std::string size;        ///< of a size: its name in the program; "" if none
};

/// The arguments behind the context.
std::vector<TypedArgument> typedSignature(const arrt_entry &entry);

} // namespace arrt

#endif // ARRT_CORE_TYPED_H
