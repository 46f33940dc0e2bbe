//===- Observe.h - what is done for a program, one by one ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_OBSERVE_H
#define ARRT_CORE_OBSERVE_H

#include "Core/Device.h"
#include "arrt/arrt.h"

namespace arrt {

/// What observers are told; those of this project see what a thread takes, too.
struct ObservedEvent : arrt_event {
  Device::ThreadNeeds needs;
};

/// What a thread of the kernel takes that an observer is told of.
inline const Device::ThreadNeeds &needsOf(const arrt_event &event) {
  return static_cast<const ObservedEvent &>(event).needs;
}

/// As long as it lives one thing is done, which the observer of a context is
/// told with the time that it took. Does nothing where there is no observer.
class Observation {
public:
  /// A copy or a fill.
  Observation(arrt_context *ctx, int32_t kind, int64_t bytes);
  /// A launch.
  Observation(arrt_context *ctx, const Launch &launch);
  ~Observation();
  Observation(const Observation &) = delete;
  Observation &operator=(const Observation &) = delete;

private:
  void begin();

  arrt_context *ctx;
  ObservedEvent event = {};
  bool isActive, isTimedByDevice = false;
};

} // namespace arrt

#endif // ARRT_CORE_OBSERVE_H
