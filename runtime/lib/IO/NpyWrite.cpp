//===- NpyWrite.cpp - writing a .npy file ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Array.h"
#include "IO/NpyHeader.h"
#include "IO/Zip.h"

using namespace arrt;

static int32_t failType(arrt_context *ctx, const char *path,
                        const arrt_array *array) {
  return arrt_fail(ctx, ARRT_STATUS_USAGE,
                   "error: cannot write '%s': NumPy's format has no %s; "
                   "convert the result to f32",
                   path, arrt_element_name(array->element));
}

int32_t arrt_save(arrt_context *ctx, const char *path,
                  const arrt_array *array) {
  std::string front = npyFormat(array->element, array->rank, array->sizes);
  if (front.empty())
    return failType(ctx, path, array);
  HostView view(ctx, array);
  if (!view)
    return arrt_last_status(ctx);
  OutputFile file;
  if (int32_t status = file.open(ctx, path))
    return status;
  if (int32_t status = file.write(ctx, front.data(), int64_t(front.size())))
    return status;
  if (int32_t status = file.write(ctx, view.data(), arrt_array_bytes(array)))
    return status;
  return file.commit(ctx);
}

int32_t arrt_save_members(arrt_context *ctx, const char *path, int32_t count,
                          const char *const *names,
                          const arrt_array *const *arrays) {
  OutputFile file;
  if (int32_t status = file.open(ctx, path))
    return status;
  ZipWriter archive(file);
  for (int32_t i = 0; i < count; ++i) {
    const arrt_array *array = arrays[i];
    std::string front = npyFormat(array->element, array->rank, array->sizes);
    if (front.empty())
      return failType(ctx, path, array);
    HostView view(ctx, array);
    if (!view)
      return arrt_last_status(ctx);
    if (int32_t status = archive.add(ctx, std::string(names[i]) + ".npy", front,
                                     view.data(), arrt_array_bytes(array)))
      return status;
  }
  if (int32_t status = archive.finish(ctx))
    return status;
  return file.commit(ctx);
}
