//===- Recording.cpp - launches that are kept and run again ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Recording.h"
#include "Core/Observe.h"

#include <cstring>
#include <new>
#include <optional>

using namespace arrt;

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// The bytes of a value behind its pointer, as arrt_launch gets it.
static size_t valueBytes(char letter) {
  switch (letter) {
  case 'l':
    return 0;
  case '1':
  case '2':
  case '4':
    return size_t(letter - '0');
  default:
    return 8;
  }
}

int32_t CommandList::add(const Launch &launch) {
  Command command = {};
  command.kind = Kind::Launch;
  command.launch = launch;
  command.firstValue = values.size();
  for (size_t i = 0; launch.letters[i]; ++i) {
    values.push_back(0);
    mayFail |= launch.letters[i] == 'e';
    if (size_t bytes = valueBytes(launch.letters[i]))
      std::memcpy(&values.back(), launch.args[i], bytes);
  }
  commands.push_back(command);
  return ARRT_STATUS_OK;
}

int32_t CommandList::addCopy(void *to, const void *from, int64_t bytes) {
  Command command = {};
  command.kind = Kind::Copy;
  command.to = to;
  command.from = from;
  command.bytes = bytes;
  commands.push_back(command);
  return ARRT_STATUS_OK;
}

int32_t CommandList::addFill(void *to, int64_t pattern, int32_t width,
                             int64_t bytes) {
  Command command = {};
  command.kind = Kind::Fill;
  command.to = to;
  command.pattern = pattern;
  command.width = width;
  command.bytes = bytes;
  commands.push_back(command);
  return ARRT_STATUS_OK;
}

int32_t CommandList::run(Device &device, bool waits, arrt_context *observed) {
  for (Command &command : commands) {
    int32_t status = ARRT_STATUS_OK;
    std::optional<Observation> observation;
    switch (command.kind) {
    case Kind::Launch:
      args.clear();
      for (size_t i = 0; command.launch.letters[i]; ++i)
        args.push_back(&values[command.firstValue + i]);
      command.launch.args = args.data();
      if (observed)
        observation.emplace(observed, command.launch);
      status = device.launch(command.launch);
      break;
    case Kind::Copy:
      if (observed)
        observation.emplace(observed, ARRT_EVENT_COPY, command.bytes);
      status = device.copy(command.to, command.from, command.bytes);
      break;
    case Kind::Fill:
      if (observed)
        observation.emplace(observed, ARRT_EVENT_FILL, command.bytes);
      status = device.fill(command.to, command.pattern, command.width,
                           command.bytes);
      break;
    }
    if (status == ARRT_STATUS_OK && waits)
      status = device.synchronize();
    if (status)
      return status;
  }
  return ARRT_STATUS_OK;
}

int32_t arrt_recording::write(void *to, const void *host, int64_t bytes) {
  bool isAligned = reinterpret_cast<uintptr_t>(to) % uintptr_t(bytes) == 0;
  if (isAligned && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) {
    int64_t pattern = 0;
    std::memcpy(&pattern, host, size_t(bytes));
    return commands.addFill(to, pattern, int32_t(bytes), bytes);
  }
  void *kept = context->pool->allocate(bytes, 0);
  if (!kept) {
    failMemory(context, bytes, -1, "a recorded value");
    return status = context->status;
  }
  context->pool->release(kept); // which holds it
  if (int32_t failed =
          deviceStatus(context, context->device->copyIn(kept, host, bytes)))
    return status = failed;
  return commands.addCopy(to, kept, bytes);
}

int32_t arrt_recording::refuse(const char *what) {
  return status = arrt_fail(context, ARRT_STATUS_INTERNAL,
                            "error: %s cannot be recorded", what);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

int32_t arrt_capture_begin(arrt_context *ctx) {
  if (ctx->recording)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: a recording was begun in another");
  std::unique_ptr<arrt_recording> recording(new (std::nothrow) arrt_recording);
  if (!recording)
    return arrt_fail(ctx, ARRT_STATUS_MEMORY, "error: out of memory");
  recording->context = ctx;
  ctx->recording = recording.get();
  ctx->recordings.push_back(std::move(recording));
  ctx->pool->hold();
  return ARRT_STATUS_OK;
}

arrt_recording *arrt::endRecording(arrt_context *ctx) {
  arrt_recording *recording = ctx->recording;
  if (!recording) {
    arrt_fail(ctx, ARRT_STATUS_USAGE, "error: no recording was begun");
    return nullptr;
  }
  ctx->recording = nullptr;
  recording->held = ctx->pool->endHold();
  if (!recording->status)
    return recording;
  arrt_recording_release(recording);
  return nullptr;
}

arrt_recording *arrt_capture_end(arrt_context *ctx) {
  arrt_recording *recording = endRecording(ctx);
  // A list of what is waited for one by one stays a list.
  if (recording && !ctx->isDebug && !recording->commands.isEmpty())
    recording->graph = ctx->device->capture(
        [&] { return recording->commands.run(*ctx->device, /*waits=*/false); });
  return recording;
}

void arrt_recording_release(arrt_recording *recording) {
  if (!recording)
    return;
  arrt_context *ctx = recording->context;
  if (recording == ctx->recording) {
    ctx->recording = nullptr;
    recording->held = ctx->pool->endHold();
  }
  for (void *block : recording->held)
    ctx->pool->release(block);
  for (size_t i = 0; i < ctx->recordings.size(); ++i)
    if (ctx->recordings[i].get() == recording) {
      ctx->recordings.erase(ctx->recordings.begin() + std::ptrdiff_t(i));
      return;
    }
}

static int32_t replayOnce(arrt_recording &recording) {
  arrt_context *ctx = recording.context;
  if (recording.graph && !ctx->observer)
    return deviceStatus(ctx, recording.graph->launch());
  return deviceStatus(ctx,
                      recording.commands.run(*ctx->device, ctx->isDebug,
                                             ctx->observer ? ctx : nullptr));
}

/// What comes before the first replay of several.
static int32_t beginReplay(arrt_recording &recording) {
  arrt_context *ctx = recording.context;
  if (ctx->recording)
    return ctx->recording->refuse("a replay");
  return recording.commands.usesRecord()
             ? deviceStatus(ctx, ctx->deviceRecord.prepare(*ctx->device))
             : ARRT_STATUS_OK;
}

int32_t arrt_replay(arrt_recording *recording, int64_t times) {
  if (int32_t status = beginReplay(*recording))
    return status;
  for (int64_t i = 0; i < times; ++i)
    if (int32_t status = replayOnce(*recording))
      return status;
  return ARRT_STATUS_OK;
}

int32_t arrt_replay_while(arrt_recording *recording, const void *condition,
                          int64_t most, int64_t *times) {
  int64_t count = 0;
  int32_t status = beginReplay(*recording);
  for (; status == ARRT_STATUS_OK && count < most; ++count) {
    unsigned char isTrue = 0;
    status = arrt_read(recording->context, &isTrue, condition, 1);
    if (status || !isTrue)
      break;
    status = replayOnce(*recording);
  }
  if (times)
    *times = count;
  return status;
}
