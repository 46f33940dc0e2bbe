//===- Record.h - Operations on large arrays, recorded ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What scripts do most with large arrays: functions of elements, parts, writes
// of parts. A node is made here in a microsecond, as Python's functions in
// `arrc/numpy` would make it, which do whatever is not as simple as this.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_RECORD_H
#define ARRC_PYTHON_RECORD_H

#include "Graph.h"
#include "Held.h"

namespace arrc::python {

/// What came of trying to do something here; Python does what is `No`.
enum class Done { No, Yes, Failed };

/// Records a ufunc of operands, large arrays and numbers. Where the result is
/// written `into` an array it is so only if it has that one's type and shape.
Done recordUfunc(PyObject *ufunc, PyObject *const *args, Py_ssize_t count,
                 PyObject *&made, HeldObject *into = nullptr);
/// Records an operator; `a` and `b` are its operands in order.
Done recordBinary(Binary op, PyObject *a, PyObject *b, PyObject *&made);
/// Records an operator that writes to its first operand.
Done recordInplace(Binary op, PyObject *a, PyObject *b);
/// Makes a view of a recorded array by integers and slices.
Done viewPart(PyObject *self, PyObject *key, PyObject *&made);
/// Records a write of a recorded array to such a part.
Done recordPut(PyObject *self, PyObject *key, PyObject *value);

/// What is to be done, where an exception is none of the script's.
inline Done no() {
  PyErr_Clear();
  return Done::No;
}

/// Whether an operation over a shape is recorded, not computed at once.
inline bool isLarge(PyObject *shape) {
  return PyTuple_Size(shape) > 0 && productOf(shape) > state.limit;
}

inline Py_ssize_t sizeAt(PyObject *shape, Py_ssize_t d) {
  return PyLong_AsSsize_t(PyTuple_GetItem(shape, d));
}

inline numpy::Dtype *asDtype(PyObject *dtype) {
  return reinterpret_cast<numpy::Dtype *>(dtype);
}

/// The view of a recorded array, borrowed.
PyObject *viewOf(HeldObject *array);
/// Whether a view stands on the node itself.
bool isSettled(PyObject *node, PyObject *view);
/// The `dims` of a view whose elements are repeated to a shape, counted; null
/// where they do not fit.
PyObject *broadcast(PyObject *view, PyObject *shape);
/// A recorded array as an operand of a loop, counted; null: Python's.
PyObject *operandOf(HeldObject *array, PyObject *shape);
/// A new array on a base, of a view of it or None.
PyObject *arrayOf(PyObject *base, PyObject *view, PyObject *shape,
                  PyObject *dtype);

} // namespace arrc::python

#endif // ARRC_PYTHON_RECORD_H
