//===- Accesses.h - What a warp touches at once -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For each access of a kernel: how the lanes of a warp lie in memory. Global
// memory is moved in sectors of 32 bytes; shared memory has 32 banks of 4
// bytes, and a request takes as many turns as words lie in one bank.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_ACCESSES_H
#define ARRC_ANALYSIS_GPU_ACCESSES_H

#include "arrc/Analysis/GPU/Trace.h"

#include "llvm/ADT/SmallVector.h"

namespace arrc::lanes {

/// How the lanes of a warp lie in memory, the best first.
enum class Walk {
  Broadcast,     ///< one place for all
  Coalesced,     ///< global: as few sectors as hold what is asked for
  Parallel,      ///< shared: a bank each
  Strided,       ///< global: a distance apart
  Serialised,    ///< global: anywhere else
  Conflicting,   ///< shared: several words in a bank
  DataDependent, ///< wherever values say that were read
  Unknown
};

/// The word for it: `coalesced`, ..
llvm::StringRef getName(Walk walk);

/// One request of one warp.
struct Request {
  Walk walk = Walk::Unknown;
  /// Strided: elements from lane to lane; nothing where that is a form.
  std::optional<int64_t> stride;
  std::optional<Form> symbolicStride;
  /// Sectors of global memory, turns of shared memory; the most if `least` is
  /// less, as the place of the first lane is not known. At most these are
  /// wasted in turns.
  int64_t pieces = 0, leastPieces = 0, fewestPieces = 1;
  /// Bytes that lanes ask for, each once.
  int64_t bytes = 0;
  /// How many times as many turns as without conflicts.
  int64_t ways = 1;
};

/// All requests of one operation.
struct AccessVerdict {
  mlir::Operation *op = nullptr;
  unsigned buffer = 0;
  bool isShared = false, reads = false, writes = false;
  int64_t elementBytes = 0, vector = 1;
  /// The worst of the requests, and whether there are better ones.
  Request worst;
  bool isMixed = false;
  /// Requests, pieces and bytes of all warps of the block, loops counted as
  /// often as they go where that is a number.
  int64_t requests = 0, pieces = 0, leastPieces = 0, bytes = 0;
  /// Whether a number of iterations is not known.
  bool isOfUnknownNumber = false;
  /// Iterations that were followed of what is counted.
  Form times;
};

/// Has accesses to neighbours that the target makes one of taken together:
/// marks `Event::vector` (0 for those that are taken along).
void combineNeighbours(Trace &trace);

/// The request of the warp whose first thread is `first`; nothing if none of
/// its threads takes part.
std::optional<Request> getRequest(const Trace &trace, const Event &event,
                                  size_t first);

/// The verdict of every operation, in the order of the text.
std::vector<AccessVerdict> getAccessVerdicts(const Trace &trace);

/// `strided by 8`, `2-way conflicts`, ..
std::string describe(const Request &request, bool isShared,
                     const Symbols &symbols);

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// All times that a branch is come by.
struct BranchVerdict {
  enum Kind { UniformInBlock, UniformInWarp, Divergent, MayDiverge };
  mlir::Operation *op = nullptr;
  Kind kind = UniformInBlock;
  bool isData = false;
  /// Share of the lanes that idle in warps that take both ways.
  double idle = 0;
};

std::vector<BranchVerdict> getBranchVerdicts(const Trace &trace);

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Things of one class: what one thread does in a row, and all threads, those
/// of whole warps counted.
struct CostRow {
  std::string name;
  Form depth = Form(0), work = Form(0);
};

std::vector<CostRow> getCosts(const Trace &trace);

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

struct BoundVerdict {
  enum Kind { Inside, Outside, Kept };
  mlir::Operation *op = nullptr;
  unsigned dim = 0;
  Kind kind = Inside;
  Span range;
  std::optional<int64_t> size;
  /// The test that decided: `range`, `presburger`.
  std::string test;
};

std::vector<BoundVerdict> getBoundVerdicts(const Trace &trace);

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_ACCESSES_H
