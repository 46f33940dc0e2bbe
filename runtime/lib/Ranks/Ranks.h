//===- Ranks.h - the processes that run one program ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Several processes (ranks, as MPI calls them) run the same host program on
/// the same scalars, and each has some of the parts that launches are cut into.
/// They go through the same steps, so each knows what every other one has and
/// needs: messages are sent and received without a word about them.
///
/// A rank that fails tells the others the last step that it has completed. They
/// go on to the end of that step, in which they may fail as well, and stop
/// there, or where they wait for what will not come. Then all agree on the
/// failure that is reported: that of the first step, in it the one with the
/// least key, as in one process.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_RANKS_RANKS_H
#define ARRT_RANKS_RANKS_H

#include "Ranks/MPI.h"

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace arrt {

/// The processes, once MPI is started; one object a process, used by one thread
/// at a time.
class Ranks {
public:
  /// Starts MPI where nobody has. Null with the reason in `error`, a line of
  /// help behind it.
  static Ranks *get(std::string &error);
  /// Ends MPI if `get` has started it: when nothing is sent any more.
  static void finish();

  int rank() const { return self; }
  int count() const { return number; }
  /// Which of the ranks of this machine it is, and how many these are.
  int rankOnHost() const { return selfOnHost; }
  /// See rankOnHost.
  int countOnHost() const { return numberOnHost; }

  /// Begins a step. False if it must not be done, as another rank has failed
  /// before.
  bool beginStep();
  /// The step is done, with all its messages.
  void endStep() { completed = steps; }

  /// Begins to send; `data` stays as it is until `wait`.
  void send(int to, const void *data, int64_t bytes);
  /// Begins to receive; it is there behind `wait`.
  void receive(int from, void *to, int64_t bytes);
  /// Waits for all that was begun; false if something will not come, with
  /// `problem`.
  bool wait();
  /// Gives all ranks what one of them has; false as `wait`.
  bool broadcast(int from, void *data, int64_t bytes);
  /// Puts one after the other what each rank has, on all of them; false as
  /// `wait`. Called by all ranks, none of which has failed.
  bool gather(const void *data, int64_t bytes, void *all);
  /// Why the last of these has failed.
  const std::string &problem() const { return problemText; }

  /// How a call of this rank has ended.
  struct Outcome {
    int32_t status = 0;
    uint64_t key = 0; ///< orders failures of one step
    std::string text;
    uint64_t fingerprint = 0; ///< what must be the same; 0: nothing
    bool isDifferent = false; ///< no rank has failed, but it is not, and
    int rank = 0;             ///< here it is another than in rank 0
  };
  /// Called by all ranks, also by those that have failed: if there is any, all
  /// get the failure that counts.
  void agree(Outcome &outcome);

private:
  explicit Ranks(const mpi::Library &library) : mpi(library) {}
  bool start();
  void findHost();
  bool check(const char *call, int error);
  /// Looks for a notice; whether this step must not be gone on with.
  bool isStopped();
  /// Waits for a request; false if it `mayStop` and another rank has failed.
  bool complete(mpi::Handle &request, bool mayStop);
  /// Begins to wait for the next notice of a failure.
  void listen();
  /// Gives up a request to receive.
  void cancel(mpi::Handle &request);
  void tellOthers();
  /// Messages of a call that has failed are not taken for those of the next.
  int tag() const { return 1 + int(epoch % 16384); }

  /// What a rank that fails sends the others.
  struct Notice {
    int64_t epoch, completed;
  };
  struct Message {
    mpi::Handle request;
    bool isReceived;
  };

  const mpi::Library &mpi;
  mpi::Handle data = 0, control = 0; ///< communicators
  int self = 0, number = 1, selfOnHost = 0, numberOnHost = 1;
  int64_t steps = 0, completed = 0;
  int64_t epoch = 0; ///< failures that were agreed upon
  /// The last step that all ranks complete, as far as is known.
  int64_t lastStep = INT64_MAX;
  bool hasStopped = false; ///< as another rank has failed
  Notice heard{};
  mpi::Handle listening = 0;
  std::list<Notice> told; ///< what is on its way
  std::vector<Message> pending;
  std::string problemText;
};

} // namespace arrt

#endif // ARRT_RANKS_RANKS_H
