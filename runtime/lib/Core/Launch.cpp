//===- Launch.cpp - the kernels of a program ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Images are loaded when a program is called first, so that a launch is a look
// into a vector and one call of the driver.
//
//===----------------------------------------------------------------------===//

#include "Core/Launch.h"
#include "Core/Context.h"

#include <algorithm>
#include <cstring>

using namespace arrt;

//===----------------------------------------------------------------------===//
// Failing checks
//===----------------------------------------------------------------------===//

static constexpr uint64_t noKey = ~uint64_t(0);
static_assert(ARRT_RECORD_INDEX_BITS == ErrorRecord::indexBits,
              "the host and devices order failures alike");
static_assert(ARRT_RECORD_VALUES <= ErrorRecord::maxValues &&
                  8 + 8 * ARRT_RECORD_VALUES <= ARRT_RECORD_STRIDE,
              "all values of a slot can be kept");

int32_t DeviceRecord::prepare(Device &device) {
  if (!data) {
    data = device.allocate(ARRT_RECORD_BYTES);
    isClean = false;
    if (!data)
      return ARRT_STATUS_MEMORY;
  }
  if (!isClean) {
    unsigned char head[ARRT_RECORD_FIRST] = {};
    std::memcpy(head + ARRT_RECORD_KEY, &noKey, sizeof noKey);
    if (int32_t status = device.copyIn(data, head, sizeof head))
      return status;
  }
  isClean = isUsed = true;
  return ARRT_STATUS_OK;
}

int32_t DeviceRecord::readBack(Device &device, ErrorRecord &to) {
  if (!isUsed)
    return ARRT_STATUS_OK;
  isUsed = false;
  unsigned char head[ARRT_RECORD_FIRST];
  if (int32_t status = device.copyOut(head, data, sizeof head))
    return status;
  uint64_t key;
  uint32_t count;
  std::memcpy(&key, head + ARRT_RECORD_KEY, sizeof key);
  std::memcpy(&count, head + ARRT_RECORD_COUNT, sizeof count);
  if (key == noKey)
    return ARRT_STATUS_OK;
  isClean = false;
  count = std::min<uint32_t>(count, ARRT_RECORD_SLOTS);
  std::vector<unsigned char> slots(size_t(count) * ARRT_RECORD_STRIDE);
  auto *first = static_cast<const char *>(data) + ARRT_RECORD_FIRST;
  if (count)
    if (int32_t status =
            device.copyOut(slots.data(), first, int64_t(slots.size())))
      return status;
  int64_t values[ARRT_RECORD_VALUES];
  int32_t found = lostValues;
  for (uint32_t s = 0; s < count && found == lostValues; ++s) {
    const unsigned char *slot = slots.data() + size_t(s) * ARRT_RECORD_STRIDE;
    uint64_t mine;
    std::memcpy(&mine, slot, sizeof mine);
    if (mine != key)
      continue;
    found = ARRT_RECORD_VALUES;
    std::memcpy(values, slot + sizeof mine, sizeof values);
  }
  to.note(int32_t(key >> ARRT_RECORD_INDEX_BITS),
          int64_t(key & ((uint64_t(1) << ARRT_RECORD_INDEX_BITS) - 1)), found,
          values);
  return ARRT_STATUS_OK;
}

void DeviceRecord::forget() {
  if (isUsed)
    isClean = false;
  isUsed = false;
}

void DeviceRecord::release(Device &device) {
  if (data)
    device.release(data, ARRT_RECORD_BYTES);
  data = nullptr;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static int32_t load(arrt_context *ctx, const arrt_program *program,
                    LoadedProgram &loaded) {
  const char *device = ctx->device->name();
  for (int32_t i = 0; i < program->num_images; ++i) {
    const arrt_image &image = program->images[i];
    if (!ctx->device->takes(image.format))
      return arrt_fail(
          ctx, ARRT_STATUS_DEVICE,
          "error: the program was compiled for %s, and runs on %s\n"
          "help: compile it for this device, or choose another by --target",
          arrt_target_name(program->target), device);
    std::unique_ptr<Module> module = ctx->device->load(image);
    if (!module)
      return arrt_fail(ctx, ARRT_STATUS_DEVICE, "error: %s",
                       ctx->device->error().c_str());
    loaded.modules.push_back(std::move(module));
  }
  for (int32_t k = 0; k < program->num_kernels; ++k) {
    const arrt_kernel &about = program->kernels[k];
    LoadedProgram::Kernel kernel;
    if (about.image >= 0 && about.image < program->num_images)
      kernel.handle = loaded.modules[size_t(about.image)]->kernel(about.name);
    if (!kernel.handle)
      return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                       "error: %s: the program has no kernel '%s'", device,
                       about.name);
    kernel.about = &about;
    kernel.usesRecord = std::strchr(about.args, 'e') != nullptr;
    loaded.kernels.push_back(kernel);
  }
  return ARRT_STATUS_OK;
}

int32_t arrt_program_load(arrt_context *ctx, const arrt_program *program) {
  if (program->version != ARRT_ABI_VERSION)
    return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                     "error: the program was compiled for version %d of the "
                     "runtime, this is version %d; compile it again",
                     program->version, int(ARRT_ABI_VERSION));
  if (ctx->loaded.count(program))
    return ARRT_STATUS_OK;
  LoadedProgram loaded;
  if (int32_t status = load(ctx, program, loaded))
    return status;
  ctx->loaded.emplace(program, std::move(loaded));
  return ARRT_STATUS_OK;
}

void arrt_program_unload(arrt_context *ctx, const arrt_program *program) {
  ctx->device->synchronize();
  ctx->loaded.erase(program);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

int32_t arrt_launch(arrt_context *ctx, int32_t number, int64_t gridX,
                    int64_t gridY, int64_t gridZ, int32_t blockX,
                    int32_t blockY, int32_t blockZ, int64_t shared,
                    void **args) {
  if (!ctx->kernels || number < 0 ||
      size_t(number) >= ctx->kernels->kernels.size())
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: the program has no kernel number %d", number);
  if (gridX < 0 || gridY < 0 || gridZ < 0 || blockX <= 0 || blockY <= 0 ||
      blockZ <= 0 || shared < 0)
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: kernel '%s' was launched on %lld x %lld x %lld "
                     "blocks of %d x %d x %d threads",
                     ctx->kernels->kernels[size_t(number)].about->name,
                     (long long)gridX, (long long)gridY, (long long)gridZ,
                     blockX, blockY, blockZ);
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return ARRT_STATUS_OK;
  const LoadedProgram::Kernel &kernel = ctx->kernels->kernels[size_t(number)];
  Launch launch;
  launch.kernel = kernel.handle;
  launch.name = kernel.about->name;
  launch.letters = kernel.about->args;
  launch.grid[0] = gridX, launch.grid[1] = gridY, launch.grid[2] = gridZ;
  launch.block[0] = blockX, launch.block[1] = blockY, launch.block[2] = blockZ;
  launch.shared = shared;
  launch.args = args;
  std::vector<void *> filled;
  if (kernel.usesRecord) {
    if (int32_t status =
            deviceStatus(ctx, ctx->deviceRecord.prepare(*ctx->device)))
      return status;
    size_t count = std::strlen(launch.letters);
    filled.assign(args, args + count);
    for (size_t i = 0; i < count; ++i)
      if (launch.letters[i] == 'e')
        filled[i] = const_cast<void **>(&ctx->deviceRecord.address());
    launch.args = filled.data();
  }
  return deviceStatus(ctx, ctx->device->launch(launch));
}

int32_t arrt_read(arrt_context *ctx, void *host, const void *from,
                  int64_t bytes) {
  return bytes <= 0
             ? ARRT_STATUS_OK
             : deviceStatus(ctx, ctx->device->copyOut(host, from, bytes));
}

int32_t arrt_write(arrt_context *ctx, void *to, const void *host,
                   int64_t bytes) {
  return bytes <= 0 ? ARRT_STATUS_OK
                    : deviceStatus(ctx, ctx->device->copyIn(to, host, bytes));
}

int32_t arrt_buffer_fill(arrt_context *ctx, void *to, int64_t pattern,
                         int32_t width, int64_t bytes) {
  if ((width != 1 && width != 2 && width != 4 && width != 8) || bytes < 0 ||
      bytes % width)
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: %lld bytes were to be filled by %d bytes",
                     (long long)bytes, width);
  return bytes == 0
             ? ARRT_STATUS_OK
             : deviceStatus(ctx, ctx->device->fill(to, pattern, width, bytes));
}

int32_t arrt_synchronize(arrt_context *ctx) {
  return deviceStatus(ctx, ctx->device->synchronize());
}
