//===- Element.cpp - Element types and single values ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "Errors.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

using namespace arrc::python;
namespace nb = nanobind;

//===----------------------------------------------------------------------===//
// Names of element types
//===----------------------------------------------------------------------===//

namespace {
/// What an element type is called elsewhere.
struct Names {
  const char *format, *typestr; ///< null: there is no name
  uint8_t code;                 ///< of DLPack
};
} // namespace

/// DLPack's codes.
enum : uint8_t {
  Int = 0,
  UInt = 1,
  Float = 2,
  BFloat = 4,
  Complex = 5,
  Bool = 6
};

static constexpr Names names[ARRT_NUM_ELEMENTS] = {
    {"?", "|b1", Bool},  {"b", "|i1", Int},          {"h", "<i2", Int},
    {"i", "<i4", Int},   {"q", "<i8", Int},          {"B", "|u1", UInt},
    {"H", "<u2", UInt},  {"I", "<u4", UInt},         {"Q", "<u8", UInt},
    {"e", "<f2", Float}, {nullptr, nullptr, BFloat}, {"f", "<f4", Float},
    {"d", "<f8", Float}, {"Zf", "<c8", Complex},     {"Zd", "<c16", Complex}};

/// The element type of a kind with so many bytes, or -1.
static int32_t findElement(uint8_t code, int64_t bytes) {
  for (int32_t e = 0; e < ARRT_NUM_ELEMENTS; ++e)
    if (names[e].code == code && arrt_element_bytes(e) == bytes)
      return e;
  return -1;
}

int32_t arrc::python::elementOfFormat(const char *format, Py_ssize_t bytes) {
  std::string text = format ? format : "B";
  if (!text.empty() && std::strchr("@=<", text[0]))
    text.erase(0, 1);
  else if (bytes == 1 && !text.empty() && std::strchr(">!|", text[0]))
    text.erase(0, 1);
  if (text.size() == 1 && std::strchr("bhilqn", text[0]))
    return findElement(Int, bytes);
  if (text.size() == 1 && std::strchr("BHILQN", text[0]))
    return findElement(UInt, bytes);
  for (int32_t e = 0; e < ARRT_NUM_ELEMENTS; ++e)
    if (names[e].format && text == names[e].format)
      return e;
  return -1;
}

const char *arrc::python::formatOf(int32_t element) {
  return names[element].format;
}

int32_t arrc::python::elementOfDLPack(uint8_t code, uint8_t bits) {
  return bits % 8 ? -1 : findElement(code, bits / 8);
}

uint8_t arrc::python::codeOf(int32_t element) { return names[element].code; }

int32_t arrc::python::elementOfTypestr(const char *text) {
  for (int32_t e = 0; e < ARRT_NUM_ELEMENTS; ++e)
    if (names[e].typestr && !std::strcmp(names[e].typestr, text))
      return e;
  return -1;
}

const char *arrc::python::typestrOf(int32_t element) {
  return names[element].typestr;
}

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

[[noreturn]] static void refuse(nb::handle value, int32_t element,
                                const std::string &what) {
  raiseTypeError(what + " is wanted as " + arrt_element_name(element) +
                 ", and not as " + nb::type_name(value.type()).c_str());
}

/// A number as it is written, if that is short.
static std::string textOf(nb::handle value) {
  if (PyLong_Check(value.ptr())) {
    auto bits = nb::cast<long long>(nb::getattr(value, "bit_length")());
    if (bits > 128)
      return "an integer of " + std::to_string(bits) + " bits";
  }
  return nb::str(value).c_str();
}

[[noreturn]] static void refuseValue(nb::handle value, int32_t element,
                                     const std::string &what) {
  raiseValueError(what + ": " + textOf(value) + " does not fit " +
                  arrt_element_name(element));
}

/// The Python number that a scalar of NumPy, or an array of rank 0, stands for;
/// other values are themselves.
static nb::object plain(nb::handle value) {
  nb::object item = nb::borrow(value);
  if (PyBool_Check(value.ptr()) || PyLong_CheckExact(value.ptr()) ||
      PyFloat_CheckExact(value.ptr()) || PyComplex_CheckExact(value.ptr()))
    return item;
  if (!nb::hasattr(value, "item") || !nb::hasattr(value, "shape"))
    return item;
  nb::object shape = nb::getattr(value, "shape");
  return nb::len(shape) == 0 ? nb::getattr(value, "item")() : item;
}

template <typename T>
static void toInteger(nb::handle value, nb::handle given, int32_t element,
                      const std::string &what, Cell &cell) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr()))
    refuse(given, element, what);
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index)
    throw nb::python_error();
  T number;
  if constexpr (std::is_signed_v<T>) {
    int overflow = 0;
    long long wide = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    number = T(wide);
    if (overflow || number != wide)
      refuseValue(index, element, what);
  } else {
    unsigned long long wide = PyLong_AsUnsignedLongLong(index.ptr());
    bool failed = PyErr_Occurred();
    PyErr_Clear();
    number = T(wide);
    if (failed || number != wide)
      refuseValue(index, element, what);
  }
  std::memcpy(cell.bytes, &number, sizeof number);
}

static double toDouble(nb::handle value, nb::handle given, int32_t element,
                       const std::string &what) {
  bool isNumber = PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr());
  if (PyBool_Check(value.ptr()) || !isNumber)
    refuse(given, element, what);
  double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    refuseValue(value, element, what);
  }
  return number;
}

/// Numbers that are finite stay so.
static float toFloat(double number, nb::handle value, int32_t element,
                     const std::string &what) {
  float narrow = float(number);
  if (std::isinf(narrow) && !std::isinf(number))
    refuseValue(value, element, what);
  return narrow;
}

/// The two narrow types are the runtime's to convert.
static void convert(const void *from, int32_t source, void *to,
                    int32_t target) {
  static arrt_context *ctx = [] {
    arrt_options options = {};
    options.threads = 1;
    return arrt_context_create(&options);
  }();
  arrt_array *given =
      arrt_array_borrow(ctx, const_cast<void *>(from), source, 0, nullptr);
  arrt_array *made = arrt_array_convert(ctx, given, target);
  if (made)
    std::memcpy(to, arrt_array_data(made), size_t(arrt_element_bytes(target)));
  arrt_array_release(made);
  arrt_array_release(given);
}

static void toNarrow(double number, nb::handle value, int32_t element,
                     const std::string &what, Cell &cell) {
  convert(&number, ARRT_F64, cell.bytes, element);
  double back = 0;
  convert(cell.bytes, element, &back, ARRT_F64);
  if (std::isinf(back) && !std::isinf(number))
    refuseValue(value, element, what);
}

void arrc::python::toCell(nb::handle given, int32_t element,
                          const std::string &what, Cell &cell) {
  nb::object value = plain(given);
  switch (element) {
  case ARRT_BOOL:
    if (!PyBool_Check(value.ptr()))
      refuse(given, element, what);
    cell.bytes[0] = value.ptr() == Py_True;
    return;
  case ARRT_I8:
    return toInteger<int8_t>(value, given, element, what, cell);
  case ARRT_I16:
    return toInteger<int16_t>(value, given, element, what, cell);
  case ARRT_I32:
    return toInteger<int32_t>(value, given, element, what, cell);
  case ARRT_I64:
    return toInteger<int64_t>(value, given, element, what, cell);
  case ARRT_U8:
    return toInteger<uint8_t>(value, given, element, what, cell);
  case ARRT_U16:
    return toInteger<uint16_t>(value, given, element, what, cell);
  case ARRT_U32:
    return toInteger<uint32_t>(value, given, element, what, cell);
  case ARRT_U64:
    return toInteger<uint64_t>(value, given, element, what, cell);
  case ARRT_C64:
  case ARRT_C128: {
    double parts[2] = {0, 0};
    if (PyComplex_Check(value.ptr())) {
      parts[0] = PyComplex_RealAsDouble(value.ptr());
      parts[1] = PyComplex_ImagAsDouble(value.ptr());
    } else {
      parts[0] = toDouble(value, given, element, what);
    }
    if (element == ARRT_C128) {
      std::memcpy(cell.bytes, parts, sizeof parts);
      return;
    }
    float narrow[] = {toFloat(parts[0], value, element, what),
                      toFloat(parts[1], value, element, what)};
    std::memcpy(cell.bytes, narrow, sizeof narrow);
    return;
  }
  default:
    break;
  }
  double number = toDouble(value, given, element, what);
  if (element == ARRT_F64) {
    std::memcpy(cell.bytes, &number, sizeof number);
  } else if (element == ARRT_F32) {
    float narrow = toFloat(number, value, element, what);
    std::memcpy(cell.bytes, &narrow, sizeof narrow);
  } else {
    toNarrow(number, value, element, what, cell);
  }
}

template <typename T> static T read(const void *cell) {
  T value;
  std::memcpy(&value, cell, sizeof value);
  return value;
}

nb::object arrc::python::fromCell(const void *cell, int32_t element) {
  switch (element) {
  case ARRT_BOOL:
    return nb::bool_(*static_cast<const char *>(cell) != 0);
  case ARRT_I8:
    return nb::int_(read<int8_t>(cell));
  case ARRT_I16:
    return nb::int_(read<int16_t>(cell));
  case ARRT_I32:
    return nb::int_(read<int32_t>(cell));
  case ARRT_I64:
    return nb::int_(read<int64_t>(cell));
  case ARRT_U8:
    return nb::int_(read<uint8_t>(cell));
  case ARRT_U16:
    return nb::int_(read<uint16_t>(cell));
  case ARRT_U32:
    return nb::int_(read<uint32_t>(cell));
  case ARRT_U64:
    return nb::int_(read<uint64_t>(cell));
  case ARRT_F32:
    return nb::float_(double(read<float>(cell)));
  case ARRT_F64:
    return nb::float_(read<double>(cell));
  case ARRT_C64:
  case ARRT_C128: {
    auto z = element == ARRT_C64
                 ? std::complex<double>(read<std::complex<float>>(cell))
                 : read<std::complex<double>>(cell);
    return nb::steal(PyComplex_FromDoubles(z.real(), z.imag()));
  }
  default:
    double wide = 0;
    convert(cell, element, &wide, ARRT_F64);
    return nb::float_(wide);
  }
}
