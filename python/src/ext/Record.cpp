//===- Record.cpp - Functions of elements, recorded -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The types of a ufunc's loop are found by Python once for types of operands.
//
//===----------------------------------------------------------------------===//

#include "Record.h"

#include <map>
#include <tuple>

using namespace arrc::python;

//===----------------------------------------------------------------------===//
// Loops of ufuncs
//===----------------------------------------------------------------------===//

namespace {
constexpr Py_ssize_t mostOperands = 3;

/// How a ufunc computes operands of some types.
struct Loop {
  PyObject *name = nullptr; ///< null: Python has to see to it
  PyObject *types = nullptr, *result = nullptr;
  Py_ssize_t bytes[mostOperands] = {}; ///< of an element of each operand
  /// What the nodes know of it, by the operands that are numbers, one a bit.
  PyObject *extra[1 << mostOperands] = {};
  Py_ssize_t kind[1 << mostOperands] = {};
};

/// An operand: an array, or a number of Python's or NumPy's.
struct Operand {
  PyObject *value;
  HeldObject *array;
  PyObject *kind; ///< a type of elements, or the class of a number of Python's
};
} // namespace

static PyObject *typeAt(const Loop &loop, Py_ssize_t k) {
  return PyTuple_GetItem(loop.types, k);
}

/// Asks Python for the loop of a ufunc; false with an exception.
static bool find(Loop &loop, PyObject *ufunc, const Operand *operands,
                 Py_ssize_t count) {
  PyObject *kinds = PyTuple_New(count);
  for (Py_ssize_t k = 0; kinds && k < count; ++k)
    PyTuple_SetItem(kinds, k, Py_NewRef(operands[k].kind));
  PyObject *found =
      kinds ? PyObject_CallFunctionObjArgs(state.loop, ufunc, kinds, nullptr)
            : nullptr;
  Py_XDECREF(kinds);
  if (!found)
    return false;
  if (found != Py_None) {
    loop.name = Py_NewRef(PyTuple_GetItem(found, 0));
    loop.types = Py_NewRef(PyTuple_GetItem(found, 1));
    loop.result = Py_NewRef(PyTuple_GetItem(found, 2));
    for (Py_ssize_t k = 0; k < count; ++k) {
      PyObject *bytes = PyObject_GetAttrString(typeAt(loop, k), "itemsize");
      loop.bytes[k] = bytes ? PyLong_AsSsize_t(bytes) : 0;
      Py_XDECREF(bytes);
    }
  }
  Py_DECREF(found);
  return !PyErr_Occurred();
}

/// The loop for operands; null with an exception.
static Loop *loopOf(PyObject *ufunc, const Operand *operands,
                    Py_ssize_t count) {
  using Key = std::tuple<PyObject *, PyObject *, PyObject *, PyObject *>;
  // Ufuncs and types of elements stay.
  static auto &known = *new std::map<Key, Loop>;
  Key key = {ufunc, operands[0].kind, count > 1 ? operands[1].kind : nullptr,
             count > 2 ? operands[2].kind : nullptr};
  auto place = known.find(key);
  if (place != known.end())
    return &place->second;
  Loop loop;
  if (!find(loop, ufunc, operands, count))
    return nullptr;
  Py_INCREF(ufunc);
  return &known.emplace(key, loop).first->second;
}

static PyObject *extraOf(Loop &loop, unsigned numbers, Py_ssize_t count) {
  PyObject *&extra = loop.extra[numbers];
  if (!extra) {
    char pattern[mostOperands + 1] = {};
    for (Py_ssize_t k = 0; k < count; ++k)
      pattern[k] = numbers >> k & 1 ? 'n' : 'a';
    extra = Py_BuildValue("(OOs)", loop.name, loop.types, pattern);
  }
  return extra;
}

static bool isKnown(PyObject *dtype) {
  for (PyObject *known : state.known)
    if (known == dtype)
      return true;
  return false;
}

/// Looks at an operand; false where Python has to see to it.
static bool take(PyObject *value, Operand &operand) {
  operand = {value, recordedOf(value), nullptr};
  if (operand.array) {
    operand.kind = operand.array->dtype;
    return isKnown(operand.kind);
  }
  PyTypeObject *type = Py_TYPE(value);
  if (type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type) {
    operand.kind = reinterpret_cast<PyObject *>(type);
    return true;
  }
  if (!PyType_IsSubtype(type, state.scalars))
    return false;
  // NumPy's scalars: there is one class for each type of elements.
  for (PyObject *known : state.known)
    if (asDtype(known)->scalar == type) {
      operand.kind = known;
      return true;
    }
  return false;
}

/// Whether a number of Python's can be one of a type without a word.
static bool fits(PyObject *number, PyObject *dtype, Py_ssize_t bytes) {
  char kind = asDtype(dtype)->kind;
  PyTypeObject *type = Py_TYPE(number);
  if (type == &PyBool_Type)
    return true;
  if (type == &PyLong_Type) {
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow || kind == 'b')
      return false;
    if (kind == 'i' || kind == 'u') {
      int bits = int(bytes) * 8 - (kind == 'i');
      bool isLow =
          kind == 'i' ? bits == 63 || value >= -(1LL << bits) : value >= 0;
      return isLow && (bits >= 63 || value < 1LL << bits);
    }
    return bytes > 2 || (value > -60000 && value < 60000);
  }
  double value = PyFloat_AsDouble(number), size = value < 0 ? -value : value;
  if (kind == 'f')
    return bytes == 8 || size < (bytes == 4 ? 3e38 : 6e4) || value != value;
  return kind == 'c' && (bytes == 16 || size < 3e38);
}

/// A number in the type of the loop, counted; null: Python has to see to it.
static PyObject *numberOf(const Operand &operand, PyObject *dtype,
                          Py_ssize_t bytes) {
  if (PyType_IsSubtype(Py_TYPE(operand.value), state.scalars))
    return operand.kind == dtype ? Py_NewRef(operand.value) : nullptr;
  if (!fits(operand.value, dtype, bytes))
    return nullptr;
  return PyObject_CallFunctionObjArgs(
      reinterpret_cast<PyObject *>(asDtype(dtype)->scalar), operand.value,
      nullptr);
}

//===----------------------------------------------------------------------===//
// Functions of elements
//===----------------------------------------------------------------------===//

/// The shape to which operands are repeated, counted; null where they do not
/// fit, or without an array.
static PyObject *spread(const Operand *operands, Py_ssize_t count) {
  PyObject *shape = nullptr;
  bool isOne = true;
  Py_ssize_t rank = 0, sizes[8];
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (!operands[k].array)
      continue;
    PyObject *own = operands[k].array->shape;
    if (shape && areSame(shape, own))
      continue;
    isOne &= !shape;
    shape = own;
    Py_ssize_t ranks = PyTuple_Size(own);
    if (ranks > 8)
      return nullptr;
    for (Py_ssize_t d = 0; d < ranks; ++d) { // from the last one on
      Py_ssize_t size = sizeAt(own, ranks - 1 - d);
      if (d == rank)
        sizes[rank++] = size;
      else if (sizes[d] == 1)
        sizes[d] = size;
      else if (size != 1 && size != sizes[d])
        return nullptr;
    }
  }
  if (!shape)
    return nullptr;
  if (isOne)
    return Py_NewRef(shape);
  PyObject *made = PyTuple_New(rank);
  for (Py_ssize_t d = 0; made && d < rank; ++d)
    PyTuple_SetItem(made, d, PyLong_FromSsize_t(sizes[rank - 1 - d]));
  return made;
}

/// Takes another ufunc for powers by some numbers, as Python's side does; false
/// where that has to see to it.
static bool choosePower(PyObject *&ufunc, PyObject *a, PyObject *b,
                        Py_ssize_t &count) {
  PyTypeObject *type = Py_TYPE(b);
  if (type != &PyLong_Type && type != &PyFloat_Type)
    return true;
  double exponent = PyFloat_AsDouble(b);
  if (PyErr_Occurred() || exponent == 1 || exponent == 0.5)
    return false;
  if (exponent != 2)
    return true;
  HeldObject *array = recordedOf(a);
  char kind = array ? asDtype(array->dtype)->kind : 0;
  ufunc = state.square;
  count = 1;
  return kind == 'f' || kind == 'c';
}

Done arrc::python::recordUfunc(PyObject *ufunc, PyObject *const *args,
                               Py_ssize_t count, PyObject *&made,
                               HeldObject *into) {
  if (count < 1 || count > mostOperands || !graph.recorder)
    return Done::No;
  if (ufunc == state.binaryUfuncs[Power] && count == 2 &&
      !choosePower(ufunc, args[0], args[1], count))
    return no();
  Operand operands[mostOperands];
  bool hasArray = false;
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (!take(args[k], operands[k]))
      return Done::No;
    hasArray |= operands[k].array != nullptr;
  }
  if (!hasArray)
    return Done::No;
  nanobind::object shape = nanobind::steal(spread(operands, count));
  if (!shape || !isLarge(shape.ptr()))
    return no();
  Loop *loop = loopOf(ufunc, operands, count);
  if (!loop || !loop->name)
    return no();
  if (into &&
      (loop->result != into->dtype || !areSame(shape.ptr(), into->shape)))
    return Done::No;
  Py_ssize_t arrays = 0, numbers = 0;
  unsigned pattern = 0;
  nanobind::object parts[mostOperands];
  for (Py_ssize_t k = 0; k < count; ++k) {
    bool isArray = operands[k].array;
    parts[k] = nanobind::steal(
        isArray ? operandOf(operands[k].array, shape.ptr())
                : numberOf(operands[k], typeAt(*loop, k), loop->bytes[k]));
    if (!parts[k])
      return no();
    ++(isArray ? arrays : numbers);
    pattern |= unsigned(!isArray) << k;
  }
  PyObject *reads = PyTuple_New(arrays), *scalars = PyTuple_New(numbers);
  arrays = numbers = 0;
  for (Py_ssize_t k = 0; reads && scalars && k < count; ++k) {
    bool isArray = operands[k].array;
    PyTuple_SetItem(isArray ? reads : scalars, (isArray ? arrays : numbers)++,
                    parts[k].release().ptr());
  }
  nanobind::object node = nanobind::steal(
      makeNode(graph.map, reads, shape.ptr(), loop->result,
               extraOf(*loop, pattern, count), scalars, nullptr, nullptr));
  if (!node)
    return Done::Failed;
  Py_ssize_t &kind = loop->kind[pattern];
  asNode(node.ptr())->kind = kind;
  kind = kindOf(node.ptr());
  if (!kind || !append(node.ptr(), productOf(shape.ptr())))
    return Done::Failed;
  if (into) {
    made = node.release().ptr();
    return Done::Yes;
  }
  nanobind::object base = nanobind::steal(makeBase(node.ptr()));
  made = arrayOf(base.ptr(), Py_None, shape.ptr(), loop->result);
  return made ? Done::Yes : Done::Failed;
}

Done arrc::python::recordBinary(Binary op, PyObject *a, PyObject *b,
                                PyObject *&made) {
  PyObject *operands[] = {a, b};
  return recordUfunc(state.binaryUfuncs[op], operands, 2, made);
}
