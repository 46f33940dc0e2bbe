//===- Attributes.cpp - What arrays of arrc.numpy have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Held.h"

using namespace arrc::python;

/// The shape or type of an array that is recorded, counted.
static PyObject *recordedPart(PyObject *part) {
  if (!part)
    PyErr_SetString(PyExc_AttributeError, "an array that was not made");
  return part ? Py_NewRef(part) : nullptr;
}

static PyObject *shapeOf(PyObject *self) {
  return recordedPart(reinterpret_cast<HeldObject *>(self)->shape);
}

static PyObject *getShape(PyObject *self, void *) {
  if (PyObject *held = heldOf(self)) {
    numpy::Array *array = asNumPy(held);
    PyObject *shape = PyTuple_New(array->rank);
    for (int d = 0; shape && d < array->rank; ++d)
      PyTuple_SetItem(shape, d, PyLong_FromSsize_t(array->shape[d]));
    return shape;
  }
  return shapeOf(self);
}

static int setShape(PyObject *self, PyObject *shape, void *) {
  if (!shape) {
    PyErr_SetString(PyExc_AttributeError, "cannot delete the shape");
    return -1;
  }
  PyObject *done =
      PyObject_CallFunctionObjArgs(state.setShape, self, shape, nullptr);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

static PyObject *getDtype(PyObject *self, void *) {
  if (PyObject *held = heldOf(self))
    return Py_NewRef(asNumPy(held)->dtype);
  return recordedPart(reinterpret_cast<HeldObject *>(self)->dtype);
}

static PyObject *getRank(PyObject *self, void *) {
  if (PyObject *held = heldOf(self))
    return PyLong_FromLong(asNumPy(held)->rank);
  PyObject *shape = shapeOf(self);
  if (!shape)
    return nullptr;
  PyObject *rank = PyLong_FromSsize_t(PyTuple_Size(shape));
  Py_DECREF(shape);
  return rank;
}

static PyObject *getHeld(PyObject *self, void *) {
  PyObject *held = reinterpret_cast<HeldObject *>(self)->held;
  return Py_NewRef(held ? held : Py_None);
}

/// Makes an array one of NumPy's memory, which is nobody else's; None takes it
/// away again.
static int setHeld(PyObject *self, PyObject *value, void *) {
  auto *object = reinterpret_cast<HeldObject *>(self);
  if (value == Py_None) {
    Py_CLEAR(object->held);
    return 0;
  }
  if (!value || Py_TYPE(value) != state.numpys || object->held) {
    PyErr_SetString(PyExc_TypeError, "an array of NumPy's is wanted, once");
    return -1;
  }
  object->held = Py_NewRef(value);
  return 0;
}

static PyObject *getTransposed(PyObject *self, void *) {
  if (PyObject *held = heldOf(self))
    return wrapped(PyObject_GetAttrString(held, "T"));
  return PyObject_CallFunctionObjArgs(state.transposed, self, nullptr);
}

void arrc::python::setBase(HeldObject *array, PyObject *base) {
  if (array->base) {
    (array->previous ? array->previous->next : asBase(array->base)->arrays) =
        array->next;
    if (array->next)
      array->next->previous = array->previous;
    Py_DECREF(array->base);
  }
  array->base = base;
  array->previous = array->next = nullptr;
  if (base) {
    Py_INCREF(base);
    array->next = asBase(base)->arrays;
    if (array->next)
      array->next->previous = array;
    asBase(base)->arrays = array;
  }
}

static PyObject *getBase(PyObject *self, void *) {
  PyObject *base = reinterpret_cast<HeldObject *>(self)->base;
  if (!base)
    PyErr_SetString(PyExc_AttributeError, "_base");
  return base ? Py_NewRef(base) : nullptr;
}

static int setBaseOf(PyObject *self, PyObject *base, void *) {
  if (base && Py_TYPE(base) != graph.base) {
    PyErr_SetString(PyExc_TypeError, "a base is wanted");
    return -1;
  }
  setBase(reinterpret_cast<HeldObject *>(self), base);
  return 0;
}

Py_ssize_t arrc::python::lengthOf(PyObject *self) {
  PyObject *held = heldOf(self);
  if (held && asNumPy(held)->rank)
    return asNumPy(held)->shape[0];
  PyObject *shape = shapeOf(self);
  if (!shape)
    return -1;
  PyObject *first = PyTuple_Size(shape) ? PyTuple_GetItem(shape, 0) : nullptr;
  Py_ssize_t size = first ? PyLong_AsSsize_t(first) : -1;
  if (!first)
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
  Py_DECREF(shape);
  return size;
}

PyGetSetDef arrc::python::heldAttributes[] = {
    {"shape", getShape, setShape, "The size of each dimension.", nullptr},
    {"dtype", getDtype, nullptr, "The type of the elements.", nullptr},
    {"ndim", getRank, nullptr, "The number of dimensions.", nullptr},
    {"T", getTransposed, nullptr, "The array with its axes reversed.", nullptr},
    {"_held", getHeld, setHeld, "The array of NumPy's, or None.", nullptr},
    {"_base", getBase, setBaseOf, "The base, if it is recorded.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Of an array that is recorded; arrays of NumPy's memory have none of them.
PyMemberDef arrc::python::heldMembers[] = {
    {"_view", T_OBJECT_EX, offsetof(HeldObject, view), 0, nullptr},
    {"shape_", T_OBJECT_EX, offsetof(HeldObject, shape), 0, nullptr},
    {"dtype_", T_OBJECT_EX, offsetof(HeldObject, dtype), 0, nullptr},
    {"is_scalar", T_OBJECT_EX, offsetof(HeldObject, isScalar), 0, nullptr},
    {"_copied", T_OBJECT_EX, offsetof(HeldObject, copied), 0, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(HeldObject, weak), READONLY,
     nullptr},
    {nullptr, 0, 0, 0, nullptr}};
