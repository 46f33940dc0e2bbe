//===- NestTaps.cpp - The taps of a window --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "NestTaps.h"

#include "arrc/Analysis/AccessPattern.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace arrc::kernel;

/// Elements of a box that are looked at one by one.
static constexpr double kMostLooked = 1 << 16;

NestTaps::NestTaps(llvm::SmallVector<Place, 4> moves)
    : moves(std::move(moves)) {
  Place first(this->moves.empty() ? 0 : this->moves.front().size());
  least = most = first;
  taps.push_back(std::move(first));
}

void NestTaps::add(Place distance) {
  if (llvm::is_contained(taps, distance))
    return;
  for (auto [low, high, place] : llvm::zip(least, most, distance)) {
    low = std::min(low, place);
    high = std::max(high, place);
  }
  taps.push_back(std::move(distance));
  known.clear();
}

llvm::SmallVector<double, 4>
NestTaps::getBox(llvm::ArrayRef<int64_t> counts) const {
  llvm::SmallVector<double, 4> box;
  for (unsigned k = 0; k < least.size(); ++k) {
    double elements = most[k] - least[k] + 1;
    for (auto [move, count] : llvm::zip(moves, counts))
      elements += std::abs(move[k]) * (count - 1);
    box.push_back(elements);
  }
  return box;
}

double NestTaps::getReach(unsigned dim) const {
  double reach = 0;
  for (unsigned k = 0; k < least.size(); ++k)
    if (int64_t move = std::abs(moves[dim][k]))
      reach = std::max(reach, double(most[k] - least[k]) / move);
  return reach;
}

double NestTaps::countElements(llvm::ArrayRef<int64_t> counts,
                               int64_t width) const {
  return count(counts, width);
}

double NestTaps::countRows(llvm::ArrayRef<int64_t> counts) const {
  return count(counts, 0);
}

double NestTaps::count(llvm::ArrayRef<int64_t> counts, int64_t width) const {
  Place key(counts);
  key.push_back(width);
  auto [found, isNew] = known.try_emplace(key, 0);
  if (!isNew)
    return found->second;
  llvm::SmallVector<double, 4> box = getBox(counts);
  // A row is where it begins.
  if (!width)
    box.back() = 1;
  double whole = 1;
  for (double elements : box)
    whole *= elements;
  if (whole > kMostLooked)
    return found->second = whole / std::max<int64_t>(width, 1);
  // Where the element of the box that comes first lies, from the first tap.
  Place origin(least), strides(box.size(), 1);
  for (unsigned k = 0; k < box.size(); ++k)
    for (auto [move, count] : llvm::zip(moves, counts))
      origin[k] += std::min<int64_t>(move[k], 0) * (count - 1);
  for (unsigned k = box.size(); k-- > 1;)
    strides[k - 1] = strides[k] * int64_t(box[k]);
  if (!width)
    strides.back() = 0;
  auto getOffset = [&](llvm::ArrayRef<int64_t> place) {
    int64_t offset = 0;
    for (auto [elements, stride] : llvm::zip(place, strides))
      offset += elements * stride;
    return offset;
  };
  llvm::BitVector read(whole);
  for (const Place &tap : taps)
    read.set(getOffset(tap) - getOffset(origin));
  for (auto [move, count] : llvm::zip(moves, counts)) {
    int64_t step = getOffset(move);
    llvm::BitVector once = read;
    for (int64_t copy = 1; step && copy < count; ++copy)
      for (unsigned at : once.set_bits())
        read.set(at + copy * step);
  }
  if (width < 2)
    return found->second = read.count();
  // Each access once: the elements of a row come one after the other.
  int64_t row = box.back(), accesses = 0, before = -1;
  for (unsigned at : read.set_bits()) {
    int64_t access = at / row * (row / width + 2) +
                     (llvm::mod(origin.back(), width) + at % row) / width;
    accesses += access != before;
    before = access;
  }
  return found->second = accesses;
}

std::optional<NestTaps::Place> arrc::kernel::findDistance(const Access &access,
                                                          const Access &first) {
  if (access.array != first.array || access.writes || first.writes)
    return std::nullopt;
  NestTaps::Place place;
  for (auto [index, before] : llvm::zip(access.indices, first.indices)) {
    std::optional<int64_t> distance = index.distanceFrom(before);
    if (!distance)
      return std::nullopt;
    place.push_back(*distance);
  }
  return place;
}
