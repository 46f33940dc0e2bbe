//===- Views.cpp - Views of recorded arrays -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Types.h"

using namespace arrc::python;
namespace nb = nanobind;

PyObject *arrc::python::makeDim(Py_ssize_t start, Py_ssize_t step,
                                Py_ssize_t axis) {
  PyObject *made = PyTuple_New(3);
  if (made) {
    PyTuple_SetItem(made, 0, PyLong_FromSsize_t(start));
    PyTuple_SetItem(made, 1, PyLong_FromSsize_t(step));
    PyTuple_SetItem(made, 2, PyLong_FromSsize_t(axis));
  }
  return made;
}

PyObject *arrc::python::makeView(PyObject *source, PyObject *shape,
                                 PyObject *dims, PyObject *inner) {
  auto *view = shape && dims ? allocate<ViewObject>(graph.view) : nullptr;
  if (!view) {
    Py_XDECREF(shape);
    Py_XDECREF(dims);
    return nullptr;
  }
  view->source = Py_NewRef(source);
  view->shape = shape;
  view->dims = dims;
  view->inner = orNone(inner);
  return reinterpret_cast<PyObject *>(view);
}

static PyObject *createView(PyTypeObject *, PyObject *args, PyObject *) {
  PyObject *source, *shape, *dims, *inner = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!O!|O", &PyTuple_Type, &source, &PyTuple_Type,
                        &shape, &PyTuple_Type, &dims, &inner))
    return nullptr;
  return makeView(source, Py_NewRef(shape), Py_NewRef(dims), inner);
}

static void destroyView(PyObject *self) {
  ViewObject *view = asView(self);
  for (PyObject *part : {view->source, view->shape, view->dims, view->inner})
    Py_XDECREF(part);
  freeObject(self);
}

bool arrc::python::areSameViews(PyObject *first, PyObject *second) {
  ViewObject *a = asView(first), *b = asView(second);
  return a->inner == b->inner && areSame(a->shape, b->shape) &&
         areSame(a->source, b->source) &&
         PyObject_RichCompareBool(a->dims, b->dims, Py_EQ) == 1;
}

bool arrc::python::isWhole(PyObject *view) {
  ViewObject *self = asView(view);
  if (!areSame(self->shape, self->source))
    return false;
  PyObject *whole = wholeOf(self->source);
  return whole &&
         PyObject_RichCompareBool(self->dims, asView(whole)->dims, Py_EQ) == 1;
}

static PyObject *getIsWhole(PyObject *self, void *) {
  return PyBool_FromLong(isWhole(self));
}

static PyObject *isSameView(PyObject *self, PyObject *other) {
  return PyBool_FromLong(Py_TYPE(other) == graph.view &&
                         areSameViews(self, other));
}

PyObject *arrc::python::wholeOf(PyObject *shape) {
  // Who asks holds no count: what is given out lives on while as many other
  // shapes are asked for.
  static PyObject *known = PyDict_New(), *before = nullptr;
  if (PyObject *view = PyDict_GetItemWithError(known, shape))
    return view;
  if (PyErr_Occurred())
    return nullptr;
  if (PyDict_Size(known) > 4096) {
    PyObject *fresh = PyDict_New();
    if (!fresh)
      return nullptr;
    Py_XDECREF(before);
    before = known;
    known = fresh;
  }
  Py_ssize_t rank = PyTuple_Size(shape);
  PyObject *dims = PyTuple_New(rank);
  for (Py_ssize_t d = 0; dims && d < rank; ++d) {
    bool isOne = PyLong_AsSsize_t(PyTuple_GetItem(shape, d)) == 1;
    PyTuple_SetItem(dims, d, isOne ? makeDim(0, 0, -1) : makeDim(0, 1, d));
  }
  PyObject *view = makeView(shape, Py_NewRef(shape), dims, nullptr);
  if (!view || PyDict_SetItem(known, shape, view)) {
    Py_XDECREF(view);
    return nullptr;
  }
  Py_DECREF(view); // the dictionary's
  return view;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static PyMemberDef viewMembers[] = {ARRC_OBJECT(ViewObject, source),
                                    ARRC_OBJECT(ViewObject, shape),
                                    ARRC_OBJECT(ViewObject, dims),
                                    ARRC_OBJECT(ViewObject, inner),
                                    {nullptr, 0, 0, 0, nullptr}};

static PyGetSetDef viewAttributes[] = {
    {"is_whole", getIsWhole, nullptr, "Whether it is all of `source` as it is.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

static PyMethodDef viewMethods[] = {
    {"is_same", isSameView, METH_O,
     "Whether both are the same elements in the same places."},
    {nullptr, nullptr, 0, nullptr}};

static PyMethodDef wholeMethod = {
    "whole",
    [](PyObject *, PyObject *shape) -> PyObject * {
      PyObject *view = wholeOf(shape);
      return view ? Py_NewRef(view) : nullptr;
    },
    METH_O, "The view of all of an array of a shape."};

void arrc::python::bindViews(nb::module_ &module) {
  static PyType_Slot view[] = {
      {Py_tp_doc, const_cast<char *>("A map of axes to the dimensions of an "
                                     "array of the shape `source`.")},
      {Py_tp_new, (void *)createView},
      {Py_tp_dealloc, (void *)destroyView},
      {Py_tp_members, viewMembers},
      {Py_tp_getset, viewAttributes},
      {Py_tp_methods, viewMethods},
      {0, nullptr}};
  graph.view = makeType(module, "arrc._core.View", sizeof(ViewObject), view);
  module.attr("whole") = nb::steal(PyCFunction_New(&wholeMethod, nullptr));
}
