//===- Device.cpp - memory, copies and launches on a CUDA card ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/CUDADevice.h"

#include <utility>

using namespace arrt;
using namespace arrt::cuda;

static Address address(const void *data) {
  return Address(reinterpret_cast<uintptr_t>(data));
}

int32_t CUDADevice::check(Result result, const char *call,
                          const std::string &about) {
  if (result == success)
    return ARRT_STATUS_OK;
  errorText = describe(result, call) + about;
  return result == outOfMemory ? ARRT_STATUS_MEMORY : ARRT_STATUS_DEVICE;
}

std::string CUDADevice::describe(Result result, const char *call) {
  std::string text = label + ": " + driver.describe(call, result);
  if (!Driver::isFatal(result))
    return text;
  std::lock_guard<std::mutex> lock(mutex);
  if (fatal.empty()) {
    fatal = driver.describe(call, result);
    if (lastKernel)
      text += std::string("; the last kernel started was '") + lastKernel + "'";
  } else {
    text += "; the first failure was " + fatal;
  }
  return text + "\nhelp: the card does nothing more for this process: start it "
                "again; ARRC_POOL=off waits for each kernel and names the one "
                "that fails";
}

int32_t CUDADevice::open(int32_t number) {
  CUDA_CALL(cuDeviceGet, (&device, number));
  CUDA_CALL(cuDevicePrimaryCtxRetain, (&context, device));
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuStreamCreate, (&stream, streamNonBlocking));
  overlaps = driver.cuLaunchKernelEx;
  char card[128] = "";
  int major = 0, minor = 0;
  CUDA_CALL(cuDeviceGetName, (card, int(sizeof card), device));
  CUDA_CALL(cuDeviceGetAttribute, (&major, computeMajor, device));
  CUDA_CALL(cuDeviceGetAttribute, (&minor, computeMinor, device));
  CUDA_CALL(cuDeviceGetAttribute, (&numUnits, multiprocessors, device));
  cacheKey = std::string("cuda ") + card + " sm_" + std::to_string(major) +
             std::to_string(minor) + " driver " +
             std::to_string(driver.version);
  return ARRT_STATUS_OK;
}

CUDADevice::~CUDADevice() {
  if (!context)
    return;
  driver.cuCtxSetCurrent(context);
  staging.release(driver);
  if (decideModule)
    driver.cuModuleUnload(decideModule);
  for (EventRef event : timing)
    if (event)
      driver.cuEventDestroy(event);
  if (passed)
    driver.cuEventDestroy(passed);
  if (stream && ownsStream)
    driver.cuStreamDestroy(stream);
  driver.cuDevicePrimaryCtxRelease(device);
}

int64_t CUDADevice::freeMemory() const {
  size_t free = 0, total = 0;
  driver.cuCtxSetCurrent(context);
  driver.cuMemGetInfo(&free, &total);
  return int64_t(free);
}

/// Kernels read neighbouring bytes by the aligned words that hold them: the
/// last one is whole. The driver hands out multiples of that anyway, but its
/// tools, which watch every access, go by what was asked for.
static constexpr int64_t kWord = 4;

void *CUDADevice::allocate(int64_t bytes) {
  Address data = 0;
  const char *call = "cuCtxSetCurrent";
  Result result = driver.cuCtxSetCurrent(context);
  if (result == success) {
    call = "cuMemAlloc";
    result = driver.cuMemAlloc(&data, size_t(roundUp(bytes, kWord)));
  }
  if (result == success)
    return reinterpret_cast<void *>(uintptr_t(data));
  // That memory is out is the caller's to report, which knows the array's name.
  std::string problem =
      result == outOfMemory ? std::string() : describe(result, call);
  std::lock_guard<std::mutex> lock(mutex);
  allocationText = std::move(problem);
  return nullptr;
}

std::string CUDADevice::allocationProblem() {
  std::lock_guard<std::mutex> lock(mutex);
  return allocationText;
}

void CUDADevice::release(void *data, int64_t) {
  // Waits for the work that uses it.
  driver.cuCtxSetCurrent(context);
  driver.cuStreamSynchronize(stream);
  driver.cuMemFree(address(data));
}

void *CUDADevice::allocateOnHost(int64_t bytes) {
  // One address for both: such memory is mapped wherever addresses are unified,
  // which is everywhere that this library runs.
  void *data = nullptr;
  if (driver.cuCtxSetCurrent(context) != success ||
      driver.cuMemHostAlloc(&data, size_t(bytes), 0) != success)
    return nullptr;
  return data;
}

void CUDADevice::releaseOnHost(void *data) {
  driver.cuCtxSetCurrent(context);
  driver.cuMemFreeHost(data);
}

int32_t CUDADevice::copy(void *to, const void *from, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuMemcpyDtoDAsync,
            (address(to), address(from), size_t(bytes), stream));
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::copyIn(void *to, const void *host, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  if (bytes <= Staging::mostBytes)
    return staging.copyIn(*this, address(to), host, size_t(bytes));
  if (staging.isLarge(cores, bytes))
    return staging.copyLargeIn(*this, *cores, address(to), host, size_t(bytes));
  // Memory that is not pinned is staged before the call returns.
  CUDA_CALL(cuMemcpyHtoDAsync, (address(to), host, size_t(bytes), stream));
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::copyOut(void *host, const void *from, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  if (bytes <= Staging::mostBackBytes)
    return staging.copyOut(*this, host, address(from), size_t(bytes));
  if (staging.isLarge(cores, bytes))
    return staging.copyLargeOut(*this, *cores, host, address(from),
                                size_t(bytes));
  CUDA_CALL(cuMemcpyDtoHAsync, (host, address(from), size_t(bytes), stream));
  CUDA_CALL(cuStreamSynchronize, (stream));
  return ARRT_STATUS_OK;
}

bool CUDADevice::copyFrom(Device &other, void *to, const void *from,
                          int64_t bytes) {
  auto *source = dynamic_cast<CUDADevice *>(&other);
  if (!source || source->letFollow(*this) != success ||
      driver.cuCtxSetCurrent(context) != success)
    return false;
  reach(*source);
  Result result =
      driver.cuMemcpyPeerAsync(address(to), context, address(from),
                               source->context, size_t(bytes), stream);
  // What the source starts next may write there again.
  return result == success && letFollow(*source) == success;
}

Result CUDADevice::letFollow(CUDADevice &other) {
  constexpr unsigned disableTiming = 2;
  Result result = driver.cuCtxSetCurrent(context);
  if (result == success && !passed)
    result = driver.cuEventCreate(&passed, disableTiming);
  if (result == success)
    result = driver.cuEventRecord(passed, stream);
  if (result == success)
    result = driver.cuCtxSetCurrent(other.context);
  return result == success ? driver.cuStreamWaitEvent(other.stream, passed, 0)
                           : result;
}

void CUDADevice::reach(const CUDADevice &peer) {
  if (peer.device == device || !reached.insert(peer.device).second)
    return;
  // Without, the driver copies over the host: nothing to report.
  int can = 0;
  if (driver.cuDeviceCanAccessPeer(&can, device, peer.device) == success && can)
    driver.cuCtxEnablePeerAccess(peer.context, 0);
}

int32_t CUDADevice::fill(void *data, int64_t pattern, int32_t width,
                         int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  Address to = address(data);
  size_t count = size_t(bytes / width);
  auto low = uint32_t(pattern), high = uint32_t(uint64_t(pattern) >> 32);
  if (width == 1) {
    CUDA_CALL(cuMemsetD8Async, (to, (unsigned char)pattern, count, stream));
  } else if (width == 2) {
    CUDA_CALL(cuMemsetD16Async, (to, (unsigned short)pattern, count, stream));
  } else if (width == 4) {
    CUDA_CALL(cuMemsetD32Async, (to, low, count, stream));
  } else if (low == high) {
    CUDA_CALL(cuMemsetD32Async, (to, low, 2 * count, stream));
  } else {
    // Every other word, twice: rows of one word, 8 bytes apart.
    CUDA_CALL(cuMemsetD2D32Async, (to, 8, low, 1, count, stream));
    CUDA_CALL(cuMemsetD2D32Async, (to + 4, 8, high, 1, count, stream));
  }
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::synchronize() {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuStreamSynchronize, (stream));
  return ARRT_STATUS_OK;
}

bool CUDADevice::beginTiming() {
  if (!driver.cuEventElapsedTime || driver.cuCtxSetCurrent(context) != success)
    return false;
  for (EventRef &event : timing)
    if (!event && driver.cuEventCreate(&event, 0) != success) {
      event = nullptr;
      return false;
    }
  return driver.cuEventRecord(timing[0], stream) == success;
}

double CUDADevice::endTiming() {
  float milliseconds = 0;
  if (driver.cuEventRecord(timing[1], stream) != success ||
      driver.cuEventSynchronize(timing[1]) != success ||
      driver.cuEventElapsedTime(&milliseconds, timing[0], timing[1]) != success)
    return -1;
  return double(milliseconds) / 1000;
}

bool CUDADevice::useStream(void *given) {
  driver.cuCtxSetCurrent(context);
  driver.cuStreamDestroy(stream);
  stream = static_cast<StreamRef>(given);
  ownsStream = false;
  return true;
}

int32_t CUDADevice::waitForOthers() {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuCtxSynchronize, ());
  return ARRT_STATUS_OK;
}

Result CUDADevice::start(const Launch &launch, FunctionRef function,
                         const char *&call) {
  unsigned grid[3], block[3], shared = unsigned(launch.shared);
  for (int d = 0; d < 3; ++d) {
    grid[d] = unsigned(launch.grid[d]);
    block[d] = unsigned(launch.block[d]);
  }
  if (overlaps && launch.overlaps) {
    LaunchAttribute attribute = {};
    attribute.kind = overlapsAttribute;
    attribute.isOn = 1;
    LaunchSettings settings = {{grid[0], grid[1], grid[2]},
                               {block[0], block[1], block[2]},
                               shared,
                               stream,
                               &attribute,
                               1};
    call = "cuLaunchKernelEx";
    hasOverlapped = true;
    Result result =
        driver.cuLaunchKernelEx(&settings, function, launch.args, nullptr);
    if (result != notSupported)
      return result;
    overlaps = false;
  }
  call = "cuLaunchKernel";
  return driver.cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0],
                               block[1], block[2], shared, stream, launch.args,
                               nullptr);
}

Device::ThreadNeeds CUDADevice::needsOf(const Launch &launch) {
  auto &kernel = *static_cast<Kernel *>(launch.kernel);
  int registers = 0, local = 0;
  if (!driver.cuFuncGetAttribute || driver.cuCtxSetCurrent(context) ||
      driver.cuFuncGetAttribute(&registers, threadRegisters, kernel.function) ||
      driver.cuFuncGetAttribute(&local, localBytes, kernel.function))
    return {};
  return {registers, local};
}

int32_t CUDADevice::launch(const Launch &launch) {
  auto &kernel = *static_cast<Kernel *>(launch.kernel);
  auto about = [&] {
    auto triple = [](auto *sizes) {
      return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) +
             " x " + std::to_string(sizes[2]);
    };
    return std::string(" for '") + launch.name + "' on " + triple(launch.grid) +
           " blocks of " + triple(launch.block) + " threads with " +
           std::to_string(launch.shared) + " bytes of shared memory";
  };
  for (int d = 0; d < 3; ++d)
    if (launch.grid[d] > (d ? 65535 : INT32_MAX)) {
      errorText = label + ": too many blocks" + about();
      return ARRT_STATUS_DEVICE;
    }
  CUDA_CALL(cuCtxSetCurrent, (context));
  if (launch.shared > kernel.allowedShared) {
    // Above 48 KiB only on request.
    if (int32_t status =
            check(driver.cuFuncSetAttribute(kernel.function, maxDynamicShared,
                                            int(launch.shared)),
                  "cuFuncSetAttribute", about()))
      return status;
    kernel.allowedShared = launch.shared;
  }
  const char *call = "";
  Result result = start(launch, kernel.function, call);
  lastKernel = launch.name;
  return result == success ? ARRT_STATUS_OK : check(result, call, about());
}
