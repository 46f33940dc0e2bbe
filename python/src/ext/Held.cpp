//===- Held.cpp - Small arrays of arrc.numpy ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `Held` is the base of `arrc.numpy.ndarray`: its operators, subscripts and
// some attributes. Where all operands are small arrays of NumPy's and numbers,
// NumPy is called right away, and what it makes is wrapped; a view that it
// makes shares memory, as NumPy's views do. Else one of Python's functions is
// called.
//
// Written against the stable interface of CPython, as the rest of the module.
//
//===----------------------------------------------------------------------===//

#include "Record.h"

#include <cstring>

using namespace arrc::python;
namespace nb = nanobind;

/// Never freed: objects may outlive the interpreter's modules.
State &arrc::python::state = *new State;

bool arrc::python::isKnownType(PyObject *dtype) {
  for (PyObject *known : state.known)
    if (known == dtype)
      return true;
  return false;
}

PyObject *arrc::python::wrapped(PyObject *made) {
  if (!made || Py_TYPE(made) != state.numpys)
    return made;
  numpy::Array *array = asNumPy(made);
  PyObject *object = nullptr;
  if (array->rank > 0 && array->rank <= 8 &&
      (array->flags & numpy::writeable) && isKnownType(array->dtype)) {
    // A view shares its memory, however large.
    Py_ssize_t size = numpy::sizeOf(array);
    if (size > 0 && (size <= state.limit || array->base)) {
      static auto allocate = reinterpret_cast<allocfunc>(
          PyType_GetSlot(state.arrays, Py_tp_alloc));
      object = allocate(state.arrays, 0);
      if (!object) {
        Py_DECREF(made);
        return nullptr;
      }
      reinterpret_cast<HeldObject *>(object)->held = made;
      return object;
    }
  }
  object = PyObject_CallFunctionObjArgs(state.wrap, made, nullptr);
  Py_DECREF(made);
  return object;
}

bool arrc::python::isNumber(PyObject *number, PyObject *array) {
  PyTypeObject *type = Py_TYPE(number);
  auto *dtype = reinterpret_cast<numpy::Dtype *>(asNumPy(array)->dtype);
  if (state.promotesWeakly)
    return type == &PyFloat_Type || type == &PyLong_Type ||
           type == &PyBool_Type || type == &PyComplex_Type ||
           PyType_IsSubtype(type, state.scalars);
  if (!asNumPy(array)->rank)
    return false;
  if (type == &PyFloat_Type)
    return dtype->kind == 'f';
  if (type == &PyLong_Type && (dtype->kind == 'f' || dtype->kind == 'i')) {
    int overflow = 0;
    long value = PyLong_AsLongAndOverflow(number, &overflow);
    return !overflow && value >= -128 && value < 128;
  }
  return type == dtype->scalar;
}

/// Whether NumPy multiplies matrices of these elements by a library.
static bool isOfLibrary(const numpy::Array *array) {
  char kind = reinterpret_cast<numpy::Dtype *>(array->dtype)->kind;
  return kind == 'f' || kind == 'c';
}

/// Whether what has the shape of an array is small.
static bool isSmall(PyObject *array) {
  return numpy::sizeOf(asNumPy(array)) <= state.limit;
}

/// Whether NumPy gives two arrays the type that arrc.numpy does, and the result
/// is small, or a product that is quick.
static bool fit(PyObject *first, PyObject *second, bool isProduct) {
  numpy::Array *a = asNumPy(first), *b = asNumPy(second);
  // Of arrays types alone count in any NumPy.
  if (a->dtype != b->dtype && !state.promotesWeakly && !(a->rank && b->rank))
    return false;
  if (isProduct)
    return a->rank && a->rank <= 2 && b->rank && b->rank <= 2 &&
           (isOfLibrary(a) ||
            numpy::sizeOf(a) * b->shape[b->rank - 1] <= 8 * state.limit);
  if (a->rank == b->rank &&
      !std::memcmp(a->shape, b->shape, size_t(a->rank) * sizeof(Py_ssize_t)))
    return isSmall(first);
  Spread spread;
  spread.add(a);
  spread.add(b);
  return spread.size() <= state.limit;
}

/// Both operands as NumPy takes them; false where Python has to see to them.
static bool takeBoth(PyObject *a, PyObject *b, bool isProduct, PyObject *&x,
                     PyObject *&y) {
  if (!state.limit)
    return false;
  x = heldOf(a);
  y = heldOf(b);
  if (x && y)
    return fit(x, y, isProduct);
  if (isProduct)
    return false;
  if (x && isSmall(x) && isNumber(b, x)) {
    y = b;
    return true;
  }
  if (y && isSmall(y) && isNumber(a, y)) {
    x = a;
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static PyObject *power(PyObject *a, PyObject *b) {
  return PyNumber_Power(a, b, Py_None);
}

static constexpr binaryfunc functions[NumBinary] = {PyNumber_Add,
                                                    PyNumber_Subtract,
                                                    PyNumber_Multiply,
                                                    PyNumber_TrueDivide,
                                                    PyNumber_FloorDivide,
                                                    PyNumber_Remainder,
                                                    PyNumber_And,
                                                    PyNumber_Or,
                                                    PyNumber_Xor,
                                                    PyNumber_Lshift,
                                                    PyNumber_Rshift,
                                                    PyNumber_MatrixMultiply,
                                                    power};

static constexpr binaryfunc inplaceFunctions[NumBinary] = {
    PyNumber_InPlaceAdd,
    PyNumber_InPlaceSubtract,
    PyNumber_InPlaceMultiply,
    PyNumber_InPlaceTrueDivide,
    PyNumber_InPlaceFloorDivide,
    PyNumber_InPlaceRemainder,
    PyNumber_InPlaceAnd,
    PyNumber_InPlaceOr,
    PyNumber_InPlaceXor,
    PyNumber_InPlaceLshift,
    PyNumber_InPlaceRshift,
    nullptr,
    nullptr};

static constexpr unaryfunc unaryFunctions[NumUnary] = {
    PyNumber_Negative, PyNumber_Positive, PyNumber_Absolute, PyNumber_Invert};

template <Binary op> static PyObject *binary(PyObject *a, PyObject *b) {
  PyObject *x, *y;
  if (takeBoth(a, b, op == MatMul, x, y))
    return wrapped(functions[op](x, y));
  PyObject *made = nullptr;
  if (recordBinary(op, a, b, made) != Done::No)
    return made;
  bool isFirst = Py_TYPE(a) == state.arrays;
  return isFirst
             ? PyObject_CallFunctionObjArgs(state.binary[op], a, b, nullptr)
             : PyObject_CallFunctionObjArgs(state.reflected[op], b, a, nullptr);
}

static PyObject *binaryPower(PyObject *a, PyObject *b, PyObject *modulus) {
  if (modulus != Py_None)
    Py_RETURN_NOTIMPLEMENTED;
  return binary<Power>(a, b);
}

template <Binary op> static PyObject *inplace(PyObject *a, PyObject *b) {
  PyObject *x, *y;
  if (op != MatMul && op != Power && heldOf(a) &&
      takeBoth(a, b, /*isProduct=*/false, x, y)) {
    PyObject *made = inplaceFunctions[op](x, y);
    if (made != x)
      return wrapped(made);
    Py_DECREF(made);
    return Py_NewRef(a);
  }
  Done done = recordInplace(op, a, b);
  if (done != Done::No)
    return done == Done::Yes ? Py_NewRef(a) : nullptr;
  return PyObject_CallFunctionObjArgs(state.inplace[op], a, b, nullptr);
}

static PyObject *inplacePower(PyObject *a, PyObject *b, PyObject *) {
  return inplace<Power>(a, b);
}

template <Unary op> static PyObject *unary(PyObject *a) {
  if (PyObject *x = state.limit ? heldOf(a) : nullptr)
    return wrapped(unaryFunctions[op](x));
  PyObject *made = nullptr;
  if (recordUfunc(state.unaryUfuncs[op], &a, 1, made) != Done::No)
    return made;
  return PyObject_CallFunctionObjArgs(state.unary[op], a, nullptr);
}

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  PyObject *x, *y;
  if (heldOf(a) && takeBoth(a, b, /*isProduct=*/false, x, y))
    return wrapped(PyObject_RichCompare(x, y, op));
  PyObject *operands[] = {a, b}, *made = nullptr;
  if (recordUfunc(state.compareUfuncs[op], operands, 2, made) != Done::No)
    return made;
  return PyObject_CallFunctionObjArgs(state.compare[op], a, b, nullptr);
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// Whether a part of a subscript means the same to NumPy.
static bool isPlainPart(PyObject *part) {
  PyTypeObject *type = Py_TYPE(part);
  return type == &PyLong_Type || type == &PySlice_Type || part == Py_None ||
         part == Py_Ellipsis ||
         (PyType_IsSubtype(type, state.scalars) && PyIndex_Check(part));
}

/// One part as NumPy takes it, borrowed; null where Python has to see to it.
static PyObject *partOf(PyObject *part) {
  return isPlainPart(part) ? part : heldOf(part);
}

/// A subscript as NumPy takes it, counted; null where Python has to see to it.
static PyObject *keyOf(PyObject *key) {
  if (PyObject *part = partOf(key))
    return Py_NewRef(part);
  if (Py_TYPE(key) != &PyTuple_Type)
    return nullptr;
  Py_ssize_t size = PyTuple_Size(key);
  bool isSame = true;
  for (Py_ssize_t k = 0; k < size; ++k) {
    PyObject *given = PyTuple_GetItem(key, k), *part = partOf(given);
    if (!part)
      return nullptr;
    isSame &= part == given;
  }
  if (isSame)
    return Py_NewRef(key);
  PyObject *made = PyTuple_New(size);
  for (Py_ssize_t k = 0; made && k < size; ++k)
    PyTuple_SetItem(made, k, Py_NewRef(partOf(PyTuple_GetItem(key, k))));
  return made;
}

/// Whether what NumPy made is a view of many elements.
static bool isLargeView(PyObject *made) {
  return made && Py_TYPE(made) == state.numpys && asNumPy(made)->base &&
         !isSmall(made);
}

static PyObject *subscript(PyObject *self, PyObject *key) {
  PyObject *held = state.limit ? heldOf(self) : nullptr;
  if (held)
    if (PyObject *plain = keyOf(key)) {
      PyObject *made = PyObject_GetItem(held, plain);
      Py_DECREF(plain);
      // A large part of what is no part itself may be recorded.
      if (!isLargeView(made) || asNumPy(made)->base != held)
        return wrapped(made);
      Py_DECREF(made);
    }
  PyObject *made = nullptr;
  if (viewPart(self, key, made) != Done::No)
    return made;
  return PyObject_CallFunctionObjArgs(state.get, self, key, nullptr);
}

static int assignSubscript(PyObject *self, PyObject *key, PyObject *value) {
  if (!value) {
    PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
    return -1;
  }
  PyObject *held = state.limit ? heldOf(self) : nullptr;
  if (held) {
    PyObject *other = heldOf(value);
    if (!other && isNumber(value, held))
      other = value;
    if (other)
      if (PyObject *plain = keyOf(key)) {
        int failed = PyObject_SetItem(held, plain, other);
        Py_DECREF(plain);
        return failed;
      }
  }
  Done recorded = recordPut(self, key, value);
  if (recorded != Done::No)
    return recorded == Done::Yes ? 0 : -1;
  PyObject *done =
      PyObject_CallFunctionObjArgs(state.put, self, key, value, nullptr);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

/// All arrays that have a base.
static nb::list arraysOf(nb::handle base) {
  nb::list arrays;
  if (Py_TYPE(base.ptr()) != graph.base)
    throw nb::type_error("a base is wanted");
  for (HeldObject *array = asBase(base.ptr())->arrays; array;
       array = array->next)
    arrays.append(nb::borrow(&array->head));
  return arrays;
}

static void destroyHeld(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  auto *array = reinterpret_cast<HeldObject *>(self);
  if (array->weak)
    PyObject_ClearWeakRefs(self);
  setBase(array, nullptr);
  for (PyObject *part : {array->held, array->view, array->shape, array->dtype,
                         array->isScalar, array->copied})
    Py_XDECREF(part);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Takes what `arrc.numpy` has: its class, and functions by name.
static void setUp(nb::type_object arrays, nb::dict given) {
  auto keep = [&](const char *name) {
    return nb::object(given[name]).release().ptr();
  };
  auto keepAll = [&](const char *name, PyObject **places) {
    size_t k = 0;
    for (nb::handle function : nb::cast<nb::list>(given[name]))
      places[k++] = function.inc_ref().ptr();
  };
  auto typeOf = [&](const char *name) {
    return reinterpret_cast<PyTypeObject *>(keep(name));
  };
  state.numpys = typeOf("ndarray");
  state.scalars = typeOf("generic");
  state.dtypes = typeOf("dtype");
  state.wrap = keep("wrap");
  for (nb::handle dtype : nb::cast<nb::list>(given["known"]))
    state.known.push_back(dtype.inc_ref().ptr());
  state.promotesWeakly = nb::cast<bool>(given["promotes_weakly"]);
  keepAll("binary", state.binary);
  keepAll("reflected", state.reflected);
  keepAll("inplace", state.inplace);
  keepAll("unary", state.unary);
  keepAll("compare", state.compare);
  state.get = keep("get");
  state.put = keep("put");
  state.setShape = keep("set_shape");
  state.ufunc = keep("ufunc");
  state.method = keep("method");
  state.transposed = keep("transposed");
  state.options = keep("options");
  keepAll("binary_ufuncs", state.binaryUfuncs);
  keepAll("unary_ufuncs", state.unaryUfuncs);
  keepAll("compare_ufuncs", state.compareUfuncs);
  state.square = keep("square");
  state.loop = keep("loop");
  state.write = keep("write");
  state.ufuncs = Py_TYPE(state.square);
  state.arrays = reinterpret_cast<PyTypeObject *>(arrays.inc_ref().ptr());
}

static PyMethodDef heldMethods[] = {
    {"__array_ufunc__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(arrayUfunc)),
     METH_VARARGS | METH_KEYWORDS, "What NumPy calls in place of a ufunc."},
    {nullptr, nullptr, 0, nullptr}};

static PyType_Slot heldSlots[] = {
    {Py_tp_doc, const_cast<char *>("The base of the arrays of arrc.numpy.")},
    {Py_tp_dealloc, (void *)destroyHeld},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_richcompare, (void *)compare},
    {Py_mp_subscript, (void *)subscript},
    {Py_mp_ass_subscript, (void *)assignSubscript},
    {Py_mp_length, (void *)lengthOf},
    {Py_nb_add, (void *)binary<Add>},
    {Py_nb_subtract, (void *)binary<Subtract>},
    {Py_nb_multiply, (void *)binary<Multiply>},
    {Py_nb_true_divide, (void *)binary<TrueDivide>},
    {Py_nb_floor_divide, (void *)binary<FloorDivide>},
    {Py_nb_remainder, (void *)binary<Remainder>},
    {Py_nb_and, (void *)binary<And>},
    {Py_nb_or, (void *)binary<Or>},
    {Py_nb_xor, (void *)binary<Xor>},
    {Py_nb_lshift, (void *)binary<Lshift>},
    {Py_nb_rshift, (void *)binary<Rshift>},
    {Py_nb_matrix_multiply, (void *)binary<MatMul>},
    {Py_nb_power, (void *)binaryPower},
    {Py_nb_inplace_add, (void *)inplace<Add>},
    {Py_nb_inplace_subtract, (void *)inplace<Subtract>},
    {Py_nb_inplace_multiply, (void *)inplace<Multiply>},
    {Py_nb_inplace_true_divide, (void *)inplace<TrueDivide>},
    {Py_nb_inplace_floor_divide, (void *)inplace<FloorDivide>},
    {Py_nb_inplace_remainder, (void *)inplace<Remainder>},
    {Py_nb_inplace_and, (void *)inplace<And>},
    {Py_nb_inplace_or, (void *)inplace<Or>},
    {Py_nb_inplace_xor, (void *)inplace<Xor>},
    {Py_nb_inplace_lshift, (void *)inplace<Lshift>},
    {Py_nb_inplace_rshift, (void *)inplace<Rshift>},
    {Py_nb_inplace_matrix_multiply, (void *)inplace<MatMul>},
    {Py_nb_inplace_power, (void *)inplacePower},
    {Py_nb_negative, (void *)unary<Negative>},
    {Py_nb_positive, (void *)unary<Positive>},
    {Py_nb_absolute, (void *)unary<Absolute>},
    {Py_nb_invert, (void *)unary<Invert>},
    {Py_tp_getset, heldAttributes},
    {Py_tp_members, heldMembers},
    {Py_tp_methods, heldMethods},
    {0, nullptr}};

void arrc::python::bindHeld(nb::module_ &module) {
  static PyType_Spec held = {"arrc._core.Held", sizeof(HeldObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             heldSlots};
  module.attr("Held") = nb::steal(PyType_FromSpec(&held));
  module.def("set_up_arrays", setUp);
  module.def("set_small", [](Py_ssize_t limit) { state.limit = limit; });
  module.def("arrays_of", arraysOf, "All arrays that have a base.");
  bindForward(module);
  bindGraph(module);
  bindPlan(module);
}
