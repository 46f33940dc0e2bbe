//===- Errors.cpp - Python's exceptions -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Errors.h"

#include "arrt/arrt.h"

#include <nanobind/nanobind.h>

using namespace arrc::python;
namespace nb = nanobind;

static nb::object classOf(const char *name) {
  return nb::module_::import_("arrc._errors").attr(name);
}

static nb::object textOf(const std::string &message) {
  return nb::steal(PyUnicode_DecodeUTF8(message.data(),
                                        Py_ssize_t(message.size()), "replace"));
}

[[noreturn]] static void raise(const char *name, nb::object instance) {
  PyErr_SetObject(classOf(name).ptr(), instance.ptr());
  throw nb::python_error();
}

void arrc::python::raiseRunError(int32_t status, const std::string &message) {
  const char *name = status == ARRT_STATUS_INPUT ? "InputError" : "RunError";
  raise(name, classOf(name)(textOf(message), status));
}

void arrc::python::raiseCompileError(int32_t code, const std::string &message) {
  raise("CompileError", classOf("CompileError")(textOf(message), code));
}

void arrc::python::raiseTypeError(const std::string &message) {
  PyErr_SetObject(PyExc_TypeError, textOf(message).ptr());
  throw nb::python_error();
}

void arrc::python::raiseValueError(const std::string &message) {
  PyErr_SetObject(PyExc_ValueError, textOf(message).ptr());
  throw nb::python_error();
}

void arrc::python::warn(const char *category, const std::string &message) {
  // The caller of the function that is called from Python's part.
  if (PyErr_WarnEx(classOf(category).ptr(), message.c_str(), 2))
    throw nb::python_error();
}
