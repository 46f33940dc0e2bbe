//===- Forward.cpp - Functions that are NumPy's for small arrays ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `Forward` is a function or method: where its arguments are small arrays,
// numbers and the like it calls the function of NumPy's of the same meaning,
// and wraps what that makes; else the function that records the operation.
//
//===----------------------------------------------------------------------===//

#include "Record.h"

#include <structmember.h>

using namespace arrc::python;
namespace nb = nanobind;

namespace {
struct ForwardObject {
  PyObject head;
  vectorcallfunc call;
  PyObject *fast, *slow; ///< NumPy's function, and what is called else
  PyObject *name;
  long kind;
};

/// What a `Forward` knows of its function; the values are Python's as well.
enum Kind : long {
  Plain = 0,
  /// Its result has the shape to which its operands are repeated.
  Spreads = 1,
  /// It makes an array of a shape, which is its first argument.
  Makes = 2,
  /// Its result may have as many elements as its operands' product.
  Multiplies = 3,
  /// It makes an array of the numbers between two, which are its arguments.
  Counts = 4,
  /// Its operands do not meet in one type.
  Apart = 5,
  /// Likewise, and an element takes NumPy many times what a sum takes.
  Dear = 6,
  /// Its first operand says where the others are taken, whose types meet.
  Chooses = 7
};

/// How many times.
constexpr Py_ssize_t dearness = 16;
} // namespace

namespace {
/// The arguments of a call as NumPy takes them.
struct Arguments {
  static constexpr size_t most = 12;
  PyObject *given[most], *plain[most];
  PyObject *kept[most]; ///< lists that were made for the call
  size_t lists = 0;
  size_t count = 0;
  /// The first array among them; what the sizes of all come to.
  PyObject *first = nullptr;
  Py_ssize_t product = 1, largest = 0;
  Spread spread;
  bool isApart = false; ///< whether the types do not meet

  ~Arguments() {
    while (lists)
      Py_XDECREF(kept[--lists]);
  }
  bool add(PyObject *value);
  bool addArray(PyObject *held);
  PyObject *list(PyObject *value);
};
} // namespace

bool Arguments::addArray(PyObject *held) {
  numpy::Array *array = asNumPy(held);
  if (!first) {
    first = held;
  } else {
    numpy::Array *other = asNumPy(first);
    if (array->dtype != other->dtype && !state.promotesWeakly && !isApart &&
        !(array->rank && other->rank))
      return false;
  }
  spread.add(array);
  Py_ssize_t size = numpy::sizeOf(array);
  largest = std::max(largest, size);
  product = size > state.limit || product > state.limit ? state.limit + 1
                                                        : product * size;
  return true;
}

/// An array of NumPy's itself that is small, and as an array of arrc.numpy's
/// may be.
static bool isSmallNumPys(PyObject *value) {
  if (Py_TYPE(value) != state.numpys)
    return false;
  numpy::Array *array = asNumPy(value);
  Py_ssize_t size = numpy::sizeOf(array);
  return array->rank && size && size <= state.limit &&
         isKnownType(array->dtype);
}

/// A list or tuple of small arrays, or of numbers; null if it has other things.
PyObject *Arguments::list(PyObject *value) {
  bool isTuple = Py_TYPE(value) == &PyTuple_Type;
  Py_ssize_t size = PySequence_Size(value), arrays = 0;
  auto item = [&](Py_ssize_t k) {
    return isTuple ? PyTuple_GetItem(value, k) : PyList_GetItem(value, k);
  };
  for (Py_ssize_t k = 0; k < size; ++k) {
    PyObject *held = heldOf(item(k));
    PyTypeObject *type = Py_TYPE(item(k));
    if (held ? !addArray(held) : type != &PyLong_Type && type != &PyFloat_Type)
      return nullptr;
    arrays += held != nullptr;
  }
  if (!arrays)
    return value;
  if (arrays != size)
    return nullptr;
  PyObject *made = isTuple ? PyTuple_New(size) : PyList_New(size);
  for (Py_ssize_t k = 0; made && k < size; ++k) {
    PyObject *held = Py_NewRef(heldOf(item(k)));
    if (isTuple)
      PyTuple_SetItem(made, k, held);
    else
      PyList_SetItem(made, k, held);
  }
  kept[lists++] = made;
  return made;
}

bool Arguments::add(PyObject *value) {
  PyTypeObject *type = Py_TYPE(value);
  PyObject *same = nullptr;
  if (PyObject *held = heldOf(value)) {
    if (!addArray(held))
      return false;
    same = held;
  } else if (isSmallNumPys(value)) {
    if (!addArray(value))
      return false;
    same = value;
  } else if (type == &PyTuple_Type || type == &PyList_Type) {
    same = list(value);
  } else if (value == Py_None || type == &PyBool_Type ||
             type == &PyUnicode_Type || type == &PyType_Type ||
             PyType_IsSubtype(type, state.dtypes)) {
    same = value;
  } else if (first && !isApart
                 ? isNumber(value, first)
                 : type == &PyLong_Type || type == &PyFloat_Type) {
    // A number before the arrays is looked at once these are known.
    same = value;
  }
  if (!same)
    return false;
  given[count] = value;
  plain[count++] = same;
  return true;
}

/// Whether a shape is of something small.
static bool isSmallShape(PyObject *shape) {
  PyTypeObject *type = Py_TYPE(shape);
  Py_ssize_t product = 1,
             count = type == &PyTuple_Type ? PyTuple_Size(shape) : 1;
  if (type != &PyTuple_Type && type != &PyLong_Type)
    return false;
  for (Py_ssize_t k = 0; k < count; ++k) {
    PyObject *item = type == &PyTuple_Type ? PyTuple_GetItem(shape, k) : shape;
    if (Py_TYPE(item) != &PyLong_Type)
      return false;
    Py_ssize_t size = PyLong_AsSsize_t(item);
    if (size <= 0 || size > state.limit) {
      PyErr_Clear();
      return false;
    }
    product *= size;
    if (product > state.limit)
      return false;
  }
  return count > 0;
}

/// Whether a start, an end and a step, or some of them, are those of few
/// numbers.
static bool isSmallRange(PyObject *const *args, size_t count) {
  double numbers[3] = {0, 0, 1};
  if (count < 1 || count > 3)
    return false;
  for (size_t k = 0; k < count; ++k) {
    PyTypeObject *type = Py_TYPE(args[k]);
    if (type != &PyLong_Type && type != &PyFloat_Type)
      return false;
    numbers[count == 1 ? 1 : k] = PyFloat_AsDouble(args[k]);
  }
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  double size = (numbers[1] - numbers[0]) / numbers[2];
  return size > 0 && size <= double(state.limit);
}

/// The argument of which an array is NumPy's, or null.
static PyObject *givenAs(PyObject *made, const Arguments &arguments) {
  for (size_t k = 0; k < arguments.count; ++k) {
    PyObject *given = arguments.given[k];
    bool isTuple = Py_TYPE(given) == &PyTuple_Type && PyTuple_Size(given);
    if (isTuple) // out=(array,)
      given = PyTuple_GetItem(given, 0);
    if (arguments.plain[k] == made || (isTuple && heldOf(given) == made))
      return given;
  }
  return nullptr;
}

/// What NumPy made of arguments: an argument itself where it is one.
static PyObject *wrappedOf(PyObject *made, const Arguments &arguments) {
  if (!made)
    return nullptr;
  if (Py_TYPE(made) == state.numpys) {
    PyObject *given = givenAs(made, arguments);
    if (!given)
      return wrapped(made);
    Py_DECREF(made);
    return Py_NewRef(given);
  }
  bool isTuple = Py_TYPE(made) == &PyTuple_Type;
  if (!isTuple && Py_TYPE(made) != &PyList_Type)
    return made;
  Py_ssize_t size = PySequence_Size(made);
  PyObject *all = isTuple ? PyTuple_New(size) : PyList_New(size);
  for (Py_ssize_t k = 0; all && k < size; ++k) {
    PyObject *item =
        isTuple ? PyTuple_GetItem(made, k) : PyList_GetItem(made, k);
    PyObject *given = givenAs(item, arguments);
    item = given ? Py_NewRef(given) : wrapped(Py_NewRef(item));
    if (!item || (isTuple ? PyTuple_SetItem(all, k, item)
                          : PyList_SetItem(all, k, item)))
      Py_CLEAR(all);
  }
  Py_DECREF(made);
  return all;
}

static bool takeAll(ForwardObject *self, PyObject *const *args,
                    size_t positional, size_t count, PyObject *names,
                    Arguments &arguments) {
  if (!state.limit || !count || count > Arguments::most)
    return false;
  arguments.isApart = self->kind == Apart || self->kind == Dear;
  for (size_t k = 0; k < count; ++k) {
    if (!arguments.add(args[k]))
      return false;
    if (!k && self->kind == Chooses) {
      if (!arguments.first)
        return false;
      arguments.first = nullptr; // its type meets no other
    }
  }
  for (Py_ssize_t k = 0; names && k < PyTuple_Size(names); ++k)
    if (PySequence_Contains(state.options, PyTuple_GetItem(names, k)) != 1)
      return false;
  if (self->kind == Counts)
    return !arguments.first && isSmallRange(args, positional);
  if (self->kind == Makes)
    return !arguments.first && isSmallShape(args[0]);
  if (!arguments.first)
    return self->kind == Chooses
               ? arguments.spread.size() <= state.limit
               : self->kind != Spreads && self->kind != Multiplies;
  if (self->kind == Dear)
    return arguments.largest <= state.limit / dearness;
  if (!state.promotesWeakly && !arguments.isApart)
    for (size_t k = 0; k < count; ++k) {
      PyTypeObject *type = Py_TYPE(args[k]);
      if ((type == &PyLong_Type || type == &PyFloat_Type) &&
          !isNumber(args[k], arguments.first))
        return false;
    }
  if (self->kind == Spreads || self->kind == Chooses)
    return arguments.spread.size() <= state.limit;
  return self->kind != Multiplies || arguments.product <= state.limit;
}

/// Whether a value is a number of Python's or NumPy's.
static bool isAnyNumber(PyObject *value) {
  PyTypeObject *type = Py_TYPE(value);
  return type == &PyFloat_Type || type == &PyLong_Type ||
         PyType_IsSubtype(type, state.scalars);
}

static PyObject *callForward(PyObject *callable, PyObject *const *args,
                             size_t flags, PyObject *names) {
  auto *self = reinterpret_cast<ForwardObject *>(callable);
  size_t positional = size_t(PyVectorcall_NARGS(flags));
  size_t count = positional + (names ? size_t(PyTuple_Size(names)) : 0);
  Arguments arguments;
  if (takeAll(self, args, positional, count, names, arguments))
    return wrappedOf(
        PyObject_Vectorcall(self->fast, arguments.plain, positional, names),
        arguments);
  if (PyErr_Occurred())
    return nullptr;
  // A function of numbers has nothing to record.
  if (self->kind == Spreads && count && count <= 2 && !names &&
      isAnyNumber(args[0]) && isAnyNumber(args[count - 1]))
    return wrappedOf(PyObject_Vectorcall(self->fast, args, count, nullptr),
                     Arguments());
  PyObject *made = nullptr;
  if (!names && Py_TYPE(self->fast) == state.ufuncs &&
      recordUfunc(self->fast, args, Py_ssize_t(count), made) != Done::No)
    return made;
  return PyObject_Vectorcall(self->slow, args, positional, names);
}

PyObject *arrc::python::arrayUfunc(PyObject *self, PyObject *args,
                                   PyObject *options) {
  Py_ssize_t count = PyTuple_Size(args) - 2;
  if (count > 0 && count <= Py_ssize_t(Arguments::most) &&
      (!options || !PyDict_Size(options)) &&
      PyUnicode_CompareWithASCIIString(PyTuple_GetItem(args, 1), "__call__") ==
          0) {
    Arguments arguments;
    bool isTaken = state.limit;
    for (Py_ssize_t k = 0; k < count; ++k)
      arguments.given[k] = PyTuple_GetItem(args, k + 2);
    PyObject *made = nullptr;
    Done done =
        recordUfunc(PyTuple_GetItem(args, 0), arguments.given, count, made);
    if (done != Done::No)
      return made;
    // Arrays first, beside which numbers are looked at.
    for (Py_ssize_t k = 0; isTaken && k < count; ++k) {
      PyObject *held = heldOf(PyTuple_GetItem(args, k + 2));
      isTaken = !held || arguments.addArray(held);
    }
    for (Py_ssize_t k = 0; isTaken && k < count; ++k) {
      PyObject *value = PyTuple_GetItem(args, k + 2), *held = heldOf(value);
      isTaken = arguments.first && (held || isNumber(value, arguments.first));
      arguments.given[k] = value;
      arguments.plain[k] = held ? held : value;
    }
    if (isTaken && arguments.spread.size() <= state.limit) {
      arguments.count = size_t(count);
      return wrappedOf(PyObject_Vectorcall(PyTuple_GetItem(args, 0),
                                           arguments.plain, size_t(count),
                                           nullptr),
                       arguments);
    }
  }
  PyObject *function = PyObject_GetAttrString(state.ufunc, "__call__");
  PyObject *made = function ? PyObject_Call(function, args, options) : nullptr;
  Py_XDECREF(function);
  (void)self;
  return made;
}

static PyObject *getForward(PyObject *self, PyObject *object, PyObject *) {
  if (!object || object == Py_None)
    return Py_NewRef(self);
  return PyObject_CallFunctionObjArgs(state.method, self, object, nullptr);
}

static PyObject *createForward(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *fast, *slow, *name;
  long kind = Plain;
  if (!PyArg_ParseTuple(args, "OOO|l", &fast, &slow, &name, &kind))
    return nullptr;
  auto allocate =
      reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  auto *self = reinterpret_cast<ForwardObject *>(allocate(type, 0));
  if (!self)
    return nullptr;
  self->call = callForward;
  self->fast = Py_NewRef(fast);
  self->slow = Py_NewRef(slow);
  self->name = Py_NewRef(name);
  self->kind = kind;
  return reinterpret_cast<PyObject *>(self);
}

static int visitForward(PyObject *object, visitproc visit, void *arg) {
  auto *self = reinterpret_cast<ForwardObject *>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->fast);
  Py_VISIT(self->slow);
  Py_VISIT(self->name);
  return 0;
}

static int clearForward(PyObject *object) {
  auto *self = reinterpret_cast<ForwardObject *>(object);
  Py_CLEAR(self->fast);
  Py_CLEAR(self->slow);
  Py_CLEAR(self->name);
  return 0;
}

static void destroyForward(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clearForward(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *getName(PyObject *self, void *) {
  return Py_NewRef(reinterpret_cast<ForwardObject *>(self)->name);
}

/// What documents the function: that which records it.
static PyObject *getSlow(PyObject *self, void *) {
  return Py_NewRef(reinterpret_cast<ForwardObject *>(self)->slow);
}

static PyObject *getDoc(PyObject *self, void *) {
  return PyObject_GetAttrString(reinterpret_cast<ForwardObject *>(self)->fast,
                                "__doc__");
}

static PyMemberDef forwardMembers[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                        offsetof(ForwardObject, call), READONLY,
                                        nullptr},
                                       {nullptr, 0, 0, 0, nullptr}};

static PyGetSetDef forwardAttributes[] = {
    {"__name__", getName, nullptr, nullptr, nullptr},
    {"__wrapped__", getSlow, nullptr, nullptr, nullptr},
    {"__doc__", getDoc, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

static PyType_Slot forwardSlots[] = {{Py_tp_new, (void *)createForward},
                                     {Py_tp_dealloc, (void *)destroyForward},
                                     {Py_tp_traverse, (void *)visitForward},
                                     {Py_tp_clear, (void *)clearForward},
                                     {Py_tp_call, (void *)PyVectorcall_Call},
                                     {Py_tp_descr_get, (void *)getForward},
                                     {Py_tp_members, forwardMembers},
                                     {Py_tp_getset, forwardAttributes},
                                     {0, nullptr}};

void arrc::python::bindForward(nb::module_ &module) {
  static PyType_Spec forward = {
      "arrc._core.Forward", sizeof(ForwardObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
          Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
      forwardSlots};
  module.attr("Forward") = nb::steal(PyType_FromSpec(&forward));
}
