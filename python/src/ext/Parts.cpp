//===- Parts.cpp - Parts of recorded arrays, and writes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Record.h"

using namespace arrc::python;

//===----------------------------------------------------------------------===//
// Views as operands
//===----------------------------------------------------------------------===//

PyObject *arrc::python::viewOf(HeldObject *array) {
  return array->view == Py_None ? wholeOf(array->shape) : array->view;
}

/// Reads what a view says of one dimension of its source.
static void read(PyObject *dims, Py_ssize_t d, Py_ssize_t (&dim)[3]) {
  PyObject *given = PyTuple_GetItem(dims, d);
  for (Py_ssize_t k = 0; k < 3; ++k)
    dim[k] = PyLong_AsSsize_t(PyTuple_GetItem(given, k));
}

PyObject *arrc::python::broadcast(PyObject *view, PyObject *shape) {
  ViewObject *self = asView(view);
  if (areSame(self->shape, shape))
    return Py_NewRef(self->dims);
  Py_ssize_t rank = PyTuple_Size(self->shape),
             lead = PyTuple_Size(shape) - rank;
  if (lead < 0)
    return nullptr;
  for (Py_ssize_t d = 0; d < rank; ++d) {
    Py_ssize_t own = sizeAt(self->shape, d);
    if (own != 1 && own != sizeAt(shape, lead + d))
      return nullptr;
  }
  Py_ssize_t count = PyTuple_Size(self->dims);
  PyObject *made = PyTuple_New(count);
  for (Py_ssize_t d = 0; made && d < count; ++d) {
    Py_ssize_t dim[3];
    read(self->dims, d, dim);
    bool isOnce = dim[2] < 0 || sizeAt(self->shape, dim[2]) == 1;
    PyTuple_SetItem(made, d,
                    isOnce ? makeDim(dim[0], 0, -1)
                           : makeDim(dim[0], dim[1], lead + dim[2]));
  }
  return made;
}

bool arrc::python::isSettled(PyObject *node, PyObject *view) {
  return asView(view)->inner == Py_None &&
         areSame(asView(view)->source, asNode(node)->shape);
}

PyObject *arrc::python::operandOf(HeldObject *array, PyObject *shape) {
  PyObject *node = asBase(array->base)->node, *view = viewOf(array);
  if (!view || !isSettled(node, view))
    return nullptr;
  PyObject *dims = broadcast(view, shape);
  if (!dims)
    return nullptr;
  asBase(array->base)->touches = asBase(array->base)->asked = 0;
  PyObject *made = PyTuple_Pack(2, node, dims);
  Py_DECREF(dims);
  return made;
}

PyObject *arrc::python::arrayOf(PyObject *base, PyObject *view, PyObject *shape,
                                PyObject *dtype) {
  static auto allocate =
      reinterpret_cast<allocfunc>(PyType_GetSlot(state.arrays, Py_tp_alloc));
  auto *array = base ? reinterpret_cast<HeldObject *>(allocate(state.arrays, 0))
                     : nullptr;
  if (!array)
    return nullptr;
  setBase(array, base);
  array->view = Py_NewRef(view);
  array->shape = Py_NewRef(shape);
  array->dtype = Py_NewRef(dtype);
  array->isScalar = Py_NewRef(Py_False);
  return reinterpret_cast<PyObject *>(array);
}

//===----------------------------------------------------------------------===//
// Parts and writes
//===----------------------------------------------------------------------===//

/// Whether Python looks if a recorded array becomes memory of NumPy's with the
/// next part: after some operations on small ones, and ever more seldom.
static bool isTouched(HeldObject *array) {
  BaseObject *base = asBase(array->base);
  if (!state.limit || base->touches < 2 || base->touches < base->asked)
    return false;
  base->asked = base->touches < 8 ? base->touches + 1 : 2 * base->touches;
  return true;
}

/// The view by integers, slices and None, counted; null where Python has to
/// see to it, which it has to an element and to what is out of bounds.
static PyObject *partOf(HeldObject *array, PyObject *key) {
  PyObject *view = viewOf(array);
  if (!view)
    return nullptr;
  PyObject *sizes = asView(view)->shape;
  Py_ssize_t rank = PyTuple_Size(sizes), at = 0, axes = 0;
  bool isTuple = Py_TYPE(key) == &PyTuple_Type;
  Py_ssize_t parts = isTuple ? PyTuple_Size(key) : 1;
  if (rank > 8 || parts > 8)
    return nullptr;
  // Of each axis of the view: start, step, and the new axis.
  Py_ssize_t starts[8], steps[8], places[8], shape[16];
  for (Py_ssize_t k = 0; k < parts; ++k) {
    PyObject *part = isTuple ? PyTuple_GetItem(key, k) : key;
    if (part == Py_None) {
      shape[axes++] = 1;
      continue;
    }
    if (at == rank)
      return nullptr;
    Py_ssize_t size = sizeAt(sizes, at);
    if (Py_TYPE(part) == &PySlice_Type) {
      Py_ssize_t start, stop, step;
      if (PySlice_Unpack(part, &start, &stop, &step))
        return nullptr;
      shape[axes] = PySlice_AdjustIndices(size, &start, &stop, step);
      starts[at] = start;
      steps[at] = step;
      places[at++] = axes++;
    } else if (Py_TYPE(part) == &PyLong_Type) {
      Py_ssize_t index = PyLong_AsSsize_t(part);
      if (index < -size || index >= size || PyErr_Occurred())
        return nullptr;
      starts[at] = index < 0 ? index + size : index;
      steps[at] = 0;
      places[at++] = -1;
    } else {
      return nullptr;
    }
  }
  for (; at < rank; ++at) {
    shape[axes] = sizeAt(sizes, at);
    starts[at] = 0;
    steps[at] = 1;
    places[at] = axes++;
  }
  if (!axes || axes > 8)
    return nullptr;
  PyObject *old = asView(view)->dims;
  Py_ssize_t count = PyTuple_Size(old);
  PyObject *dims = PyTuple_New(count), *made = PyTuple_New(axes);
  for (Py_ssize_t d = 0; dims && d < count; ++d) {
    Py_ssize_t dim[3];
    read(old, d, dim);
    auto &[start, step, axis] = dim;
    if (axis >= 0) {
      start += step * starts[axis];
      step *= steps[axis];
      axis = places[axis];
    }
    bool isOnce = axis < 0 || shape[axis] == 1;
    PyTuple_SetItem(
        dims, d, isOnce ? makeDim(start, 0, -1) : makeDim(start, step, axis));
  }
  for (Py_ssize_t axis = 0; made && axis < axes; ++axis)
    PyTuple_SetItem(made, axis, PyLong_FromSsize_t(shape[axis]));
  return makeView(asView(view)->source, made, dims, asView(view)->inner);
}

Done arrc::python::viewPart(PyObject *self, PyObject *key, PyObject *&made) {
  HeldObject *array = recordedOf(self);
  if (!array || isTouched(array))
    return Done::No;
  nanobind::object view = nanobind::steal(partOf(array, key));
  if (!view)
    return no();
  // What is computed with a small part is so at once, by NumPy.
  if (!isLarge(asView(view.ptr())->shape) &&
      asNode(asBase(array->base)->node)->value != Py_None)
    ++asBase(array->base)->touches;
  made =
      arrayOf(array->base, view.ptr(), asView(view.ptr())->shape, array->dtype);
  return made ? Done::Yes : Done::Failed;
}

/// Records that elements of a node, as `dims` reads them, are written to a view
/// of a base. Python has to see to what is not computed and to all of an array.
static Done recordUpdate(PyObject *base, PyObject *view, PyObject *source,
                         PyObject *dims) {
  PyObject *under = asBase(base)->node;
  ViewObject *place = asView(view);
  if (!isSettled(under, view) || !isLarge(place->shape))
    return Done::No;
  PyObject *reads = Py_BuildValue("((OO)(OO))", under, Py_None, source, dims);
  nanobind::object node = nanobind::steal(
      makeNode(graph.update, reads, asNode(under)->shape, asNode(under)->dtype,
               nullptr, PyTuple_New(0), place->shape, place->dims));
  if (!node || !append(node.ptr(), productOf(place->shape)))
    return Done::Failed;
  setNode(base, node.ptr());
  return Done::Yes;
}

/// Writes a node to a view of a base.
static Done put(PyObject *base, PyObject *view, PyObject *node,
                PyObject *dims) {
  PyObject *under = asBase(base)->node;
  if (!isWhole(view))
    return recordUpdate(base, view, node, dims);
  if (asView(view)->inner != Py_None ||
      asNode(node)->dtype != asNode(under)->dtype ||
      !areSame(asNode(node)->shape, asNode(under)->shape) ||
      PyObject_RichCompareBool(dims, asView(view)->dims, Py_EQ) != 1)
    return no();
  setNode(base, node);
  return Done::Yes;
}

Done arrc::python::recordPut(PyObject *self, PyObject *key, PyObject *value) {
  HeldObject *array = recordedOf(self), *other = recordedOf(value);
  if (!array || !other || isTouched(array))
    return Done::No;
  nanobind::object view = nanobind::steal(partOf(array, key));
  if (!view)
    return no();
  // Behind `array[key] += x` the elements are there already.
  if (other->base == array->base && other->view != Py_None &&
      areSameViews(view.ptr(), other->view))
    return Done::Yes;
  PyObject *shape = asView(view.ptr())->shape,
           *node = asBase(other->base)->node, *given = viewOf(other);
  bool isReal =
      asDtype(other->dtype)->kind != 'c' || asDtype(array->dtype)->kind == 'c';
  // What is there already may be written at once.
  bool isThere = state.limit && asNode(node)->value != Py_None;
  if (!given || !isReal || isThere || !isLarge(shape) ||
      !isSettled(node, given))
    return no();
  nanobind::object dims = nanobind::steal(broadcast(given, shape));
  return dims ? put(array->base, view.ptr(), node, dims.ptr()) : no();
}

Done arrc::python::recordInplace(Binary op, PyObject *a, PyObject *b) {
  HeldObject *array = recordedOf(a);
  PyObject *made = nullptr;
  if (!array)
    return Done::No;
  PyObject *view = viewOf(array);
  bool isPlain = view && isSettled(asBase(array->base)->node, view);
  if (!isPlain)
    return no();
  PyObject *operands[] = {a, b};
  Done done = recordUfunc(state.binaryUfuncs[op], operands, 2, made, array);
  if (done != Done::Yes)
    return done;
  nanobind::object node = nanobind::steal(made);
  PyObject *whole = wholeOf(array->shape);
  if (!whole)
    return Done::Failed;
  return put(array->base, view, node.ptr(), asView(whole)->dims);
}
