//===- Recomputation.cpp - What costs less to compute again than to read --===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-fuse-producers: a stencil that neighbours in other maps read.
//
//   %s = array.map (%i) { %a[%i] + %a[%i + 1] }
//   %t = array.map (%i) { %s[%i] * %s[%i + 1] * %a[%i] }
//
// Computed where it is read, %s needs no memory, and %t goes over %a once where
// two kernels would go over it twice. A thread takes several points next to
// each other, P, and of what their neighbours E read, R, each element once: it
// computes E + P and reads R + E + P (sums of sets), for five points of five
// points and four rows of four points 32 evaluations and 52 elements, 2
// and 3.25 for a point. By themselves the two maps read 32 elements each. All
// of it is in registers: seven points of seven in three dimensions would be 212
// of f32, more than a thread can have, and take 1.5 times as long in one kernel
// as in two (H200, 512^3).
//
// A producer that the step of a loop carries on, or that is returned, is
// written in any case. Its body is copied all the same if the map of the
// producer and those of its readers then are one kernel: it saves them to read
// the array, and what both read is read once.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "SliceUpdate.h"

#include "arrc/Analysis/CostModel.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Bytes of the elements that additions are counted for: wider ones take
/// longer.
static constexpr int64_t kPlainBytes = 4;
/// Bytes of an access, and of the results next to each other of a thread.
static constexpr int64_t kAccessBytes = 16, kTileBytes = 64;

static IndexSpaceOpInterface getMap(const Place &place) {
  AtOp read = place.reads.front();
  return read->getParentOfType<IndexSpaceOpInterface>();
}

/// The maps that the places stand in, if these stand side by side over one
/// index set and none needs another: they become one kernel, which shares what
/// it computes. A producer that is `kept` is one of them. Empty if they do not.
static SmallVector<IndexSpaceOpInterface>
getMapsSideBySide(IndexSpaceOpInterface producer, const Readers &readers,
                  bool kept) {
  llvm::SmallSetVector<Operation *, 4> maps;
  for (const Place &place : readers.places)
    maps.insert(getMap(place));
  auto first = cast<IndexSpaceOpInterface>(kept ? producer.getOperation()
                                                : maps.front());
  bool sideBySide = llvm::all_of(maps, [&](Operation *op) {
    auto map = cast<IndexSpaceOpInterface>(op);
    if (!isa<MapOp, StencilOp>(op) ||
        op->getParentOfType<IndexSpaceOpInterface>() ||
        op->getBlock() != first->getBlock() ||
        map.getMixedExtents() != first.getMixedExtents())
      return false;
    SetVector<Operation *> needed;
    BackwardSliceOptions options;
    options.omitUsesFromAbove = false;
    return succeeded(getBackwardSlice(op, &needed, options)) &&
           llvm::none_of(maps, [&](Operation *other) {
             return other != op && needed.contains(other);
           });
  });
  SmallVector<IndexSpaceOpInterface> found;
  if (sideBySide)
    for (Operation *op : maps)
      found.push_back(cast<IndexSpaceOpInterface>(op));
  return found;
}

bool arrc::array::isOwnElement(IndexSpaceOpInterface producer,
                               const Place &place) {
  IndexSpaceOpInterface map = getMap(place);
  if (place.extend || map->getBlock() != producer->getBlock() ||
      map.getMixedExtents() != producer.getMixedExtents() ||
      place.point.size() != map.getNumIndices())
    return false;
  return llvm::all_of(
      llvm::zip(place.point, map.getIndices()), [](const auto &pair) {
        return std::get<0>(pair) == LinearIndex::ofValue(std::get<1>(pair));
      });
}

/// The elements that the places read for one point, as distances from it;
/// nothing if these are no numbers.
static std::optional<std::set<Distance>> getDistances(const Readers &readers) {
  std::set<Distance> elements;
  for (const Place &place : readers.places) {
    IndexSpaceOpInterface space = getMap(place);
    if (place.point.size() != space.getNumIndices())
      return std::nullopt;
    Distance element;
    for (auto [subscript, index] : llvm::zip(place.point, space.getIndices())) {
      std::optional<int64_t> distance =
          getMostly(subscript).distanceFrom(LinearIndex::ofValue(index));
      if (!distance)
        return std::nullopt;
      element.push_back(*distance);
    }
    elements.insert(std::move(element));
  }
  return elements;
}

/// Whether a value says where an element lies: an index, or how indices
/// compare.
static bool isOfPlaces(Value value) {
  if (value.getType().isIndex())
    return true;
  Operation *op = value.getDefiningOp();
  if (auto compare = dyn_cast_if_present<arith::CmpIOp>(op))
    return compare.getLhs().getType().isIndex();
  return isa_and_present<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::any_of(op->getOperands(), isOfPlaces);
}

/// Additions at most points: loops are split where a place is chosen, so that
/// nothing of the choice is left inside, and one side of a branch.
static int64_t countWork(Block &block) {
  int64_t work = 0;
  for (Operation &op : block.without_terminator()) {
    if (op.getNumResults() == 1 && isOfPlaces(op.getResult(0)))
      continue;
    auto choice = dyn_cast<arith::SelectOp>(op);
    if (choice && isOfPlaces(choice.getCondition()))
      continue;
    int64_t most = 0, all = 0;
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        most = std::max(most, countWork(inner));
        all += countWork(inner);
      }
    auto branch = dyn_cast<scf::IfOp>(op);
    work += getWork(&op) +
            (branch && isOfPlaces(branch.getCondition()) ? most : all);
  }
  return work;
}

/// How many elements of arrays the body reads for points at these distances,
/// those that several of them read counted once.
static int64_t countReads(IndexSpaceOpInterface producer,
                          const std::set<Distance> &points) {
  // An array, and for each of its indices values, their factors and a number.
  using Key = std::pair<void *, std::vector<std::vector<int64_t>>>;
  std::set<Key> elements;
  producer->walk([&](AtOp at) {
    for (const Distance &point : points) {
      Key key{skipBoundaries(at.getSource()).getAsOpaquePointer(), {}};
      bool isPlain = true;
      for (Value subscript : at.getIndices()) {
        LinearIndex index = getMostly(LinearIndex(subscript));
        int64_t number = index.getConstant();
        std::vector<std::vector<int64_t>> terms;
        for (auto [value, factor] : index.getTerms()) {
          auto own = llvm::find(producer.getIndices(), value);
          if (own != producer.getIndices().end())
            number += factor * point[own - producer.getIndices().begin()];
          else
            isPlain &=
                !producer->isAncestor(value.getParentBlock()->getParentOp());
          terms.push_back(
              {int64_t(reinterpret_cast<intptr_t>(value.getAsOpaquePointer())),
               factor});
        }
        llvm::sort(terms);
        std::vector<int64_t> &part = key.second.emplace_back();
        part.push_back(number);
        for (const std::vector<int64_t> &term : terms)
          part.insert(part.end(), term.begin(), term.end());
      }
      // An index that is computed in another way: one element a point.
      if (!isPlain) {
        key.second.emplace_back(point);
        key.second.push_back(
            {int64_t(reinterpret_cast<intptr_t>(at.getOperation()))});
      }
      elements.insert(std::move(key));
    }
  });
  return int64_t(elements.size());
}

/// The bytes of an element, at most those that the limits are given for.
static int64_t getBytes(Type array) {
  return std::min(
      getStoredBytes(cast<RankedTensorType>(array).getElementType()),
      kPlainBytes);
}

/// The bytes a point of arrays of the same index set that both the producer and
/// `maps` read.
static int64_t getSharedBytes(IndexSpaceOpInterface producer,
                              ArrayRef<IndexSpaceOpInterface> maps) {
  auto walksAll = [](AtOp at, IndexSpaceOpInterface space) {
    return llvm::all_of(space.getIndices(), [&](Value index) {
      return llvm::any_of(at.getIndices(), [&](Value subscript) {
        return getMostly(LinearIndex(subscript)).getCoefficient(index) != 0;
      });
    });
  };
  llvm::SmallSetVector<Value, 4> read, shared;
  producer->walk([&](AtOp at) {
    if (walksAll(at, producer))
      read.insert(skipBoundaries(at.getSource()));
  });
  for (IndexSpaceOpInterface map : maps)
    map->walk([&](AtOp at) {
      if (read.contains(skipBoundaries(at.getSource())) && walksAll(at, map))
        shared.insert(skipBoundaries(at.getSource()));
    });
  int64_t bytes = 0;
  for (Value array : shared)
    bytes += getBytes(array.getType());
  return bytes;
}

/// All sums of one of `a` and one of `b`.
static std::set<Distance> add(const std::set<Distance> &a,
                              const std::set<Distance> &b) {
  std::set<Distance> sums;
  for (const Distance &x : a)
    for (const Distance &y : b) {
      Distance sum = x;
      for (auto [to, from] : llvm::zip(sum, y))
        to += from;
      sums.insert(std::move(sum));
    }
  return sums;
}

/// The points of a thread: as many along the lanes as an access has elements of
/// so many bytes, and rows of these along `dim`; one of a single dimension.
static std::set<Distance> getTile(unsigned rank, unsigned dim, int64_t bytes) {
  int64_t width = rank < 2 ? 1 : std::max<int64_t>(kAccessBytes / bytes, 1);
  int64_t rows =
      rank < 2 ? 1 : std::max<int64_t>(kTileBytes / (width * bytes), 1);
  std::set<Distance> points;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t lane = 0; lane < width; ++lane) {
      Distance point(rank, 0);
      if (rank) {
        point[dim] += row;
        point.back() += lane;
      }
      points.insert(std::move(point));
    }
  return points;
}

bool arrc::array::isCheaperAgain(IndexSpaceOpInterface producer,
                                 ArrayRef<IndexSpaceOpInterface> maps,
                                 std::set<Distance> distances, bool kept,
                                 int64_t workPerByte, int64_t beside) {
  int64_t saved = getSharedBytes(producer, maps), bytes = 1;
  for (Type type : producer->getResultTypes()) {
    saved += (kept ? 1 : 2) * getBytes(type);
    bytes = std::max(
        bytes, getStoredBytes(cast<RankedTensorType>(type).getElementType()));
  }
  unsigned rank = producer.getNumIndices();
  if (kept)
    distances.insert(Distance(rank, 0));
  int64_t work = countWork(*producer.getBodyBlock());
  // Lanes walk the last dimension; threads have rows along one of the others.
  for (unsigned dim = 0; dim < std::max(rank, 2u) - 1; ++dim) {
    std::set<Distance> points = getTile(rank, dim, bytes),
                       evaluated = add(distances, points);
    auto count = int64_t(points.size()), more = int64_t(evaluated.size());
    int64_t reads = countReads(producer, evaluated);
    if ((more + reads) * llvm::divideCeil(bytes, 4) * beside > kRegisters)
      continue;
    // In place of its reads by the others.
    reads -= countReads(producer, points) + more;
    if ((more - count) * work + kReadWork * reads <=
        saved * workPerByte * count)
      return true;
  }
  return false;
}

bool arrc::array::costsLessThanMemory(IndexSpaceOpInterface producer,
                                      const Readers &readers,
                                      const Repetition &repetition) {
  if (!repetition.workPerByte || !isStraight(producer))
    return false;
  bool kept = !readers.needing.empty();
  // What ends the block has the array by then; others would wait for it. Who
  // reads own elements alone is one loop with the map as it is.
  if (kept && (llvm::any_of(readers.needing,
                            [&](Operation *op) {
                              return op !=
                                     producer->getBlock()->getTerminator();
                            }) ||
               llvm::all_of(readers.places, [&](const Place &place) {
                 return isOwnElement(producer, place);
               })))
    return false;
  SmallVector<IndexSpaceOpInterface> maps =
      getMapsSideBySide(producer, readers, kept);
  std::optional<std::set<Distance>> distances = getDistances(readers);
  return !maps.empty() && distances &&
         isCheaperAgain(producer, maps, *distances, kept,
                        repetition.workPerByte, repetition.beside);
}
