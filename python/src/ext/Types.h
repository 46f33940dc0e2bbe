//===- Types.h - Classes of the extension -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the classes that are written against CPython's stable interface share.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_TYPES_H
#define ARRC_PYTHON_TYPES_H

#include <nanobind/nanobind.h>

#include <structmember.h>

#include <cstring>

namespace arrc::python {

/// A new object of a class, its members null.
template <typename T> T *allocate(PyTypeObject *type) {
  auto make = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  return reinterpret_cast<T *>(make(type, 0));
}

/// Gives the memory of an object back whose members are gone.
inline void freeObject(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/// A reference to an object; null stands for None.
inline PyObject *orNone(PyObject *object) {
  return Py_NewRef(object ? object : Py_None);
}

/// Makes a class and gives it to the module.
inline PyTypeObject *makeType(nanobind::module_ &module, const char *name,
                              size_t size, PyType_Slot *slots) {
  PyType_Spec spec = {name, int(size), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type)
    throw nanobind::python_error();
  module.attr(std::strrchr(name, '.') + 1) = nanobind::borrow(type);
  return reinterpret_cast<PyTypeObject *>(type);
}

} // namespace arrc::python

/// Members of objects, for Python.
#define ARRC_OBJECT(type, name) {#name, T_OBJECT_EX, offsetof(type, name), 0, 0}
#define ARRC_NUMBER(type, name) {#name, T_PYSSIZET, offsetof(type, name), 0, 0}

#endif // ARRC_PYTHON_TYPES_H
