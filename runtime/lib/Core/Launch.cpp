//===- Launch.cpp - the kernels of a program ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The letters of every kernel are read when a program is called first, and an
// image is loaded at the first launch of one of its kernels: versions that are
// not run cost nothing. Every other launch is a look into a vector and one call
// of the driver: nothing is allocated, and no text is made unless it fails.
//
//===----------------------------------------------------------------------===//

#include "Core/Launch.h"
#include "Core/Context.h"
#include "Core/Observe.h"
#include "Core/Recording.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace arrt;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

bool LoadedProgram::Kernel::readLetters() {
  size_t count = std::strlen(about->args);
  for (size_t i = 0; i < count; ++i) {
    char letter = about->args[i];
    if (!std::strchr("p1248oxelt", letter))
      return false;
    usesRecord |= letter == 'e';
    usesCounter |= letter == 't';
    if (letter == 'x')
      extents.push_back(int(i));
    // An extent stands behind each offset.
    if ((letter == 'x') != (i > 0 && about->args[i - 1] == 'o'))
      return false;
  }
  if (count && about->args[count - 1] == 'o')
    return false;
  args.resize(count);
  return about->index_bits == 0 || about->index_bits == 32 ||
         about->index_bits == 64;
}

/// Reads the table of a program.
static int32_t prepare(arrt_context *ctx, const arrt_program *program,
                       LoadedProgram &loaded) {
  loaded.about = program;
  loaded.modules.resize(size_t(program->num_images));
  // Without images, too: its code goes to memory as that of its target.
  bool isFor = program->target == ctx->target;
  for (int32_t i = 0; i < program->num_images; ++i)
    isFor &= ctx->device->takes(program->images[i].format);
  if (!isFor) {
    const char *target = arrt_target_name(program->target);
    return arrt_fail(
        ctx, ARRT_STATUS_DEVICE,
        "error: the program was compiled for %s, and runs on %s\n"
        "help: compile it for this device, or choose another by --target",
        target ? target : "another device", ctx->device->name());
  }
  // Its code for the CPU takes arrays to be memory of the host.
  if (isFor && program->target == ARRT_TARGET_CPU && !program->num_images &&
      !ctx->device->isHostVisible())
    return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                     "error: the program was compiled for one device, and runs "
                     "on several parts of the CPU\n"
                     "help: compile it with --parts=1");
  for (int32_t k = 0; k < program->num_kernels; ++k) {
    LoadedProgram::Kernel kernel;
    kernel.about = &program->kernels[k];
    if (kernel.about->image < 0 || kernel.about->image >= program->num_images)
      return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                       "error: the kernel '%s' is in no image",
                       kernel.about->name);
    if (!kernel.readLetters())
      return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                       "error: the kernel '%s' has arguments '%s', which this "
                       "runtime does not know",
                       kernel.about->name, kernel.about->args);
    loaded.kernels.push_back(std::move(kernel));
  }
  return ARRT_STATUS_OK;
}

/// Loads the image of a kernel that is launched for the first time.
static int32_t load(arrt_context *ctx, LoadedProgram &program,
                    LoadedProgram::Kernel &kernel) {
  // With fewer of them its blocks would wait for ever.
  int32_t units = kernel.about->flags / ARRT_KERNEL_UNITS;
  if (units > ctx->device->units())
    return arrt_fail(ctx, ARRT_STATUS_DEVICE,
                     "error: the program was compiled for a device with %d "
                     "multiprocessors, '%s' has %d; compile it for this one",
                     units, ctx->device->name(), ctx->device->units());
  auto start = std::chrono::steady_clock::now();
  int32_t number = kernel.about->image;
  std::unique_ptr<Module> &module = program.modules[size_t(number)];
  if (!module) {
    arrt_image image = program.about->images[number];
    if (image.bytes == 0) {
      if (!ctx->makeImage)
        return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                         "error: the kernel '%s' has no code",
                         kernel.about->name);
      if (int32_t status = ctx->makeImage(ctx->imageUser, ctx, program.about,
                                          number, &image))
        return status;
    }
    module = ctx->device->load(image);
  }
  if (module)
    kernel.handle = module->kernel(kernel.about->name);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ctx->loadSeconds += took.count();
  return kernel.handle ? ARRT_STATUS_OK : deviceStatus(ctx, ARRT_STATUS_DEVICE);
}

double arrt_load_seconds(const arrt_context *ctx) { return ctx->loadSeconds; }

void arrt_set_images(arrt_context *ctx, arrt_image_fn make, void *user) {
  ctx->makeImage = make;
  ctx->imageUser = user;
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
  if (int32_t status = agree(ctx, prepare(ctx, program, loaded), program))
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

/// Starts a launch, or notes it if the context records.
static int32_t start(arrt_context *ctx, const Launch &launch) {
  if (ctx->recording)
    return ctx->recording->commands.add(launch);
  Observation observation(ctx, launch);
  if (int32_t status = deviceStatus(ctx, ctx->device->launch(launch)))
    return status;
  // Kernels of the host have run, and what follows may depend on what they
  // checked.
  if (ctx->target == ARRT_TARGET_CPU)
    return arrt_poll_error(ctx);
  return ctx->isDebug ? deviceStatus(ctx, ctx->device->synchronize())
                      : ARRT_STATUS_OK;
}

static int64_t integerAt(const void *place) {
  int64_t value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// Runs a launch as two, along its first parallel dimension: what a kernel does
/// must depend on its offset and extent alone, not on the grid.
static int32_t startHalves(arrt_context *ctx,
                           const LoadedProgram::Kernel &kernel, Launch launch) {
  int first = kernel.extents.front();
  int64_t offset = integerAt(launch.args[first - 1]);
  int64_t whole = integerAt(launch.args[first]), inner = 1;
  for (size_t i = 1; i < kernel.extents.size(); ++i)
    inner *= integerAt(launch.args[kernel.extents[i]]);
  int64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  bool isFolded = launch.grid[1] > 1;
  if (launch.grid[2] > 1 ||
      (isFolded ? blocks < whole * inner : blocks != whole * inner))
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: kernel '%s' was launched on %lld x %lld x %lld "
                     "blocks for extents of %lld",
                     launch.name, (long long)launch.grid[0],
                     (long long)launch.grid[1], (long long)launch.grid[2],
                     (long long)(whole * inner));
  if (whole < 2)
    return start(ctx, launch);
  int64_t half = whole / 2;
  for (auto [begin, extent] :
       {std::pair<int64_t, int64_t>{0, half},
        std::pair<int64_t, int64_t>{half, whole - half}}) {
    int64_t from = offset + begin;
    launch.args[first - 1] = &from;
    launch.args[first] = &extent;
    // A folded grid keeps its rows' length, which the kernel counts by.
    if (isFolded)
      launch.grid[1] = (extent * inner + launch.grid[0] - 1) / launch.grid[0];
    else
      launch.grid[0] = extent * inner;
    if (int32_t status = start(ctx, launch))
      return status;
  }
  return ARRT_STATUS_OK;
}

/// Gives the arguments of a letter the address that is kept at `address`.
static void fillIn(LoadedProgram::Kernel &kernel, char letter,
                   void *const &address) {
  for (size_t i = 0; i < kernel.args.size(); ++i)
    if (kernel.about->args[i] == letter)
      kernel.args[i] = const_cast<void **>(&address);
}

int32_t arrt_launch(arrt_context *ctx, int32_t number, int64_t gridX,
                    int64_t gridY, int64_t gridZ, int32_t blockX,
                    int32_t blockY, int32_t blockZ, int64_t shared,
                    void **args) {
  if (!ctx->kernels || number < 0 ||
      size_t(number) >= ctx->kernels->kernels.size())
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: the program has no kernel number %d", number);
  LoadedProgram::Kernel &kernel = ctx->kernels->kernels[size_t(number)];
  if (gridX < 0 || gridY < 0 || gridZ < 0 || blockX <= 0 || blockY <= 0 ||
      blockZ <= 0 || shared < 0)
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: kernel '%s' was launched on %lld x %lld x %lld "
                     "blocks of %d x %d x %d threads",
                     kernel.about->name, (long long)gridX, (long long)gridY,
                     (long long)gridZ, blockX, blockY, blockZ);
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return ARRT_STATUS_OK;
  if (!kernel.handle)
    if (int32_t status = load(ctx, *ctx->kernels, kernel))
      return status;
  Launch launch;
  launch.kernel = kernel.handle;
  launch.name = kernel.about->name;
  launch.letters = kernel.about->args;
  launch.parts = kernel.about->parts;
  launch.indexBytes = kernel.about->index_bits == 32 ? 4 : 8;
  launch.overlaps = kernel.about->flags & ARRT_KERNEL_OVERLAPS;
  launch.grid[0] = gridX, launch.grid[1] = gridY, launch.grid[2] = gridZ;
  launch.block[0] = blockX, launch.block[1] = blockY, launch.block[2] = blockZ;
  launch.shared = shared;
  launch.args = args;
  launch.context = ctx;
  bool inHalves = ctx->inHalves && !kernel.extents.empty();
  if (kernel.usesRecord || kernel.usesCounter || inHalves) {
    std::copy_n(args, kernel.args.size(), kernel.args.begin());
    launch.args = kernel.args.data();
  }
  if (kernel.usesRecord) {
    // A recording is given a clean record whenever it is replayed.
    int32_t status = ctx->recording ? ctx->deviceRecord.make(*ctx->device)
                                    : ctx->deviceRecord.prepare(*ctx->device);
    if (status)
      return deviceStatus(ctx, status);
    fillIn(kernel, 'e', ctx->deviceRecord.address());
  }
  if (kernel.usesCounter) {
    if (int32_t status = ctx->deviceCounter.make(*ctx->device))
      return deviceStatus(ctx, status);
    fillIn(kernel, 't', ctx->deviceCounter.address());
  }
  return inHalves ? startHalves(ctx, kernel, launch) : start(ctx, launch);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

int32_t arrt_read(arrt_context *ctx, void *host, const void *from,
                  int64_t bytes) {
  if (ctx->recording)
    return ctx->recording->refuse("reading from the device");
  if (bytes <= 0)
    return ARRT_STATUS_OK;
  Observation observation(ctx, ARRT_EVENT_COPY_OUT, bytes);
  if (!ctx->resultSlots.holds(from))
    return deviceStatus(ctx, ctx->device->copyOut(host, from, bytes));
  int32_t status = deviceStatus(ctx, ctx->device->synchronize());
  if (status == ARRT_STATUS_OK)
    std::memcpy(host, from, size_t(bytes));
  return status;
}

int32_t arrt_write(arrt_context *ctx, void *to, const void *host,
                   int64_t bytes) {
  if (bytes <= 0)
    return ARRT_STATUS_OK;
  if (ctx->recording)
    return ctx->recording->write(to, host, bytes);
  Observation observation(ctx, ARRT_EVENT_COPY_IN, bytes);
  return deviceStatus(ctx, ctx->device->copyIn(to, host, bytes));
}

int32_t arrt_buffer_fill(arrt_context *ctx, void *to, int64_t pattern,
                         int32_t width, int64_t bytes) {
  if ((width != 1 && width != 2 && width != 4 && width != 8) || bytes < 0 ||
      bytes % width)
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: %lld bytes were to be filled by %d bytes",
                     (long long)bytes, width);
  if (bytes == 0)
    return ARRT_STATUS_OK;
  if (ctx->recording)
    return ctx->recording->commands.addFill(to, pattern, width, bytes);
  Observation observation(ctx, ARRT_EVENT_FILL, bytes);
  return deviceStatus(ctx, ctx->device->fill(to, pattern, width, bytes));
}

int32_t arrt_wait_for_others(arrt_context *ctx) {
  return deviceStatus(ctx, ctx->device->waitForOthers());
}

int32_t arrt_synchronize(arrt_context *ctx) {
  // What is recorded has not been started.
  return ctx->recording ? ARRT_STATUS_OK
                        : deviceStatus(ctx, ctx->device->synchronize());
}
