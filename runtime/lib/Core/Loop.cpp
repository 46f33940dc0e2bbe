//===- Loop.cpp - time loops on devices -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A step of a time loop on a small grid takes less time than the host needs to
// start it and to ask whether there is another. What a step starts follows from
// the addresses that take turns, and these come round after a few steps: one
// round is recorded, and the device runs it as often as its own values say. The
// first steps are started one by one: loops of a few are over before a graph of
// them is made.
//
//===----------------------------------------------------------------------===//

#include "Core/Recording.h"

#include <algorithm>
#include <cstring>

using namespace arrt;

namespace {

/// Steps that are started one by one before the rest is recorded: as long as a
/// graph takes to be made.
constexpr int64_t firstSteps = 32;
/// A round with more steps is not looked for.
constexpr size_t mostPhases = 6;
/// A graph of a counted loop has so many rounds that it starts about as much:
/// what the host does for a graph, and the device between two, counts little
/// then.
constexpr size_t graphCommands = 128;
/// And so few rounds that making it takes less time than it saves.
constexpr int64_t leastGraphs = 16;

struct Loop {
  arrt_context *ctx;
  arrt_body_fn body;
  void *env, *state;
  size_t bytes;
  int64_t condition;

  /// Where the condition of a state is.
  const void *conditionOf(const void *state) const {
    const void *place;
    std::memcpy(&place, static_cast<const char *>(state) + condition,
                sizeof place);
    return place;
  }
  /// Asks whether there is another step; a status.
  int32_t ask(bool &goesOn) const {
    goesOn = true;
    if (condition < 0)
      return ARRT_STATUS_OK;
    if (int32_t status = arrt_poll_error(ctx))
      return status;
    unsigned char value = 0;
    int32_t status = arrt_read(ctx, &value, conditionOf(state), 1);
    goesOn = value != 0;
    return status;
  }
};

/// A round of steps that was recorded.
class Round {
public:
  explicit Round(const Loop &loop) : loop(loop) {}
  ~Round() {
    for (arrt_recording *phase : phases)
      arrt_recording_release(phase);
  }
  /// Records a round, of which `most` steps are to be run, and has the device
  /// keep it. False if it cannot be; the state is what it was, and nothing is
  /// started.
  bool record(int64_t most);
  /// Runs at most `most` steps, gives how many in `times`, and makes the state
  /// that of the next. Returns a status.
  int32_t run(int64_t most, int64_t &times);

private:
  bool recordPhases();
  int32_t start(size_t phase) {
    return phases[phase]->commands.run(*loop.ctx->device, /*waits=*/false);
  }
  int32_t runCounted(int64_t most);

  const Loop &loop;
  std::vector<arrt_recording *> phases;
  std::vector<std::vector<char>> states; ///< before each phase
  std::unique_ptr<Graph> graph;          ///< of `rounds` rounds
  int64_t rounds = 1;
  std::unique_ptr<LoopGraph> loopGraph;
};

bool Round::recordPhases() {
  arrt_context *ctx = loop.ctx;
  auto *state = static_cast<char *>(loop.state);
  while (phases.size() < mostPhases) {
    states.emplace_back(state, state + loop.bytes);
    if (arrt_capture_begin(ctx))
      return false;
    int32_t status = loop.body(ctx, loop.env, loop.state);
    arrt_recording *phase = endRecording(ctx);
    if (phase)
      phases.push_back(phase);
    // Checks that fail must end the loop: the host has to look.
    if (status || !phase || ctx->pendingStatus || phase->commands.usesRecord())
      return false;
    if (!std::memcmp(state, states.front().data(), loop.bytes))
      return true;
  }
  return false;
}

/// How many rounds of so many commands and steps a graph has.
static int64_t countRounds(size_t commands, size_t steps, int64_t most) {
  auto wanted = int64_t(graphCommands / std::max<size_t>(commands, 1));
  int64_t worth = most / (int64_t(steps) * leastGraphs);
  return std::max<int64_t>(std::min(wanted, worth), 1);
}

bool Round::record(int64_t most) {
  arrt_context *ctx = loop.ctx;
  int32_t status = ctx->status;
  std::string message = ctx->message;
  bool isWhole = recordPhases();
  ctx->status = status;
  ctx->message = message;
  ctx->pendingStatus = ARRT_STATUS_OK;
  std::memcpy(loop.state, states.front().data(), loop.bytes);
  if (!isWhole)
    return false;
  if (loop.condition < 0) {
    size_t commands = 0;
    for (arrt_recording *phase : phases)
      commands += phase->commands.size();
    rounds = countRounds(commands, phases.size(), most);
    graph = ctx->device->capture([&] {
      for (int64_t round = 0; round < rounds; ++round)
        for (size_t p = 0; p < phases.size(); ++p)
          if (int32_t failed = start(p))
            return failed;
      return int32_t(ARRT_STATUS_OK);
    });
    return graph != nullptr;
  }
  std::vector<Phase> all;
  for (size_t p = 0; p < phases.size(); ++p)
    all.push_back(
        {[this, p] { return start(p); }, loop.conditionOf(states[p].data())});
  loopGraph = ctx->device->captureLoop(all);
  return loopGraph != nullptr;
}

int32_t Round::runCounted(int64_t most) {
  auto length = int64_t(phases.size());
  for (int64_t k = 0; k < most / (rounds * length); ++k)
    if (int32_t status = graph->launch())
      return status;
  for (int64_t step = 0; step < most % (rounds * length); ++step)
    if (int32_t status = start(size_t(step % length)))
      return status;
  return ARRT_STATUS_OK;
}

int32_t Round::run(int64_t most, int64_t &times) {
  times = most;
  int32_t status = graph ? runCounted(most) : loopGraph->run(most, times);
  const std::vector<char> &last = states[size_t(times) % states.size()];
  std::memcpy(loop.state, last.data(), loop.bytes);
  return deviceStatus(loop.ctx, status);
}

} // namespace

int32_t arrt_loop(arrt_context *ctx, arrt_body_fn body, void *env, void *state,
                  int64_t bytes, int64_t condition, int64_t most,
                  int64_t *times) {
  Loop loop = {ctx, body, env, state, size_t(bytes), condition};
  bool mayRecord = !ctx->recording && !ctx->isDebug && !ctx->observer &&
                   ctx->device->captures();
  int64_t count = 0;
  int32_t status = ARRT_STATUS_OK;
  while (count < most) {
    bool goesOn = false;
    status = loop.ask(goesOn);
    if (status || !goesOn)
      break;
    if (mayRecord && count == firstSteps && most - count >= firstSteps) {
      Round round(loop);
      if (round.record(most - count)) {
        int64_t done = 0;
        status = round.run(most - count, done);
        count += done;
        break;
      }
    }
    status = body(ctx, env, state);
    if (status)
      break;
    ++count;
  }
  if (times)
    *times = count;
  return status;
}
