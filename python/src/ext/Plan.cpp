//===- Plan.cpp - The structure of a graph --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Puts the nodes of a graph in order and writes down what tells its structure
// from others, as bytes: operations, types, ranks, which sizes are equal, the
// steps of views. A program is looked up by them; sizes, starts, arrays and
// numbers are its arguments.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace arrc::python;
namespace nb = nanobind;

Py_ssize_t arrc::python::kindOf(PyObject *object) {
  static PyObject *known = PyDict_New();
  static Py_ssize_t last = 0;
  NodeObject *node = asNode(object);
  if (node->kind)
    return node->kind;
  PyObject *key = PyTuple_Pack(3, node->op, node->extra, node->dtype);
  PyObject *found = key ? PyDict_GetItemWithError(known, key) : nullptr;
  if (found) {
    node->kind = PyLong_AsSsize_t(found);
  } else if (key && !PyErr_Occurred()) {
    // Numbers are not given twice: what has an old one is another kind.
    if (PyDict_Size(known) > 1 << 16)
      PyDict_Clear(known);
    PyObject *number = PyLong_FromSsize_t(++last);
    if (number && !PyDict_SetItem(known, key, number))
      node->kind = last;
    Py_XDECREF(number);
  }
  Py_XDECREF(key);
  return node->kind;
}

namespace {
class Structure {
public:
  /// Reads the graph of nodes; false with an exception.
  bool read(PyObject *wanted);
  /// The nodes in order, the key, sizes, starts, arrays and numbers.
  nb::object all() const;

private:
  void order(PyObject *wanted);
  bool readNode(NodeObject *node);
  void readOperand(NodeObject *source, PyObject *dims);
  void put(Py_ssize_t value);
  void putSize(PyObject *size);
  void putSizes(PyObject *shape);
  void putDims(PyObject *dims, PyObject *shape);

  std::string key;
  std::vector<NodeObject *> nodes;
  std::unordered_map<PyObject *, Py_ssize_t> places; ///< of nodes in order
  std::unordered_map<PyObject *, Py_ssize_t> arrays; ///< places in `leaves`
  std::vector<Py_ssize_t> sizes;
  nb::list sizeList, starts, leaves, numbers;
};
} // namespace

/// Small numbers are one byte, the others nine.
void Structure::put(Py_ssize_t value) {
  if (value >= 0 && value < 255) {
    key += char(value);
    return;
  }
  key += char(255);
  key.append(reinterpret_cast<const char *>(&value), sizeof value);
}

void Structure::putSize(PyObject *size) {
  Py_ssize_t value = PyLong_AsSsize_t(size);
  if (value == 1) {
    put(0);
    return;
  }
  size_t place =
      size_t(std::find(sizes.begin(), sizes.end(), value) - sizes.begin());
  if (place == sizes.size()) {
    sizes.push_back(value);
    sizeList.append(nb::borrow(size));
  }
  put(Py_ssize_t(place) + 1);
}

void Structure::putSizes(PyObject *shape) {
  Py_ssize_t rank = PyTuple_Size(shape);
  put(rank);
  for (Py_ssize_t d = 0; d < rank; ++d)
    putSize(PyTuple_GetItem(shape, d));
}

void Structure::putDims(PyObject *dims, PyObject *shape) {
  if (dims == Py_None) {
    put(0);
    return;
  }
  Py_ssize_t rank = PyTuple_Size(dims);
  put(rank + 1);
  for (Py_ssize_t d = 0; d < rank; ++d) {
    PyObject *dim = PyTuple_GetItem(dims, d), *start = PyTuple_GetItem(dim, 0);
    bool isMoved = PyLong_AsSsize_t(start) != 0;
    if (isMoved)
      starts.append(nb::make_tuple(nb::borrow(start),
                                   nb::borrow(PyTuple_GetItem(shape, d))));
    put(isMoved);
    put(PyLong_AsSsize_t(PyTuple_GetItem(dim, 1)));
    put(PyLong_AsSsize_t(PyTuple_GetItem(dim, 2)));
  }
}

void Structure::order(PyObject *wanted) {
  std::vector<NodeObject *> stack;
  for (Py_ssize_t k = 0, count = PyList_Size(wanted); k < count; ++k)
    stack.push_back(asNode(PyList_GetItem(wanted, k)));
  while (!stack.empty()) {
    NodeObject *node = stack.back();
    stack.pop_back();
    if (!places.try_emplace(&node->head, 0).second)
      continue;
    nodes.push_back(node);
    for (Py_ssize_t k = 0, count = PyTuple_Size(node->operands); k < count;
         ++k) {
      PyObject *operand = PyTuple_GetItem(node->operands, k);
      NodeObject *source = asNode(PyTuple_GetItem(operand, 0));
      if (source->value == Py_None)
        stack.push_back(source);
    }
  }
  std::sort(nodes.begin(), nodes.end(),
            [](NodeObject *a, NodeObject *b) { return a->order < b->order; });
  for (size_t k = 0; k < nodes.size(); ++k)
    places[&nodes[k]->head] = Py_ssize_t(k);
}

void Structure::readOperand(NodeObject *source, PyObject *dims) {
  auto place = places.find(&source->head);
  if (place != places.end()) {
    put(0);
    put(place->second);
  } else { // an array that is there
    auto [found, isNew] =
        arrays.try_emplace(source->value, Py_ssize_t(arrays.size()));
    put(isNew ? 2 : 1);
    put(found->second);
    if (isNew) {
      leaves.append(nb::borrow(&source->head));
      put(Py_ssize_t(reinterpret_cast<intptr_t>(source->dtype)));
      putSizes(source->shape);
    }
  }
  putDims(dims, source->shape);
}

bool Structure::readNode(NodeObject *node) {
  Py_ssize_t kind = kindOf(&node->head);
  if (!kind)
    return false;
  put(kind);
  Py_ssize_t operands = PyTuple_Size(node->operands);
  put(operands);
  for (Py_ssize_t k = 0; k < operands; ++k) {
    PyObject *operand = PyTuple_GetItem(node->operands, k);
    readOperand(asNode(PyTuple_GetItem(operand, 0)),
                PyTuple_GetItem(operand, 1));
  }
  putSizes(node->shape);
  put(node->loop != node->shape);
  if (node->loop != node->shape)
    putSizes(node->loop);
  putDims(node->place, node->shape);
  Py_ssize_t count = PyTuple_Size(node->numbers);
  put(count);
  for (Py_ssize_t k = 0; k < count; ++k) {
    PyObject *number = PyTuple_GetItem(node->numbers, k);
    // The classes of NumPy's scalars stay.
    put(Py_ssize_t(reinterpret_cast<intptr_t>(Py_TYPE(number))));
    numbers.append(nb::borrow(number));
  }
  return true;
}

bool Structure::read(PyObject *wanted) {
  order(wanted);
  for (NodeObject *node : nodes)
    if (!readNode(node))
      return false;
  for (Py_ssize_t k = 0, count = PyList_Size(wanted); k < count; ++k)
    put(places[PyList_GetItem(wanted, k)]);
  return !PyErr_Occurred();
}

nb::object Structure::all() const {
  nb::list ordered;
  for (NodeObject *node : nodes)
    ordered.append(nb::borrow(&node->head));
  return nb::make_tuple(ordered, nb::bytes(key.data(), key.size()), sizeList,
                        starts, leaves, numbers);
}

void arrc::python::bindPlan(nb::module_ &module) {
  module.def(
      "structure",
      [](nb::list wanted) {
        Structure structure;
        if (!structure.read(wanted.ptr()))
          throw nb::python_error();
        return structure.all();
      },
      "What a graph is made of: its nodes in order, a key that tells its "
      "structure, sizes, starts with the sizes of their dimensions, arrays and "
      "numbers.");
}
