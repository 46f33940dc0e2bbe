//===- Array.h - helpers for counted arrays --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_ARRAY_H
#define ARRT_CORE_ARRAY_H

#include "Core/Context.h"

namespace arrt {

/// The bytes of an array; false if a size is negative or the number is above
/// 2^63 - 1. An array with a size 0 has 0 bytes whatever the others are.
bool byteCount(int32_t element, int32_t rank, const int64_t *sizes,
               int64_t &bytes);

/// `f32[3, 4]`; with rank 0 the element's name alone.
std::string shapeText(int32_t element, int32_t rank, const int64_t *sizes);

/// True if this is a handle of a context that lives. A handle that was released
/// is none, nor is any other number.
bool isAlive(arrt_context *ctx, const arrt_array *array);

/// What arrays of a card begin at a multiple of: its widest access, which
/// kernels use from there on.
constexpr uintptr_t deviceAlignment = 16;

/// True if a device can use an array where it is. All memory of the host is the
/// CPU's, whoever allocated it; a caller's memory on a card may begin at a
/// place that kernels do not expect.
inline bool isUsable(const Device &device, const arrt_array *array) {
  if (array->device->isHostVisible())
    return device.isHostVisible();
  return array->device == &device &&
         uintptr_t(array->data) % deviceAlignment == 0;
}

/// Frees the handles that a call made (frame 0: all), whoever counts on them.
void releaseHandles(arrt_context *ctx, uint64_t frame);

/// Gives the handles of a call that succeeded to the call around it.
void leaveFrame(arrt_context *ctx, uint64_t frame, uint64_t outer);

/// The elements of an array where the host can read them, for a while: those
/// of a device are copied.
class HostView {
public:
  HostView(arrt_context *ctx, const arrt_array *array)
      : array(arrt_array_to_host(ctx, const_cast<arrt_array *>(array))) {}
  ~HostView() { arrt_array_release(array); }
  HostView(const HostView &) = delete;
  HostView &operator=(const HostView &) = delete;
  /// False if they could not be copied; the message is in the context.
  explicit operator bool() const { return array; }
  const void *data() const { return array->data; }

private:
  arrt_array *array;
};

} // namespace arrt

#endif // ARRT_CORE_ARRAY_H
