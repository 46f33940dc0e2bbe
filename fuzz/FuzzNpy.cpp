//===- FuzzNpy.cpp - Any bytes go through the reader of .npy files --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrt/arrt.h"

#include <cstdint>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static arrt_context *context = arrt_context_create(nullptr);
  int file = memfd_create("fuzz", 0);
  if (file < 0)
    return 0;
  if (write(file, data, size) == static_cast<ssize_t>(size)) {
    std::string path = "/proc/self/fd/" + std::to_string(file);
    if (arrt_array *array = arrt_load(context, path.c_str()))
      arrt_array_release(array);
  }
  close(file);
  return 0;
}
