//===- Element.h - Element types and single values --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_ELEMENT_H
#define ARRC_PYTHON_ELEMENT_H

#include "arrt/arrt.h"

#include <nanobind/nanobind.h>

#include <string>

namespace arrc::python {

/// Room for one element of any type.
struct Cell {
  alignas(16) char bytes[16] = {};
};

/// The element type that a format of the buffer protocol names, or -1; `bytes`
/// is the size of an element.
int32_t elementOfFormat(const char *format, Py_ssize_t bytes);
/// The format of an element type; null if the buffer protocol has none (bf16).
const char *formatOf(int32_t element);
/// The element type of DLPack's code and number of bits, or -1.
int32_t elementOfDLPack(uint8_t code, uint8_t bits);
/// DLPack's code of an element type.
uint8_t codeOf(int32_t element);
/// The element type of a type string of the array interface (`<f4`), or -1.
int32_t elementOfTypestr(const char *text);
/// The type string of an element type; null if there is none (bf16).
const char *typestrOf(int32_t element);

/// Writes a Python number as an element to `cell`; `what` stands for it in the
/// exceptions that are thrown where it is none, or does not fit.
void toCell(nanobind::handle value, int32_t element, const std::string &what,
            Cell &cell);
/// An element as a Python number.
nanobind::object fromCell(const void *cell, int32_t element);

} // namespace arrc::python

#endif // ARRC_PYTHON_ELEMENT_H
