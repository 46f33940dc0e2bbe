//===- Graph.h - What arrc.numpy records ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The objects of the graph of recorded operations, which Python's side of
// `arrc.numpy` reads and makes as well: nodes, bases, views, the recorder. What
// they mean is said in `arrc/numpy/_graph.py` and `_views.py`.
//
// None of them takes part in the garbage collection: a node knows older ones
// alone, so there are no cycles.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_GRAPH_H
#define ARRC_PYTHON_GRAPH_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <unordered_map>

namespace arrc::python {

struct HeldObject;

/// A value: an operation on operands, or an array that is there.
struct NodeObject {
  PyObject head;
  PyObject *op;       ///< its name
  PyObject *operands; ///< a tuple of pairs: node, `dims` as in views, or None
  PyObject *extra;    ///< what else tells operations of one kind apart
  PyObject *numbers;  ///< a tuple of NumPy's scalars: parameters of a program
  PyObject *shape, *dtype;
  PyObject *loop; ///< the sizes of the loop over the operands
  PyObject
      *place; ///< where an update writes: `dims`, whose axes are the loop's
  PyObject *value; ///< None until it is there
  PyObject *respite;
  Py_ssize_t refs;  ///< how many bases hold it
  Py_ssize_t order; ///< counts recorded nodes
  Py_ssize_t kind;  ///< a number for op, extra and dtype; 0: not looked up yet
};

/// What a write changes: the newest value of some memory.
struct BaseObject {
  PyObject head;
  PyObject *node;
  Py_ssize_t touches; ///< operations on small parts since one on a large part
  Py_ssize_t asked;   ///< how many there are when Python is asked about it
  HeldObject *arrays; ///< the arrays that have it, linked
};

/// A map of axes to the dimensions of a dense array.
struct ViewObject {
  PyObject head;
  PyObject *source, *shape, *dims, *inner;
};

/// The nodes that are not computed, in the order in which they came.
struct RecorderObject {
  PyObject head;
  PyObject *pending; ///< a list
  PyObject *late;    ///< a list of nodes that are put off
  PyObject *kept;    ///< a set of places where such a node was used after all
  PyObject *run;     ///< Python's function that computes what is pending
  Py_ssize_t count;  ///< of all nodes so far
  Py_ssize_t cost;   ///< the elements of all that is pending
  Py_ssize_t eager;  ///< operations on so many elements NumPy computes at once
  Py_ssize_t first;  ///< the place of the first that is pending
  /// After how many operations a place that comes again starts a program, from
  /// how many elements on, and after how many any place does.
  Py_ssize_t loop, heavy, most;
  Py_ssize_t again; ///< the earliest pending node at whose place the script was
                    ///< twice
  /// The places of the script, with the first pending node of each.
  std::unordered_map<uint64_t, Py_ssize_t> *places;
};

/// What the interpreter and `arrc.numpy` have for the graph, once in a process.
struct GraphTypes {
  PyTypeObject *node = nullptr, *base = nullptr, *view = nullptr;
  RecorderObject *recorder = nullptr;
  PyObject *map = nullptr, *update = nullptr, *leaf = nullptr; ///< operations
};

extern GraphTypes &graph;

inline NodeObject *asNode(PyObject *object) {
  return reinterpret_cast<NodeObject *>(object);
}
inline BaseObject *asBase(PyObject *object) {
  return reinterpret_cast<BaseObject *>(object);
}
inline ViewObject *asView(PyObject *object) {
  return reinterpret_cast<ViewObject *>(object);
}

/// Makes a node. The references of the tuples are taken over; the others are
/// borrowed, and null stands for None.
PyObject *makeNode(PyObject *op, PyObject *operands, PyObject *shape,
                   PyObject *dtype, PyObject *extra, PyObject *numbers,
                   PyObject *loop, PyObject *place);
/// Makes a base that holds a node.
PyObject *makeBase(PyObject *node);
/// Gives a base another node.
void setNode(PyObject *base, PyObject *node);
/// What a view says of a dimension of its source.
PyObject *makeDim(Py_ssize_t start, Py_ssize_t step, Py_ssize_t axis);
/// Makes a view; the references of shape and dims are taken over.
PyObject *makeView(PyObject *source, PyObject *shape, PyObject *dims,
                   PyObject *inner);
/// The view of all of an array, borrowed; null with an exception.
PyObject *wholeOf(PyObject *shape);
/// Whether two views are the same elements in the same places.
bool areSameViews(PyObject *first, PyObject *second);
/// Whether a view is all of its source as it is.
bool isWhole(PyObject *view);
/// Appends a node of `size` elements to what is pending, after having that run
/// where a loop of the script comes again. False with an exception.
bool append(PyObject *node, Py_ssize_t size);

/// A number for the operation of a node, its type and `extra`; 0 with an
/// exception.
Py_ssize_t kindOf(PyObject *node);

/// The product of a tuple of sizes.
Py_ssize_t productOf(PyObject *shape);
/// Whether two tuples of sizes are equal.
bool areSame(PyObject *first, PyObject *second);

/// Adds the classes, and the functions that read a graph's structure.
void bindGraph(nanobind::module_ &module);
void bindViews(nanobind::module_ &module);
void bindPlan(nanobind::module_ &module);

} // namespace arrc::python

#endif // ARRC_PYTHON_GRAPH_H
