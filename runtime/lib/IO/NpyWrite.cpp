//===- NpyWrite.cpp - writing a .npy file ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Context.h"
#include "IO/File.h"
#include "IO/NpyHeader.h"

using namespace arrt;

int32_t arrt_save(arrt_context *ctx, const char *path,
                  const arrt_array *array) {
  std::string front = npyFormat(array->element, array->rank, array->sizes);
  if (front.empty())
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: cannot write '%s': NumPy's format has no %s; "
                     "convert the result to f32",
                     path, arrt_element_name(array->element));
  OutputFile file;
  if (int32_t status = file.open(ctx, path))
    return status;
  if (int32_t status = file.write(ctx, front.data(), int64_t(front.size())))
    return status;
  if (int32_t status = file.write(ctx, array->data, arrt_array_bytes(array)))
    return status;
  return file.commit(ctx);
}
