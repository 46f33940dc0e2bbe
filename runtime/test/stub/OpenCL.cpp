//===- OpenCL.cpp - an OpenCL loader without a device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One platform with two devices, and a third one that takes no SPIR-V. As
// strict as an implementation may be: handles must be alive, offsets inside
// their buffer, every argument set with its size. Work is done at once.
//
//===----------------------------------------------------------------------===//

#include "OpenCL/Driver.h"
#include "stub/Calls.h"
#include "stub/Kernels.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace arrt::opencl;
using stub::calls;

namespace arrt::opencl {
struct _cl_platform_id {};
struct _cl_device_id {
  int number;
};
struct _cl_context {};
struct _cl_command_queue {};
struct _cl_mem {
  char *data = nullptr;
  size_t bytes = 0;
  bool isPart = false;
  ~_cl_mem() {
    if (!isPart)
      std::free(data);
  }
};
struct _cl_program {
  std::string code;
  bool isBuilt = false;
};
struct _cl_kernel {
  const stub::Kernel *kernel = nullptr;
  std::vector<uint64_t> values;
  std::vector<bool> isSet;
};
} // namespace arrt::opencl

namespace {
constexpr Result invalidValue = -30, invalidDevice = -33, invalidContext = -34,
                 invalidQueue = -36, invalidMemory = -38, invalidBinary = -42,
                 invalidProgram = -44, invalidName = -46, invalidKernel = -48,
                 invalidIndex = -49, invalidSize = -51, invalidArguments = -52,
                 invalidGroup = -54, misaligned = -13, invalidBuffer = -61,
                 buildFailed = -11, badProgram = -45;
constexpr uint64_t memoryBytes = uint64_t(1) << 32,
                   allocationBytes = uint64_t(1) << 30;
constexpr char binaryHead[] = "binary of the stub\n";

_cl_platform_id platform;
_cl_device_id devices[3] = {{0}, {1}, {2}};

/// Gives an answer by the two calls that OpenCL wants.
Result answer(const void *value, size_t have, size_t bytes, void *to,
              size_t *needed) {
  if (needed)
    *needed = have;
  if (!to)
    return success;
  if (bytes < have)
    return invalidValue;
  std::memcpy(to, value, have);
  return success;
}
Result answerText(const std::string &text, size_t bytes, void *to,
                  size_t *needed) {
  return answer(text.c_str(), text.size() + 1, bytes, to, needed);
}
template <typename T>
Result answerNumber(T value, size_t bytes, void *to, size_t *needed) {
  return answer(&value, sizeof value, bytes, to, needed);
}

/// True if the bytes are inside the buffer.
bool holds(MemoryRef memory, size_t offset, size_t bytes) {
  return calls().isAlive(memory) && offset <= memory->bytes &&
         bytes <= memory->bytes - offset;
}

/// The place for a result, which is not always wanted.
template <typename T> T *fail(Result why, Result *result) {
  if (result)
    *result = why;
  return nullptr;
}
} // namespace

#define ENTER(name)                                                            \
  std::lock_guard<std::recursive_mutex> lock(calls().mutex);                   \
  if (Result failure = calls().enter(#name))                                   \
  return failure
#define ENTER_MAKING(name, type)                                               \
  std::lock_guard<std::recursive_mutex> lock(calls().mutex);                   \
  if (Result failure = calls().enter(#name))                                   \
    return fail<type>(failure, result);                                        \
  *result = success

extern "C" {

Result clGetPlatformIDs(uint32_t, PlatformRef *platforms, uint32_t *count) {
  ENTER(clGetPlatformIDs);
  platforms[0] = &platform;
  *count = 1;
  return success;
}
Result clGetPlatformInfo(PlatformRef, uint32_t, size_t bytes, void *value,
                         size_t *needed) {
  ENTER(clGetPlatformInfo);
  return answerText("Stub", bytes, value, needed);
}
Result clGetDeviceIDs(PlatformRef, uint64_t, uint32_t, DeviceRef *found,
                      uint32_t *count) {
  ENTER(clGetDeviceIDs);
  // The one that cannot be used stands first.
  found[0] = &devices[2];
  found[1] = &devices[0];
  found[2] = &devices[1];
  *count = 3;
  return success;
}
Result clGetDeviceInfo(DeviceRef device, uint32_t what, size_t bytes,
                       void *value, size_t *needed) {
  ENTER(clGetDeviceInfo);
  auto text = [&](const char *text) {
    return answerText(text, bytes, value, needed);
  };
  switch (what) {
  case deviceName:
    return text(device->number == 2 ? "Old Device" : "Stub Device");
  case deviceVersion:
    return text("OpenCL 3.0");
  case driverVersion:
    return text("1");
  case deviceExtensions:
    return text("cl_khr_fp64");
  case deviceILVersion:
    return text(device->number == 2 ? "" : "SPIR-V_1.2");
  case deviceType:
    return answerNumber<uint64_t>(4, bytes, value, needed);
  case deviceUnits:
    return answerNumber<uint32_t>(8, bytes, value, needed);
  case deviceMaxGroup:
    return answerNumber<size_t>(1024, bytes, value, needed);
  case deviceBaseAlignBits:
    return answerNumber<uint32_t>(1024, bytes, value, needed);
  case deviceMaxAllocation:
    return answerNumber(allocationBytes, bytes, value, needed);
  case deviceMemory:
    return answerNumber(memoryBytes, bytes, value, needed);
  case deviceLocalMemory:
    return answerNumber<uint64_t>(32768, bytes, value, needed);
  case deviceDoubleConfig:
    return answerNumber<uint64_t>(63, bytes, value, needed);
  case deviceFloatConfig:
    return answerNumber<uint64_t>(0xbf, bytes, value, needed);
  default:
    return invalidValue;
  }
}
ContextRef clCreateContext(const intptr_t *, uint32_t, const DeviceRef *,
                           void *, void *, Result *result) {
  ENTER_MAKING(clCreateContext, _cl_context);
  return calls().begin<_cl_context>();
}
Result clReleaseContext(ContextRef context) {
  ENTER(clReleaseContext);
  return calls().end(context) ? success : invalidContext;
}
QueueRef clCreateCommandQueue(ContextRef context, DeviceRef, uint64_t,
                              Result *result) {
  ENTER_MAKING(clCreateCommandQueue, _cl_command_queue);
  if (!calls().isAlive(context))
    return fail<_cl_command_queue>(invalidContext, result);
  return calls().begin<_cl_command_queue>();
}
Result clReleaseCommandQueue(QueueRef queue) {
  ENTER(clReleaseCommandQueue);
  return calls().end(queue) ? success : invalidQueue;
}
Result clFinish(QueueRef queue) {
  ENTER(clFinish);
  return calls().isAlive(queue) ? success : invalidQueue;
}

MemoryRef clCreateBuffer(ContextRef context, uint64_t, size_t bytes, void *,
                         Result *result) {
  ENTER_MAKING(clCreateBuffer, _cl_mem);
  if (!calls().isAlive(context) || bytes == 0 || bytes > allocationBytes)
    return fail<_cl_mem>(invalidBuffer, result);
  auto *memory = calls().begin<_cl_mem>();
  memory->data = static_cast<char *>(std::malloc(bytes));
  memory->bytes = bytes;
  std::memset(memory->data, 0xdb, bytes);
  return memory;
}
MemoryRef clCreateSubBuffer(MemoryRef memory, uint64_t, uint32_t,
                            const void *region, Result *result) {
  ENTER_MAKING(clCreateSubBuffer, _cl_mem);
  auto about = *static_cast<const Region *>(region);
  if (!holds(memory, about.origin, about.bytes) || about.bytes == 0 ||
      memory->isPart)
    return fail<_cl_mem>(invalidValue, result);
  if (about.origin % 128)
    return fail<_cl_mem>(misaligned, result);
  auto *part = calls().begin<_cl_mem>();
  part->data = memory->data + about.origin;
  part->bytes = about.bytes;
  part->isPart = true;
  return part;
}
Result clReleaseMemObject(MemoryRef memory) {
  ENTER(clReleaseMemObject);
  return calls().end(memory) ? success : invalidMemory;
}
Result clEnqueueReadBuffer(QueueRef queue, MemoryRef memory, uint32_t,
                           size_t offset, size_t bytes, void *host, uint32_t,
                           const EventRef *, EventRef *) {
  ENTER(clEnqueueReadBuffer);
  if (!calls().isAlive(queue) || !holds(memory, offset, bytes) || !bytes)
    return invalidValue;
  std::memcpy(host, memory->data + offset, bytes);
  return success;
}
Result clEnqueueWriteBuffer(QueueRef queue, MemoryRef memory, uint32_t,
                            size_t offset, size_t bytes, const void *host,
                            uint32_t, const EventRef *, EventRef *) {
  ENTER(clEnqueueWriteBuffer);
  if (!calls().isAlive(queue) || !holds(memory, offset, bytes) || !bytes)
    return invalidValue;
  std::memcpy(memory->data + offset, host, bytes);
  return success;
}
Result clEnqueueCopyBuffer(QueueRef queue, MemoryRef from, MemoryRef to,
                           size_t fromOffset, size_t toOffset, size_t bytes,
                           uint32_t, const EventRef *, EventRef *) {
  ENTER(clEnqueueCopyBuffer);
  if (!calls().isAlive(queue) || !holds(from, fromOffset, bytes) ||
      !holds(to, toOffset, bytes) || !bytes)
    return invalidValue;
  std::memcpy(to->data + toOffset, from->data + fromOffset, bytes);
  return success;
}
Result clEnqueueFillBuffer(QueueRef queue, MemoryRef memory,
                           const void *pattern, size_t width, size_t offset,
                           size_t bytes, uint32_t, const EventRef *,
                           EventRef *) {
  ENTER(clEnqueueFillBuffer);
  if (!calls().isAlive(queue) || !holds(memory, offset, bytes) || !bytes ||
      width > 128 || (width & (width - 1)) || offset % width || bytes % width)
    return invalidValue;
  for (size_t at = 0; at < bytes; at += width)
    std::memcpy(memory->data + offset + at, pattern, width);
  return success;
}

ProgramRef clCreateProgramWithIL(ContextRef context, const void *code,
                                 size_t bytes, Result *result) {
  ENTER_MAKING(clCreateProgramWithIL, _cl_program);
  if (!calls().isAlive(context))
    return fail<_cl_program>(invalidContext, result);
  auto *program = calls().begin<_cl_program>();
  program->code.assign(static_cast<const char *>(code), bytes);
  return program;
}
ProgramRef clCreateProgramWithBinary(ContextRef context, uint32_t,
                                     const DeviceRef *, const size_t *bytes,
                                     const unsigned char **codes, Result *,
                                     Result *result) {
  ENTER_MAKING(clCreateProgramWithBinary, _cl_program);
  std::string code(reinterpret_cast<const char *>(codes[0]), bytes[0]);
  if (!calls().isAlive(context) || code.rfind(binaryHead, 0))
    return fail<_cl_program>(invalidBinary, result);
  auto *program = calls().begin<_cl_program>();
  program->code = code.substr(sizeof binaryHead - 1);
  return program;
}
Result clBuildProgram(ProgramRef program, uint32_t, const DeviceRef *,
                      const char *, void *, void *) {
  ENTER(clBuildProgram);
  if (!calls().isAlive(program))
    return invalidProgram;
  if (program->code.find("axpy") == std::string::npos)
    return buildFailed;
  program->isBuilt = true;
  return success;
}
Result clGetProgramInfo(ProgramRef program, uint32_t what, size_t bytes,
                        void *value, size_t *needed) {
  ENTER(clGetProgramInfo);
  if (!calls().isAlive(program))
    return invalidProgram;
  std::string code = binaryHead + program->code;
  if (what == programBinaryBytes)
    return answerNumber(code.size(), bytes, value, needed);
  if (what != programBinaries)
    return invalidValue;
  std::memcpy(*static_cast<char **>(value), code.data(), code.size());
  return success;
}
Result clGetProgramBuildInfo(ProgramRef program, DeviceRef, uint32_t,
                             size_t bytes, void *value, size_t *needed) {
  ENTER(clGetProgramBuildInfo);
  return calls().isAlive(program)
             ? answerText("no kernel 'axpy'", bytes, value, needed)
             : invalidProgram;
}
Result clReleaseProgram(ProgramRef program) {
  ENTER(clReleaseProgram);
  return calls().end(program) ? success : invalidProgram;
}
KernelRef clCreateKernel(ProgramRef program, const char *name, Result *result) {
  ENTER_MAKING(clCreateKernel, _cl_kernel);
  const stub::Kernel *found = stub::findKernel(name);
  if (!calls().isAlive(program) || !program->isBuilt)
    return fail<_cl_kernel>(badProgram, result);
  if (!found || program->code.find(name) == std::string::npos)
    return fail<_cl_kernel>(invalidName, result);
  auto *kernel = calls().begin<_cl_kernel>();
  kernel->kernel = found;
  // Work-group memory is an argument more.
  kernel->values.resize(found->arguments() + (found->name == "turn"));
  kernel->isSet.resize(kernel->values.size());
  return kernel;
}
Result clReleaseKernel(KernelRef kernel) {
  ENTER(clReleaseKernel);
  return calls().end(kernel) ? success : invalidKernel;
}
Result clSetKernelArg(KernelRef kernel, uint32_t number, size_t bytes,
                      const void *value) {
  ENTER(clSetKernelArg);
  if (!calls().isAlive(kernel))
    return invalidKernel;
  if (number >= kernel->values.size())
    return invalidIndex;
  uint64_t &kept = kernel->values[number];
  if (number >= kernel->kernel->arguments()) {
    if (value || !bytes)
      return invalidSize;
    kept = bytes;
  } else {
    if (bytes != kernel->kernel->bytes(number))
      return invalidSize;
    kept = 0;
    std::memcpy(&kept, value, bytes);
  }
  kernel->isSet[number] = true;
  return success;
}
Result clEnqueueNDRangeKernel(QueueRef queue, KernelRef kernel,
                              uint32_t dimensions, const size_t *offset,
                              const size_t *global, const size_t *local,
                              uint32_t, const EventRef *, EventRef *) {
  ENTER(clEnqueueNDRangeKernel);
  if (!calls().isAlive(queue) || !calls().isAlive(kernel) || dimensions != 3 ||
      offset)
    return invalidValue;
  stub::Grid grid = {{}, {}, 0};
  size_t threads = 1;
  for (int d = 0; d < 3; ++d) {
    if (!local[d] || !global[d] || global[d] % local[d])
      return invalidGroup;
    grid.blocks[d] = int64_t(global[d] / local[d]);
    grid.threads[d] = int64_t(local[d]);
    threads *= local[d];
  }
  if (threads > 1024)
    return invalidGroup;
  std::vector<uint64_t> values = kernel->values;
  std::vector<void *> places;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!kernel->isSet[i])
      return invalidArguments;
    if (i >= kernel->kernel->arguments()) {
      grid.shared = int64_t(values[i]);
      continue;
    }
    if (kernel->kernel->letters[i] == 'p') {
      auto *memory = reinterpret_cast<MemoryRef>(uintptr_t(values[i]));
      if (!calls().isAlive(memory))
        return invalidMemory;
      values[i] = reinterpret_cast<uintptr_t>(memory->data);
    }
    places.push_back(&values[i]);
  }
  kernel->kernel->run(grid, places.data());
  return success;
}

} // extern "C"
