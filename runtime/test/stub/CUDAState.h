//===- CUDAState.h - what the files of the CUDA stub share -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_CUDASTATE_H
#define ARRT_TEST_STUB_CUDASTATE_H

#include "CUDA/Driver.h"
#include "stub/Calls.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace arrt::cuda {
struct CUctx_st {
  int device;
};
using Work = std::vector<std::function<Result()>>;
struct CUgraphNode_st {};
struct CUgraph_st {
  std::shared_ptr<Work> work = std::make_shared<Work>();
  std::vector<GraphRef> bodies; ///< of conditional nodes, which it owns
  std::vector<std::unique_ptr<uint64_t>> conditions;
  CUgraphNode_st node; ///< stands for all of its nodes
  ~CUgraph_st() {
    for (GraphRef body : bodies)
      stub::calls().end(body);
  }
};
struct CUgraphExec_st {
  std::shared_ptr<Work> work;
};
struct CUevent_st {};
struct CUstream_st {
  CUgraph_st *captured = nullptr; ///< what is kept instead of done
  bool isOwned = false;           ///< captured is a graph of the caller
};
} // namespace arrt::cuda

namespace stub {
using namespace arrt::cuda;
inline constexpr Result invalidValue = Result(1), notFound = Result(500),
                        captureUnsupported = Result(900);

inline thread_local CUctx_st *current = nullptr;

inline bool isAlive(void *handle) { return calls().isAlive(handle); }

/// Does work at once, or keeps it for a graph.
inline Result run(StreamRef stream, std::function<Result()> work) {
  if (!stream->captured)
    return work();
  stream->captured->work->push_back(std::move(work));
  return success;
}

inline void *pointer(Address data) {
  return reinterpret_cast<void *>(uintptr_t(data));
}

/// Shared memory that a block may have when it asks for it.
inline constexpr int mostSharedBytes = 227 << 10;

/// What differs between the stub and the emulator, which has modules and
/// launches of its own.
struct Card {
  const char *name;
  int compute; ///< 90 is sm_90
  /// The text of an error.
  const char *(*explain)(Result error);
  /// Makes code of PTX, or says what is wrong with it.
  Result (*link)(const char *text, std::string &made, std::string &error);
  /// Memory was allocated, which the driver has at `place`; it is freed now.
  void (*allocated)(Address data, size_t bytes, char *place);
  void (*freed)(Address data, char *place);
  /// Something else than a kernel writes there.
  void (*written)(char *place, size_t bytes);
  /// Device memory has addresses that the host cannot touch (Hidden.h): nothing
  /// but copies and kernels that translate them reach it.
  bool isHidden;
  /// The error that all calls return from now on, or success.
  Result failure = success;
};
Card &card();

/// Runs a kernel of the stub or of the emulator on a grid that a card takes.
Result launch(FunctionRef function, const LaunchSettings &settings,
              void **args);
} // namespace stub

/// Notes a call, and leaves with the failure that was asked for.
#define ENTER(name)                                                            \
  std::lock_guard<std::recursive_mutex> lock(calls().mutex);                   \
  if (auto failure = Result(calls().enter(#name)))                             \
    return failure;                                                            \
  if (card().failure)                                                          \
  return card().failure
#define ENTER_CURRENT(name)                                                    \
  ENTER(name);                                                                 \
  if (!current)                                                                \
  return invalidContext

#endif // ARRT_TEST_STUB_CUDASTATE_H
