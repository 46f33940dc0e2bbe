//===- Recording.h - launches that are kept and run again ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// While a context records, what would be started is noted in a list instead.
/// At the end the device is offered the list as a graph (CUDA takes it: one
/// call of the driver starts it all); without one the list is gone through at
/// each replay, which is right on every device.
///
/// The list holds addresses. So that they stay what they were, the pool keeps
/// the blocks that are released while it records until the recording is.
/// Values from the host are uploaded once, when they are recorded.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_RECORDING_H
#define ARRT_CORE_RECORDING_H

#include "Core/Context.h"

#include <memory>
#include <vector>

namespace arrt {

/// Work for a device, in order.
class CommandList {
public:
  /// Each notes one thing and returns 0.
  int32_t add(const Launch &launch);
  int32_t addCopy(void *to, const void *from, int64_t bytes);
  int32_t addFill(void *to, int64_t pattern, int32_t width, int64_t bytes);
  /// Starts all of it. Returns a status, with the device's error. An observer
  /// of `observed`, which may be null, is told.
  int32_t run(Device &device, bool waits, arrt_context *observed = nullptr);
  bool isEmpty() const { return commands.empty(); }
  size_t size() const { return commands.size(); }
  /// True if a launch may write to the error record.
  bool usesRecord() const { return mayFail; }

private:
  enum class Kind { Launch, Copy, Fill };
  struct Command {
    Kind kind;
    Launch launch;     ///< but for args
    size_t firstValue; ///< of its arguments, in `values`
    void *to;          ///< of a copy or a fill
    const void *from;  ///< of a copy
    int64_t pattern;   ///< of a fill
    int32_t width;     ///< of a fill
    int64_t bytes;     ///< of a copy or a fill
  };
  std::vector<Command> commands;
  bool mayFail = false;
  std::vector<int64_t> values; ///< of all launches' arguments
  std::vector<void *> args;    ///< of the launch that is started
};

} // namespace arrt

/// What a context recorded.
struct arrt_recording {
  arrt_context *context = nullptr;
  arrt::CommandList commands;
  std::unique_ptr<arrt::Graph> graph; ///< null: the list is gone through
  std::vector<void *> held;           ///< blocks of the pool that it needs
  int32_t status = 0; ///< not 0: something was asked that cannot be recorded

  /// Records a copy from the host.
  int32_t write(void *to, const void *host, int64_t bytes);
  /// Says that something cannot be recorded; the recording fails.
  int32_t refuse(const char *what);
};

namespace arrt {
/// Ends what arrt_capture_begin began, without a graph. Null if something could
/// not be recorded; the message is in the context.
arrt_recording *endRecording(arrt_context *ctx);
} // namespace arrt

#endif // ARRT_CORE_RECORDING_H
