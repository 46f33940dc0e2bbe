//===- Held.h - Small arrays of arrc.numpy ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An array of `arrc.numpy` that is small is an array of NumPy's in a wrapper:
// what is done with it NumPy does at once, on its own memory, and the wrapper
// must cost little beside that. Everything else is Python's to do, in functions
// that `arrc.numpy` leaves here.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_HELD_H
#define ARRC_PYTHON_HELD_H

#include "NumPy.h"

#include <nanobind/nanobind.h>

#include <structmember.h>

#include <vector>

namespace arrc::python {

/// An object of `Held`, the base of `arrc.numpy.ndarray`.
struct HeldObject {
  PyObject head;
  PyObject *held; ///< an array of NumPy's; null: there is none
  /// Of an array that is recorded: its base, its view of that or None, its
  /// shape and type, and whether NumPy would give a scalar. Null where `held`
  /// is set.
  PyObject *base, *view, *shape, *dtype, *isScalar;
  HeldObject *previous, *next; ///< others that have the same base
  PyObject *copied; ///< a base of a copy of `held`, as it was last asked for
  PyObject *weak;   ///< weak references
};

enum Binary {
  Add,
  Subtract,
  Multiply,
  TrueDivide,
  FloorDivide,
  Remainder,
  And,
  Or,
  Xor,
  Lshift,
  Rshift,
  MatMul,
  Power,
  NumBinary
};
enum Unary { Negative, Positive, Absolute, Invert, NumUnary };

/// What `arrc.numpy` left here, once in a process.
struct State {
  PyTypeObject *arrays = nullptr; ///< arrc.numpy.ndarray
  PyTypeObject *numpys = nullptr, *scalars = nullptr, *dtypes = nullptr;
  PyObject *wrap = nullptr; ///< an array of NumPy's that has to be a copy or is
                            ///< too large, as one of arrc.numpy's
  std::vector<PyObject *> known; ///< types of elements that programs have
  bool promotesWeakly = false;   ///< whether NumPy itself does as version 2
  Py_ssize_t limit = 0; ///< the elements of what is small; 0: nothing is
  PyObject *binary[NumBinary] = {}, *reflected[NumBinary] = {},
           *inplace[NumBinary] = {}, *unary[NumUnary] = {}, *compare[6] = {};
  PyObject *get = nullptr, *put = nullptr, *setShape = nullptr,
           *ufunc = nullptr, *method = nullptr;
  PyObject *transposed = nullptr;
  /// What records functions of elements: ufuncs by operator, what finds the
  /// types of a ufunc's loop, what writes to an array, and NumPy's class.
  PyObject *binaryUfuncs[NumBinary] = {}, *unaryUfuncs[NumUnary] = {},
           *compareUfuncs[6] = {}, *square = nullptr;
  PyObject *loop = nullptr, *write = nullptr;
  PyTypeObject *ufuncs = nullptr;
  PyObject *options = nullptr; ///< names of arguments that mean the same
};

/// The one of the process.
extern State &state;

inline numpy::Array *asNumPy(PyObject *object) {
  return reinterpret_cast<numpy::Array *>(object);
}

/// The array of NumPy's in an array of arrc.numpy's, null if there is none.
inline PyObject *heldOf(PyObject *object) {
  return Py_TYPE(object) == state.arrays
             ? reinterpret_cast<HeldObject *>(object)->held
             : nullptr;
}

/// Whether programs have elements of a type.
bool isKnownType(PyObject *dtype);

/// A result of NumPy's, whose count is taken over, as Python is to have it.
PyObject *wrapped(PyObject *made);

/// Whether NumPy takes a number beside an array as arrc.numpy does.
bool isNumber(PyObject *number, PyObject *array);

/// The shape of what operands make that are repeated to one shape.
struct Spread {
  int rank = 0;
  Py_ssize_t shape[8]; ///< from the last dimension on

  void add(const numpy::Array *array) {
    for (int d = 0; d < array->rank; ++d) {
      Py_ssize_t size = array->shape[array->rank - 1 - d];
      if (d == rank)
        shape[rank++] = size;
      else if (shape[d] == 1)
        shape[d] = size;
    }
  }
  Py_ssize_t size() const {
    Py_ssize_t size = 1;
    for (int d = 0; d < rank; ++d)
      size *= shape[d];
    return size;
  }
};

/// The array of arrc.numpy's that is recorded, null if the object is none.
inline HeldObject *recordedOf(PyObject *object) {
  auto *array = reinterpret_cast<HeldObject *>(object);
  return Py_TYPE(object) == state.arrays && !array->held && array->base
             ? array
             : nullptr;
}

/// The attributes of `Held`, and its length.
extern PyGetSetDef heldAttributes[];
extern PyMemberDef heldMembers[];
Py_ssize_t lengthOf(PyObject *self);
/// Gives an array a base, null for none; the reference is the array's.
void setBase(HeldObject *array, PyObject *base);

/// The protocol `__array_ufunc__`: NumPy met an array of arrc.numpy in a ufunc.
PyObject *arrayUfunc(PyObject *self, PyObject *args, PyObject *options);

/// Adds the classes `Held` and `Forward`, and what sets them up.
void bindHeld(nanobind::module_ &module);
/// Adds `Forward`: a function or method that is NumPy's for small arrays.
void bindForward(nanobind::module_ &module);

} // namespace arrc::python

#endif // ARRC_PYTHON_HELD_H
