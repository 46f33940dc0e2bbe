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

#include <algorithm>
#include <climits>
#include <cstring>
#include <vector>

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

/// What is held of an array at a time.
static constexpr int64_t mostHeld = int64_t(1) << 26;

/// Begins a file in the first process and tells the others its name; "" where
/// only that one can write it.
static int32_t beginShared(arrt_context *ctx, OutputFile &file,
                           const char *path, const std::string &front,
                           std::string &name) {
  Ranks &ranks = *ctx->ranks;
  auto failMessage = [&] {
    return arrt_fail(ctx, ARRT_STATUS_DEVICE, "error: %s",
                     ranks.problem().c_str());
  };
  if (!ranks.beginStep())
    return failMessage();
  char told[PATH_MAX] = "";
  if (isFirst(ctx)) {
    if (!file.open(path, false, /*isNamed=*/true) ||
        !file.write(front.data(), int64_t(front.size())))
      return failWrite(ctx, path, file);
    if (file.name().size() < sizeof told)
      std::memcpy(told, file.name().data(), file.name().size());
  }
  if (!ranks.broadcast(0, told, sizeof told))
    return failMessage();
  ranks.endStep();
  name = told;
  return ARRT_STATUS_OK;
}

/// Writes what this process has of an array on its device.
static int32_t writeShare(arrt_context *ctx, OutputFile &file, const char *path,
                          const std::string &front, const arrt_array *array) {
  std::vector<char> held;
  auto *data = static_cast<const char *>(array->data);
  for (auto [begin, end] :
       array->device->shareOut(data, arrt_array_bytes(array)))
    for (int64_t at = begin; at < end; at += mostHeld) {
      int64_t bytes = std::min(mostHeld, end - at);
      held.resize(size_t(std::max(bytes, int64_t(held.size()))));
      if (int32_t status = deviceStatus(
              ctx, array->device->copyOutHere(held.data(), data + at, bytes)))
        return status;
      if (!file.writeAt(int64_t(front.size()) + at, held.data(), bytes))
        return failWrite(ctx, path, file);
    }
  return ARRT_STATUS_OK;
}

static int32_t writeShared(arrt_context *ctx, OutputFile &file,
                           const char *path, const std::string &front,
                           const arrt_array *array) {
  std::string name;
  if (int32_t status = beginShared(ctx, file, path, front, name))
    return status;
  bool onHost = array->device->isHostVisible();
  if (onHost || name.empty()) {
    auto *data = static_cast<const char *>(array->data);
    int64_t whole = arrt_array_bytes(array);
    std::vector<char> held(size_t(onHost ? 0 : std::min(mostHeld, whole)));
    for (int64_t at = 0; at < whole; at += mostHeld) {
      int64_t bytes = std::min(mostHeld, whole - at);
      if (!onHost)
        if (int32_t status =
                deviceStatus(ctx, array->device->copyOutTo(0, held.data(),
                                                           data + at, bytes)))
          return status;
      if (isFirst(ctx) && !file.write(onHost ? data + at : held.data(), bytes))
        return failWrite(ctx, path, file);
    }
    return !isFirst(ctx) || file.finish() ? int32_t(ARRT_STATUS_OK)
                                          : failWrite(ctx, path, file);
  }
  if (!isFirst(ctx) && !file.openShare(name))
    return failWrite(ctx, path, file);
  if (int32_t status = writeShare(ctx, file, path, front, array))
    return status;
  return file.finish() ? int32_t(ARRT_STATUS_OK) : failWrite(ctx, path, file);
}

/// An array in the host's memory of the first process; null on others, or with
/// a status.
static arrt_array *gatherFirst(arrt_context *ctx, const arrt_array *array,
                               int32_t &status) {
  arrt_array *here = nullptr;
  if (isFirst(ctx)) {
    here =
        arrt_array_alloc_host(ctx, array->element, array->rank, array->sizes);
    status = here ? int32_t(ARRT_STATUS_OK) : arrt_last_status(ctx);
  }
  if (!status)
    status = deviceStatus(
        ctx, array->device->copyOutTo(0, here ? here->data : nullptr,
                                      array->data, arrt_array_bytes(array)));
  return here;
}

int32_t arrt::writeNpy(arrt_context *ctx, OutputFile &file, const char *path,
                       const arrt_array *array) {
  std::string front = npyFormat(array->element, array->rank, array->sizes);
  if (front.empty())
    return failType(ctx, path, array);
  if (ctx->ranks)
    return writeShared(ctx, file, path, front, array);
  HostView view(ctx, array);
  if (!view)
    return arrt_last_status(ctx);
  if (!file.open(path) || !file.write(front.data(), int64_t(front.size())) ||
      !file.write(view.data(), arrt_array_bytes(array)) || !file.finish())
    return failWrite(ctx, path, file);
  return ARRT_STATUS_OK;
}

static int32_t writeArchive(arrt_context *ctx, OutputFile &file,
                            const char *path, int32_t count,
                            const char *const *names,
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

int32_t arrt::writeNpz(arrt_context *ctx, OutputFile &file, const char *path,
                       int32_t count, const char *const *names,
                       const arrt_array *const *arrays) {
  if (!ctx->ranks)
    return writeArchive(ctx, file, path, count, names, arrays);
  std::vector<arrt_array *> here;
  std::vector<const arrt_array *> all;
  int32_t status = ARRT_STATUS_OK;
  for (int32_t i = 0; i < count && !status; ++i) {
    all.push_back(arrays[i]);
    if (arrays[i]->device->isHostVisible())
      continue;
    here.push_back(gatherFirst(ctx, arrays[i], status));
    all.back() = here.back();
  }
  if (!status && isFirst(ctx))
    status = writeArchive(ctx, file, path, count, names, all.data());
  for (arrt_array *array : here)
    arrt_array_release(array);
  return status;
}

int32_t arrt::publish(arrt_context *ctx, OutputFile &file, const char *path) {
  return file.publish() ? int32_t(ARRT_STATUS_OK) : failWrite(ctx, path, file);
}

int32_t arrt_save(arrt_context *ctx, const char *path,
                  const arrt_array *array) {
  OutputFile file;
  if (int32_t status = agree(ctx, writeNpy(ctx, file, path, array)))
    return status;
  return publish(ctx, file, path);
}

int32_t arrt_save_members(arrt_context *ctx, const char *path, int32_t count,
                          const char *const *names,
                          const arrt_array *const *arrays) {
  OutputFile file;
  if (int32_t status =
          agree(ctx, writeNpz(ctx, file, path, count, names, arrays)))
    return status;
  return publish(ctx, file, path);
}
