//===- Elements.cpp - element types and status codes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrt/arrt.h"

#include <cstring>

namespace {
struct Element {
  const char *name;
  int64_t bytes;
};
const Element elements[] = {
#define ARRT_ELEMENT(Enum, name, bytes) {name, bytes},
#include "arrt/EntryPoints.def"
};
} // namespace

const char *arrt_element_name(int32_t element) {
  if (element < 0 || element >= ARRT_NUM_ELEMENTS)
    return nullptr;
  return elements[element].name;
}

int64_t arrt_element_bytes(int32_t element) {
  if (element < 0 || element >= ARRT_NUM_ELEMENTS)
    return 0;
  return elements[element].bytes;
}

int32_t arrt_element_from_name(const char *name) {
  for (int32_t i = 0; i < ARRT_NUM_ELEMENTS; ++i)
    if (!std::strcmp(elements[i].name, name))
      return i;
  return -1;
}

const char *arrt_status_text(int32_t status) {
  switch (status) {
#define ARRT_STATUS(Enum, code, exit, text)                                    \
  case code:                                                                   \
    return text;
#include "arrt/EntryPoints.def"
  }
  return "unknown status";
}

int32_t arrt_status_exit_code(int32_t status) {
  switch (status) {
#define ARRT_STATUS(Enum, code, exit, text)                                    \
  case code:                                                                   \
    return exit;
#include "arrt/EntryPoints.def"
  }
  return 70;
}
