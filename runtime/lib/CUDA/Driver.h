//===- Driver.h - the CUDA driver, found at run time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver API and not the CUDA runtime: it is in the driver's package, so
/// that a program needs neither the toolkit nor a matching version of it, and
/// it takes PTX. The few types of it are declared here.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CUDA_DRIVER_H
#define ARRT_CUDA_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace arrt::cuda {

/// CUresult; 0 is success.
enum Result : int {
  success = 0,
  outOfMemory = 2,
  noDevice = 100,
  invalidPTX = 218,
  unsupportedPTX = 222,
  invalidContext = 201,
  uncorrectableECC = 214,
  illegalAddress = 700,
  launchTimeout = 702,
  peerAlreadyEnabled = 704,
  deviceAssert = 710,
  hardwareStackError = 714,
  launchFailed = 719, ///< those in between: illegal instruction, address, ..
  notSupported = 801,
  systemMismatch = 803,
};
/// CUdevice.
using DeviceId = int;
/// CUdeviceptr.
using Address = unsigned long long;
using ContextRef = struct CUctx_st *;
using StreamRef = struct CUstream_st *;
using ModuleRef = struct CUmod_st *;
using FunctionRef = struct CUfunc_st *;
using LinkRef = struct CUlinkState_st *;
using EventRef = struct CUevent_st *;
using GraphRef = struct CUgraph_st *;
using GraphExecRef = struct CUgraphExec_st *;
using NodeRef = struct CUgraphNode_st *;
/// CUgraphConditionalHandle.
using ConditionHandle = unsigned long long;

/// CUdevice_attribute.
enum Attribute : int {
  maxThreadsPerBlock = 1,
  maxSharedPerBlock = 8,
  warpSize = 10,
  multiprocessors = 16,
  memoryClock = 36,
  memoryBits = 37,
  cacheBytes = 38,
  maxThreadsPerUnit = 39,
  computeMajor = 75,
  computeMinor = 76,
  maxSharedPerUnit = 81,
  maxRegistersPerUnit = 82,
  maxSharedPerBlockOptIn = 97,
  maxBlocksPerUnit = 106,
};
/// CUfunction_attribute.
enum FunctionAttribute : int {
  localBytes = 3,
  threadRegisters = 4,
  maxDynamicShared = 8
};
/// CUlaunchAttributeID.
enum LaunchAttributeKind : int { overlapsAttribute = 6 };
/// CUlaunchAttribute.
struct LaunchAttribute {
  LaunchAttributeKind kind;
  union {
    long long all[8];
    int isOn; ///< programmaticStreamSerializationAllowed
  };
};
static_assert(sizeof(LaunchAttribute) == 72, "as the driver's");
/// CUlaunchConfig.
struct LaunchSettings {
  unsigned grid[3], block[3];
  unsigned shared;
  StreamRef stream;
  LaunchAttribute *attributes;
  unsigned count; ///< of attributes
};
static_assert(sizeof(LaunchSettings) == 56, "as the driver's");
/// CUjit_option.
enum JITOption : int {
  infoLog = 3,
  infoLogBytes = 4,
  errorLog = 5,
  errorLogBytes = 6
};
/// CUjitInputType.
enum JITInput : int { inputCubin = 0, inputPTX = 1 };

/// CUstreamCaptureMode.
enum CaptureMode : int { captureRelaxed = 2 };

/// CUgraphNodeType, CUgraphConditionalNodeType.
enum NodeKind : int { nodeConditional = 13 };
enum ConditionKind : int { conditionIf = 0, conditionWhile = 1 };
/// CUgraphNodeParams with the part for conditional nodes.
struct NodeParameters {
  NodeKind kind = nodeConditional;
  int reserved0[3] = {};
  union {
    long long all[29] = {};
    struct {
      ConditionHandle handle;
      ConditionKind kind;
      unsigned count;
      GraphRef *bodies; ///< the driver's, filled in
      ContextRef context;
    } conditional;
  };
  long long reserved2 = 0;
};
static_assert(sizeof(NodeParameters) == 16 + 29 * 8 + 8, "as the driver's");

constexpr unsigned streamNonBlocking = 1;
constexpr unsigned eventNoTiming = 2;

/// The functions of the driver.
struct Driver {
#define CUDA_FUNCTION(name, symbol, parameters) Result(*name) parameters;
#include "CUDA/CUDASymbols.def"
  int version = 0; ///< 12040 is CUDA 12.4

  /// True if the context is of no use after this error: every later call
  /// returns it as well.
  static bool isFatal(Result result);
  /// `cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory)`.
  std::string describe(const char *call, Result result) const;
};

/// The driver, initialised, or null with why, and what to do about it.
/// ARRC_CUDA_LIBRARY names another file than libcuda.so.1.
const Driver *findDriver(std::string &problem, std::string &remedy);

} // namespace arrt::cuda

#endif // ARRT_CUDA_DRIVER_H
