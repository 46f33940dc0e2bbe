//===- NumPy.h - The layout of NumPy's arrays -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The first members of NumPy's arrays and types of elements, which its binary
// interface has fixed for versions 1 and 2 alike: extensions that were built
// against either read them where they are.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_NUMPY_H
#define ARRC_PYTHON_NUMPY_H

#include <nanobind/nanobind.h>

namespace arrc::python::numpy {

/// An object of `numpy.ndarray`.
struct Array {
  PyObject head;
  char *data;
  int rank;
  Py_ssize_t *shape, *strides;
  PyObject *base, *dtype;
  int flags;
};

/// An object of `numpy.dtype`.
struct Dtype {
  PyObject head;
  PyTypeObject *scalar;
  char kind, type;
};

/// The bit of Array::flags of memory that may be written to.
constexpr int writeable = 0x400;

/// The elements of an array.
inline Py_ssize_t sizeOf(const Array *array) {
  Py_ssize_t size = 1;
  for (int d = 0; d < array->rank; ++d)
    size *= array->shape[d];
  return size;
}

} // namespace arrc::python::numpy

#endif // ARRC_PYTHON_NUMPY_H
