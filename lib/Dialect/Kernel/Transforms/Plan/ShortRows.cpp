//===- ShortRows.cpp - Rows of a few elements -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Rows that a thread has whole, and that are no one access or two: neighbouring
// threads touch places a row apart, so that every store writes a part of each
// sector, and a sector is written as often as a row has elements. The rows of a
// block are one stretch of memory: it goes through shared memory, by accesses
// of 16 bytes on both sides (StageRows.cpp).
//
//   kept   i = [block.0, unroll 2, thread.x 64], j = [unroll 8],
//          stage = [X at i.0 rows, Y at i.0 rows]
//   scans  i = [block.0, thread.x 64], j = [seq]
//   maps   over arrays of few components: i = [block.0, unroll 2, thread.x 128]
//
// Rows whose length is a multiple of 16 bytes need none of this: lanes take 16
// bytes of a row each (PersistentRows.cpp, Scans.cpp).
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes of the rows of a block, and the fewest threads that have a row each.
static constexpr int64_t kRowBytes = 32 << 10, kLeastThreads = 64;
/// Threads of a block: they wait for the slowest of them, so that more blocks
/// of fewer threads are faster. Twice as many where a row of all arrays has up
/// to `kTinyBytes`; up to `kFewBytes` two rows a thread, as one is too little
/// under way.
static constexpr int64_t kRowThreads = 64, kTinyBytes = 32, kFewBytes = 64;
/// Elements of a row of a map that reads and writes it element by element.
static constexpr int64_t kMostComponents = 16;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

SmallVector<DevicePlanner::OwnRows> DevicePlanner::findOwnRows(ForOp row,
                                                               ForOp lane) {
  llvm::MapVector<Value, OwnRows> found;
  llvm::SmallDenseSet<Value> refused;
  LinearIndex own(row.getInductionVar());
  AccessPattern pattern(launch);
  for (const Access &access : pattern.getAccesses()) {
    auto type = cast<MemRefType>(access.array.getType());
    auto load = dyn_cast<LoadOp>(access.op);
    if (access.array.getDefiningOp<LocalOp>())
      continue;
    if (!isa<BlockArgument>(access.array) || type.getRank() < 2 ||
        !type.getLayout().isIdentity() ||
        isa<ComplexType>(type.getElementType()) || access.isUpdate() ||
        (load && load.getEdge()) || access.indices.front() != own ||
        !llvm::is_contained(access.op->getOperands(), access.array)) {
      refused.insert(access.array);
      continue;
    }
    OwnRows &rows = found[access.array];
    rows.array = access.array;
    rows.isWritten |= access.writes;
    rows.bytes = kernel::getElementBytes(access.array);
    auto sizes = type.getShape().drop_front();
    if (llvm::none_of(sizes, ShapedType::isDynamic))
      for (rows.length = 1; int64_t size : sizes)
        rows.length *= size;
    else if (type.getRank() != 2 || !lane ||
             launch.getSize(cast<BlockArgument>(access.array), 1) !=
                 lane.getMixedExtent())
      refused.insert(access.array);
  }
  SmallVector<OwnRows> list;
  for (auto &[array, rows] : found)
    if (!refused.contains(array) && rows.length != 1)
      list.push_back(rows);
  return list;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

bool DevicePlanner::setOwnRows(ForOp row, ArrayRef<OwnRows> list,
                               int64_t most) {
  int64_t bytes = 0;
  for (const OwnRows &rows : list)
    bytes += rows.bytes * (rows.length ? rows.length : most);
  int64_t threads = getUsefulThreads(
      row, std::min(getThreads(), kRowThreads * (bytes <= kTinyBytes ? 2 : 1)));
  bool jams = bytes <= kFewBytes &&
              !holds<scf::WhileOp, scf::ForOp, CheckOp, UpdateOp>(row);
  if (list.empty() || threads < kLeastThreads || threads * bytes > kRowBytes)
    return false;
  setDigits(row, {{LevelKind::Block, 0},
                  {LevelKind::Unroll, jams ? 2 : 1},
                  {LevelKind::Thread, threads}});
  StringAttr digit = getDigitName(row, 0);
  for (const OwnRows &rows : list)
    stages.push_back(ClauseAttr::get(context, nameArray(rows.array), digit,
                                     StringAttr::get(context, "rows"), 0));
  return true;
}

bool DevicePlanner::planOwnRowMap(ForOp row) {
  if (!hasOneRoot || !row.isParallel() || hasInnerLoop(row) ||
      !mayBeJammed(row) || !isHostExtent(row))
    return false;
  // What is one access or two is left alone: it would have banks in common.
  SmallVector<OwnRows> list;
  bool writes = false;
  for (const OwnRows &rows : findOwnRows(row, {})) {
    int64_t bytes = rows.length * rows.bytes;
    bool isVector = bytes % vectorBytes == 0 ||
                    (llvm::isPowerOf2_64(bytes) && bytes <= vectorBytes);
    if (rows.length > kMostComponents || isVector)
      continue;
    list.push_back(rows);
    writes |= rows.isWritten;
  }
  if (!writes || !setOwnRows(row, list, 0))
    return false;
  keepsRows = true;
  return true;
}
