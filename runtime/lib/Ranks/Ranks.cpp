//===- Ranks.cpp - the processes that run one program ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Ranks/Ranks.h"
#include "arrt/arrt.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sched.h>
#include <unistd.h>

using namespace arrt;
using namespace arrt::mpi;

/// Bytes of one message: counts are 32 bits.
static constexpr int64_t mostBytes = int64_t(1) << 30;
/// The status where ranks have different programs.
static constexpr int32_t different = ARRT_STATUS_DEVICE;
/// Of notices of failures, on a communicator of their own.
static constexpr int noticeTag = 1;

namespace {
/// MPI is started once in a process, and never again.
struct State {
  std::unique_ptr<Ranks> ranks;
  bool isOurs = false, isOver = false;
};
State &getState() {
  static auto *state = new State;
  return *state;
}
} // namespace

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

Ranks *Ranks::get(std::string &error) {
  State &state = getState();
  if (state.ranks)
    return state.ranks.get();
  std::string problem, remedy;
  const Library *library = findLibrary(problem, remedy);
  if (!library) {
    error = "this is one of " + std::to_string(findLaunched().count) +
            " processes of MPI: " + problem + "\nhelp: " + remedy;
    return nullptr;
  }
  int isStarted = 0, provided = 0;
  constexpr int funneled = 1;
  if (state.isOver || library->MPI_Initialized(&isStarted)) {
    error = "MPI was ended before";
    return nullptr;
  }
  if (!isStarted) {
    if (int code =
            library->MPI_Init_thread(nullptr, nullptr, funneled, &provided)) {
      error = "MPI cannot be started: " + library->describe(code);
      return nullptr;
    }
    state.isOurs = true;
  }
  std::unique_ptr<Ranks> ranks(new Ranks(*library));
  if (!ranks->start()) {
    error = ranks->problem();
    return nullptr;
  }
  state.ranks = std::move(ranks);
  return state.ranks.get();
}

void Ranks::finish() {
  State &state = getState();
  if (!state.ranks)
    return;
  const Library &mpi = state.ranks->mpi;
  state.ranks->cancel(state.ranks->listening);
  state.ranks.reset();
  int isOver = 0;
  if (state.isOurs && !mpi.MPI_Finalized(&isOver) && !isOver)
    mpi.MPI_Finalize();
  state.isOver = state.isOurs;
}

bool Ranks::check(const char *call, int error) {
  if (error)
    problemText = std::string(call) + ": " + mpi.describe(error);
  return !error;
}

bool Ranks::start() {
  // Failures come back as codes, and messages of the program's own stay apart.
  for (Handle *made : {&data, &control})
    if (!check("MPI_Comm_dup", mpi.MPI_Comm_dup(mpi.world, made)) ||
        !check("MPI_Comm_set_errhandler",
               mpi.MPI_Comm_set_errhandler(*made, mpi.returnErrors)))
      return false;
  if (!check("MPI_Comm_rank", mpi.MPI_Comm_rank(data, &self)) ||
      !check("MPI_Comm_size", mpi.MPI_Comm_size(data, &number)))
    return false;
  findHost();
  listen();
  return true;
}

void Ranks::findHost() {
  constexpr size_t length = 256;
  std::vector<char> all(length * size_t(number));
  char name[length] = "";
  ::gethostname(name, length - 1);
  if (!gather(name, length, all.data()))
    return;
  numberOnHost = 0;
  for (int r = 0; r < number; ++r) {
    if (std::memcmp(&all[size_t(r) * length], name, length))
      continue;
    selfOnHost += r < self;
    ++numberOnHost;
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Leaves the core to others the longer one waits: there may be more ranks than
/// cores.
static void relax(int64_t round) {
  if (round < 100)
    return;
  if (round < 2000)
    ::sched_yield();
  else
    ::usleep(50);
}

bool Ranks::complete(Handle &request, bool mayStop) {
  for (int64_t round = 0;; ++round) {
    int isDone = 0;
    if (!check("MPI_Test", mpi.MPI_Test(&request, &isDone, mpi.ignoreStatus)))
      return false;
    if (isDone)
      return true;
    if (mayStop && isStopped())
      return false;
    relax(round);
  }
}

void Ranks::cancel(Handle &request) {
  if (request == mpi.noRequest)
    return;
  mpi.MPI_Cancel(&request);
  complete(request, false);
}

void Ranks::send(int to, const void *from, int64_t bytes) {
  auto *next = static_cast<const char *>(from);
  for (; bytes > 0; next += mostBytes, bytes -= mostBytes) {
    Message message{mpi.noRequest, false};
    check("MPI_Isend",
          mpi.MPI_Isend(next, int(std::min(bytes, mostBytes)), mpi.byte, to,
                        tag(), data, &message.request));
    pending.push_back(message);
  }
}

void Ranks::receive(int from, void *to, int64_t bytes) {
  auto *next = static_cast<char *>(to);
  for (; bytes > 0; next += mostBytes, bytes -= mostBytes) {
    Message message{mpi.noRequest, true};
    check("MPI_Irecv",
          mpi.MPI_Irecv(next, int(std::min(bytes, mostBytes)), mpi.byte, from,
                        tag(), data, &message.request));
    pending.push_back(message);
  }
}

bool Ranks::wait() {
  bool isWell = true;
  for (Message &message : pending) {
    if (isWell && problemText.empty())
      isWell = complete(message.request, true);
    // Nothing comes to memory that may be used otherwise then. What was to be
    // sent nobody asks for.
    else if (message.isReceived)
      cancel(message.request);
  }
  pending.clear();
  return isWell && problemText.empty();
}

bool Ranks::broadcast(int from, void *what, int64_t bytes) {
  // A tree: in round k those that have it send it on over a distance of 2^k.
  int place = (self - from + number) % number;
  int distance = 1;
  while (distance < number)
    distance *= 2;
  bool has = place == 0;
  for (distance /= 2; distance > 0; distance /= 2) {
    if (has && place + distance < number) {
      send((self + distance) % number, what, bytes);
    } else if (!has && place % (2 * distance) == distance) {
      receive((self - distance + number) % number, what, bytes);
      if (!wait())
        return false;
      has = true;
    }
  }
  return wait();
}

bool Ranks::gather(const void *what, int64_t bytes, void *all) {
  Handle request = mpi.noRequest;
  return check("MPI_Iallgather",
               mpi.MPI_Iallgather(what, int(bytes), mpi.byte, all, int(bytes),
                                  mpi.byte, control, &request)) &&
         complete(request, false);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void Ranks::listen() {
  listening = mpi.noRequest;
  check("MPI_Irecv",
        mpi.MPI_Irecv(&heard, sizeof heard, mpi.byte, mpi.anySource, noticeTag,
                      control, &listening));
}

bool Ranks::isStopped() {
  int isDone = 0;
  while (listening != mpi.noRequest &&
         !mpi.MPI_Test(&listening, &isDone, mpi.ignoreStatus) && isDone) {
    // One of a failure that was agreed upon says nothing any more.
    if (heard.epoch == epoch)
      lastStep = std::min(lastStep, heard.completed);
    listen();
  }
  if (steps > lastStep) {
    problemText = "another rank has failed";
    hasStopped = true;
  }
  return hasStopped;
}

bool Ranks::beginStep() {
  ++steps;
  return !isStopped();
}

void Ranks::tellOthers() {
  told.push_back({epoch, completed});
  for (int r = 0; r < number; ++r) {
    // Small enough to be on its way when the call returns.
    Handle request = mpi.noRequest;
    if (r != self)
      mpi.MPI_Isend(&told.back(), sizeof(Notice), mpi.byte, r, noticeTag,
                    control, &request);
  }
}

void Ranks::agree(Outcome &outcome) {
  struct Vote {
    int32_t status, unused;
    int64_t step;
    uint64_t key, fingerprint;
    int64_t length;
  };
  bool fails = outcome.status && !hasStopped;
  if (fails)
    tellOthers();
  Vote mine{
      fails ? outcome.status : 0,  0, steps, outcome.key, outcome.fingerprint,
      int64_t(outcome.text.size())};
  std::vector<Vote> all{size_t(number)};
  if (!gather(&mine, sizeof mine, all.data())) {
    outcome.status = outcome.status ? outcome.status : different;
    outcome.text += (outcome.text.empty() ? "" : "\n") + problemText;
    return;
  }
  int first = -1, count = 0;
  for (int r = 0; r < number; ++r) {
    const Vote &vote = all[size_t(r)];
    if (!vote.status)
      continue;
    ++count;
    if (first < 0 || vote.step < all[size_t(first)].step ||
        (vote.step == all[size_t(first)].step &&
         vote.key < all[size_t(first)].key))
      first = r;
  }
  if (first < 0) {
    // What different programs do cannot be told apart from each other any more.
    for (int r = 0; r < number && !outcome.isDifferent; ++r)
      if (all[size_t(r)].fingerprint != all[0].fingerprint)
        outcome = {different, 0, "", 0, true, r};
    return;
  }
  const Vote &vote = all[size_t(first)];
  std::string text = first == self ? outcome.text : "";
  text.resize(size_t(vote.length));
  Handle request = mpi.noRequest;
  if (check("MPI_Ibcast", mpi.MPI_Ibcast(text.data(), int(vote.length),
                                         mpi.byte, first, control, &request)))
    complete(request, false);
  outcome.status = vote.status;
  outcome.key = vote.key;
  outcome.text = text;
  if (count < number)
    outcome.text += "\nnote: on rank " + std::to_string(first) + " of " +
                    std::to_string(number);
  ++epoch;
  completed = steps = 0;
  lastStep = INT64_MAX;
  hasStopped = false;
  problemText.clear();
}
