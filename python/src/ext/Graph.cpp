//===- Graph.cpp - What arrc.numpy records --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Types.h"

#include <algorithm>

using namespace arrc::python;
namespace nb = nanobind;

/// Never freed: objects may outlive the interpreter's modules.
GraphTypes &arrc::python::graph = *new GraphTypes;

Py_ssize_t arrc::python::productOf(PyObject *shape) {
  Py_ssize_t product = 1;
  for (Py_ssize_t d = 0, rank = PyTuple_Size(shape); d < rank; ++d)
    product *= PyLong_AsSsize_t(PyTuple_GetItem(shape, d));
  return product;
}

bool arrc::python::areSame(PyObject *first, PyObject *second) {
  if (first == second)
    return true;
  Py_ssize_t rank = PyTuple_Size(first);
  if (rank != PyTuple_Size(second))
    return false;
  for (Py_ssize_t d = 0; d < rank; ++d) {
    PyObject *a = PyTuple_GetItem(first, d), *b = PyTuple_GetItem(second, d);
    if (a != b && PyLong_AsSsize_t(a) != PyLong_AsSsize_t(b))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes and bases
//===----------------------------------------------------------------------===//

PyObject *arrc::python::makeNode(PyObject *op, PyObject *operands,
                                 PyObject *shape, PyObject *dtype,
                                 PyObject *extra, PyObject *numbers,
                                 PyObject *loop, PyObject *place) {
  auto *node = operands && numbers ? allocate<NodeObject>(graph.node) : nullptr;
  if (!node) {
    Py_XDECREF(operands);
    Py_XDECREF(numbers);
    return nullptr;
  }
  node->op = Py_NewRef(op);
  node->operands = operands;
  node->extra = orNone(extra);
  node->numbers = numbers;
  node->shape = Py_NewRef(shape);
  node->dtype = Py_NewRef(dtype);
  node->loop = Py_NewRef(loop && loop != Py_None ? loop : shape);
  node->place = orNone(place);
  node->value = Py_NewRef(Py_None);
  node->respite = Py_NewRef(Py_None);
  return reinterpret_cast<PyObject *>(node);
}

static PyObject *createNode(PyTypeObject *, PyObject *args, PyObject *names) {
  static const char *words[] = {"op",    "operands", "shape",
                                "dtype", "extra",    "numbers",
                                "loop",  "place",    nullptr};
  PyObject *op, *operands, *shape, *dtype, *extra = nullptr, *numbers = nullptr,
                                           *loop = nullptr, *place = nullptr;
  if (!PyArg_ParseTupleAndKeywords(
          args, names, "OO!O!O|OO!OO", const_cast<char **>(words), &op,
          &PyTuple_Type, &operands, &PyTuple_Type, &shape, &dtype, &extra,
          &PyTuple_Type, &numbers, &loop, &place))
    return nullptr;
  return makeNode(op, Py_NewRef(operands), shape, dtype, extra,
                  numbers ? Py_NewRef(numbers) : PyTuple_New(0), loop, place);
}

static void destroyNode(PyObject *self) {
  NodeObject *node = asNode(self);
  for (PyObject *part :
       {node->op, node->operands, node->extra, node->numbers, node->shape,
        node->dtype, node->loop, node->place, node->value, node->respite})
    Py_XDECREF(part);
  freeObject(self);
}

PyObject *arrc::python::makeBase(PyObject *node) {
  auto *base = allocate<BaseObject>(graph.base);
  if (!base)
    return nullptr;
  base->node = Py_NewRef(node);
  ++asNode(node)->refs;
  return reinterpret_cast<PyObject *>(base);
}

void arrc::python::setNode(PyObject *base, PyObject *node) {
  PyObject *before = asBase(base)->node;
  ++asNode(node)->refs;
  asBase(base)->node = Py_NewRef(node);
  --asNode(before)->refs;
  Py_DECREF(before);
}

static PyObject *createBase(PyTypeObject *, PyObject *args, PyObject *) {
  PyObject *node;
  if (!PyArg_ParseTuple(args, "O!", graph.node, &node))
    return nullptr;
  return makeBase(node);
}

static void destroyBase(PyObject *self) {
  if (PyObject *node = asBase(self)->node) {
    --asNode(node)->refs;
    Py_DECREF(node);
  }
  freeObject(self);
}

static PyObject *getBaseNode(PyObject *self, void *) {
  return Py_NewRef(asBase(self)->node);
}

static int setBaseNode(PyObject *self, PyObject *node, void *) {
  if (!node || Py_TYPE(node) != graph.node) {
    PyErr_SetString(PyExc_TypeError, "a base holds a node");
    return -1;
  }
  setNode(self, node);
  return 0;
}

//===----------------------------------------------------------------------===//
// The recorder
//===----------------------------------------------------------------------===//

#ifdef Py_LIMITED_API
static PyObject *backOf(PyObject *frame) {
  PyObject *back = PyObject_GetAttrString(frame, "f_back");
  if (back == Py_None)
    Py_CLEAR(back);
  return back;
}
static uint64_t positionOf(PyObject *frame) {
  PyObject *place = PyObject_GetAttrString(frame, "f_lasti");
  uint64_t found = place ? PyLong_AsUnsignedLongLongMask(place) : 0;
  Py_XDECREF(place);
  return found;
}
#else
static PyObject *backOf(PyObject *frame) {
  return reinterpret_cast<PyObject *>(
      PyFrame_GetBack(reinterpret_cast<PyFrameObject *>(frame)));
}
static uint64_t positionOf(PyObject *frame) {
  return uint64_t(PyFrame_GetLasti(reinterpret_cast<PyFrameObject *>(frame)));
}
#endif

/// Whether code is of `arrc.numpy` itself.
static bool isOwn(PyObject *code, PyObject *folder) {
  // Code of ours stays; what is said of a script's that died tells of nothing
  // but whose line an operation is counted for.
  static auto &known = *new std::unordered_map<PyObject *, bool>;
  auto [found, isNew] = known.try_emplace(code, false);
  if (isNew) {
    PyObject *file = PyObject_GetAttrString(code, "co_filename");
    if (file)
      found->second = PyUnicode_Tailmatch(file, folder, 0, PY_SSIZE_T_MAX,
                                          /*direction=*/-1) == 1;
    Py_XDECREF(file);
    PyErr_Clear();
  }
  return found->second;
}

/// The folder of `arrc.numpy`.
static PyObject *ownFolder = nullptr;

/// Where in the script the operation stands: its line, and who called that; and
/// which operation it is of those that a function of ours makes for that line.
static uint64_t placeOfScript() {
  constexpr int depth = 4;
  uint64_t place = 0;
  int taken = 0;
  PyObject *frame = reinterpret_cast<PyObject *>(PyEval_GetFrame());
  Py_XINCREF(frame);
  while (frame && taken < depth) {
    auto *code = reinterpret_cast<PyObject *>(
        PyFrame_GetCode(reinterpret_cast<PyFrameObject *>(frame)));
    uint64_t own = reinterpret_cast<uintptr_t>(code) + positionOf(frame);
    place = (place ^ own) * 0x9E3779B97F4A7C15u;
    place ^= place >> 29;
    taken += taken || !isOwn(code, ownFolder);
    Py_DECREF(code);
    PyObject *back = backOf(frame);
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);
  PyErr_Clear();
  return place >> 1;
}

/// Whether a loop of the script is back where what is pending should end.
static bool comesAgain(RecorderObject *recorder, uint64_t place) {
  Py_ssize_t count = PyList_Size(recorder->pending);
  auto [found, isNew] = recorder->places->try_emplace(place, count);
  if (isNew) {
    if (!count)
      recorder->first = Py_ssize_t(place);
    return count >= recorder->most;
  }
  Py_ssize_t at = found->second;
  recorder->again = std::min(recorder->again, at);
  // What came before the loop does not come again: then its first place is the
  // earliest that does, if the loop is not one within it.
  return (!at &&
          (count >= recorder->loop || recorder->cost >= recorder->heavy)) ||
         (at == recorder->again && count >= 2 * recorder->loop) ||
         count >= recorder->most;
}

bool arrc::python::append(PyObject *node, Py_ssize_t size) {
  RecorderObject *recorder = graph.recorder;
  asNode(node)->order = ++recorder->count;
  uint64_t place = placeOfScript();
  if (comesAgain(recorder, place)) {
    PyObject *done =
        PyObject_CallFunctionObjArgs(recorder->run, Py_True, nullptr);
    if (!done)
      return false;
    Py_DECREF(done);
    recorder->places->emplace(place, 0);
    recorder->first = Py_ssize_t(place);
  }
  recorder->cost += size;
  return PyList_Append(recorder->pending, node) == 0;
}

static PyObject *appendNode(PyObject *, PyObject *const *args,
                            Py_ssize_t count) {
  if (count != 1 || Py_TYPE(args[0]) != graph.node) {
    PyErr_SetString(PyExc_TypeError, "a node is wanted");
    return nullptr;
  }
  if (!append(args[0], productOf(asNode(args[0])->loop)))
    return nullptr;
  return Py_NewRef(args[0]);
}

/// Takes what is pending away.
static PyObject *takePending(PyObject *self, PyObject *) {
  auto *recorder = reinterpret_cast<RecorderObject *>(self);
  PyObject *none = PyList_New(0), *pending = recorder->pending;
  if (!none)
    return nullptr;
  recorder->pending = none;
  recorder->cost = 0;
  recorder->first = -1;
  recorder->again = recorder->most;
  recorder->places->clear();
  return pending;
}

static PyObject *createRecorder(PyTypeObject *type, PyObject *args,
                                PyObject *) {
  PyObject *run, *folder;
  if (!PyArg_ParseTuple(args, "OU", &run, &folder))
    return nullptr;
  if (graph.recorder) {
    PyErr_SetString(PyExc_TypeError, "there is a recorder");
    return nullptr;
  }
  auto *recorder = allocate<RecorderObject>(type);
  if (!recorder)
    return nullptr;
  recorder->places = new std::unordered_map<uint64_t, Py_ssize_t>;
  recorder->pending = PyList_New(0);
  recorder->late = PyList_New(0);
  recorder->kept = PySet_New(nullptr);
  recorder->run = Py_NewRef(run);
  recorder->first = -1;
  recorder->loop = recorder->most = recorder->again = recorder->heavy =
      PY_SSIZE_T_MAX;
  ownFolder = Py_NewRef(folder);
  graph.recorder = recorder;
  return Py_NewRef(reinterpret_cast<PyObject *>(recorder));
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static PyMemberDef nodeMembers[] = {
    ARRC_OBJECT(NodeObject, op),    ARRC_OBJECT(NodeObject, operands),
    ARRC_OBJECT(NodeObject, extra), ARRC_OBJECT(NodeObject, numbers),
    ARRC_OBJECT(NodeObject, shape), ARRC_OBJECT(NodeObject, dtype),
    ARRC_OBJECT(NodeObject, loop),  ARRC_OBJECT(NodeObject, place),
    ARRC_OBJECT(NodeObject, value), ARRC_OBJECT(NodeObject, respite),
    ARRC_NUMBER(NodeObject, refs),  ARRC_NUMBER(NodeObject, order),
    {nullptr, 0, 0, 0, nullptr}};

static PyMemberDef baseMembers[] = {
    {"_node", T_OBJECT_EX, offsetof(BaseObject, node), READONLY, nullptr},
    ARRC_NUMBER(BaseObject, touches),
    {nullptr, 0, 0, 0, nullptr}};

static PyGetSetDef baseAttributes[] = {
    {"node", getBaseNode, setBaseNode, "The newest value.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

static PyMemberDef recorderMembers[] = {
    ARRC_OBJECT(RecorderObject, pending), ARRC_OBJECT(RecorderObject, late),
    ARRC_OBJECT(RecorderObject, kept),    ARRC_NUMBER(RecorderObject, count),
    ARRC_NUMBER(RecorderObject, cost),    ARRC_NUMBER(RecorderObject, eager),
    ARRC_NUMBER(RecorderObject, first),   ARRC_NUMBER(RecorderObject, loop),
    ARRC_NUMBER(RecorderObject, heavy),   ARRC_NUMBER(RecorderObject, most),
    {nullptr, 0, 0, 0, nullptr}};

static PyMethodDef recorderMethods[] = {
    {"take", takePending, METH_NOARGS, "Takes what is pending away: a list."},
    {nullptr, nullptr, 0, nullptr}};

static PyMethodDef appendMethod = {
    "append",
    reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(appendNode)),
    METH_FASTCALL, "Puts a node behind what is pending, and gives it back."};

void arrc::python::bindGraph(nb::module_ &module) {
  static PyType_Slot node[] = {
      {Py_tp_doc, const_cast<char *>("A value: an operation on operands, or an "
                                     "array that is there.")},
      {Py_tp_new, (void *)createNode},
      {Py_tp_dealloc, (void *)destroyNode},
      {Py_tp_members, nodeMembers},
      {0, nullptr}};
  static PyType_Slot base[] = {
      {Py_tp_doc, const_cast<char *>("What a write changes: it holds the "
                                     "newest value of some memory.")},
      {Py_tp_new, (void *)createBase},
      {Py_tp_dealloc, (void *)destroyBase},
      {Py_tp_members, baseMembers},
      {Py_tp_getset, baseAttributes},
      {0, nullptr}};
  static PyType_Slot recorder[] = {
      {Py_tp_doc, const_cast<char *>("The nodes that are not computed, in the "
                                     "order in which they came.")},
      {Py_tp_new, (void *)createRecorder},
      {Py_tp_members, recorderMembers},
      {Py_tp_methods, recorderMethods},
      {0, nullptr}};
  graph.node = makeType(module, "arrc._core.Node", sizeof(NodeObject), node);
  graph.base = makeType(module, "arrc._core.Base", sizeof(BaseObject), base);
  bindViews(module);
  makeType(module, "arrc._core.Recorder", sizeof(RecorderObject), recorder);
  graph.map = PyUnicode_InternFromString("map");
  graph.update = PyUnicode_InternFromString("update");
  graph.leaf = PyUnicode_InternFromString("leaf");
  module.attr("append") = nb::steal(PyCFunction_New(&appendMethod, nullptr));
}
