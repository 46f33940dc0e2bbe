//===- NpyWrite.cpp - writing .npy files and archives ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IO/NpyWrite.h"
#include "Core/Array.h"
#include "Core/Printable.h"
#include "IO/NpyHeader.h"
#include "IO/Zip.h"

using namespace arrt;

static int32_t failType(arrt_context *ctx, const char *path,
                        const arrt_array *array) {
  return arrt_fail(ctx, ARRT_STATUS_USAGE,
                   "error: cannot write '%s': NumPy's format has no %s; "
                   "convert the result to f32",
                   printable(path).c_str(), arrt_element_name(array->element));
}

static int32_t failWrite(arrt_context *ctx, const char *path,
                         const OutputFile &file) {
  return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot write '%s': %s",
                   printable(path).c_str(), file.problem().c_str());
}

int32_t arrt::writeNpy(arrt_context *ctx, OutputFile &file, const char *path,
                       const arrt_array *array) {
  std::string front = npyFormat(array->element, array->rank, array->sizes);
  if (front.empty())
    return failType(ctx, path, array);
  HostView view(ctx, array);
  if (!view)
    return arrt_last_status(ctx);
  if (!file.open(path) || !file.write(front.data(), int64_t(front.size())) ||
      !file.write(view.data(), arrt_array_bytes(array)) || !file.finish())
    return failWrite(ctx, path, file);
  return ARRT_STATUS_OK;
}

int32_t arrt::writeNpz(arrt_context *ctx, OutputFile &file, const char *path,
                       int32_t count, const char *const *names,
                       const arrt_array *const *arrays) {
  if (!file.open(path))
    return failWrite(ctx, path, file);
  ZipWriter archive(file);
  for (int32_t i = 0; i < count; ++i) {
    const arrt_array *array = arrays[i];
    std::string front = npyFormat(array->element, array->rank, array->sizes);
    if (front.empty())
      return failType(ctx, path, array);
    HostView view(ctx, array);
    if (!view)
      return arrt_last_status(ctx);
    if (!archive.add(std::string(names[i]) + ".npy", front, view.data(),
                     arrt_array_bytes(array)))
      return failWrite(ctx, path, file);
  }
  if (!archive.finish() || !file.finish())
    return failWrite(ctx, path, file);
  return ARRT_STATUS_OK;
}

int32_t arrt::publish(arrt_context *ctx, OutputFile &file, const char *path) {
  return file.publish() ? int32_t(ARRT_STATUS_OK) : failWrite(ctx, path, file);
}

int32_t arrt_save(arrt_context *ctx, const char *path,
                  const arrt_array *array) {
  OutputFile file;
  if (int32_t status = writeNpy(ctx, file, path, array))
    return status;
  return publish(ctx, file, path);
}

int32_t arrt_save_members(arrt_context *ctx, const char *path, int32_t count,
                          const char *const *names,
                          const arrt_array *const *arrays) {
  OutputFile file;
  if (int32_t status = writeNpz(ctx, file, path, count, names, arrays))
    return status;
  return publish(ctx, file, path);
}
