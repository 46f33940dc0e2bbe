//===- DLPack.h - The layout of DLPack's tensors ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_DLPACK_H
#define ARRC_PYTHON_DLPACK_H

#include <cstdint>

namespace arrc::python::dlpack {

/// Kinds of devices.
enum DeviceType : int32_t { CPU = 1, CUDA = 2, CUDAHost = 3 };

/// Memory on a device, as DLPack 0.8 and the tensors without a version have it.
struct Tensor {
  void *data;
  int32_t deviceType, deviceNumber;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides; ///< in elements; no strides: dense, row-major
  uint64_t byteOffset;
};

/// A tensor and who frees it.
struct Managed {
  Tensor tensor;
  void *owner;
  void (*deleter)(Managed *);
};

/// The name of a capsule that holds one, and of one whose tensor was taken.
constexpr const char *capsule = "dltensor", *taken = "used_dltensor";

/// What a library offers to extension modules beside `__dlpack__`, as DLPack 1
/// has it from version 1.2 on: functions that make no objects of Python.
/// Members that are not used here are pointers to something.
struct Exchange {
  uint32_t major, minor;
  const Exchange *older;
  void *allocate, *toManaged, *fromManaged;
  /// Describes an object without an owner; -1 with an exception of Python's.
  int (*toTensor)(void *object, Tensor *tensor);
  void *currentStream;
};

/// Where a type has it, and the name of its capsule.
constexpr const char *exchangeAttribute = "__dlpack_c_exchange_api__",
                     *exchangeCapsule = "dlpack_exchange_api";

} // namespace arrc::python::dlpack

#endif // ARRC_PYTHON_DLPACK_H
