//===- Sets.cpp - Threads as points of a set ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Sets.h"

#include "llvm/ADT/STLExtras.h"

using namespace arrc::lanes;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

std::optional<Affine> Affine::of(const Form &form, const LaunchFacts &facts) {
  Affine affine;
  for (auto &[product, lanes] : form.getTerms()) {
    if (product.empty())
      continue;
    if (!lanes.isUniform())
      return std::nullopt;
    affine.symbols[product] = lanes[0];
  }
  Lanes numbers = form.getConstant();
  affine.constant = numbers[0];
  if (numbers.isUniform())
    return affine;
  auto [x, y, z] = facts.threads;
  if (x > 1)
    affine.ids[0] = numbers[1] - affine.constant;
  if (y > 1)
    affine.ids[1] = numbers[x] - affine.constant;
  if (z > 1)
    affine.ids[2] = numbers[x * y] - affine.constant;
  for (int64_t t = 0; t < x * y * z; ++t)
    if (numbers[t] != affine.constant + affine.ids[0] * (t % x) +
                          affine.ids[1] * (t / x % y) +
                          affine.ids[2] * (t / (x * y)))
      return std::nullopt;
  return affine;
}

void PointSet::addRow(Row row, int64_t constant, bool isEquality) {
  rows.push_back({std::move(row), constant, isEquality});
}

void PointSet::addRange(unsigned variable, Span range) {
  if (range.low > Span::kLow)
    addRow({{variable, 1}}, -range.low, false);
  if (range.high < Span::kHigh)
    addRow({{variable, -1}}, range.high, false);
}

unsigned PointSet::getVariable(const Product &product, unsigned instance) {
  bool isOwn = llvm::any_of(product, [&](unsigned symbol) {
    return trace.symbols[symbol].isOfBlock || trace.symbols[symbol].isCounter;
  });
  auto [place, isNew] = products.try_emplace({product, isOwn ? instance : 0});
  if (!isNew)
    return place->second;
  place->second = variables++;
  Span range{1, 1};
  for (unsigned symbol : product)
    range = range * trace.symbols[symbol].range;
  addRange(place->second, range);
  return place->second;
}

unsigned PointSet::addThread(const Mask &mask, unsigned instance) {
  unsigned first = variables, number = threads.size();
  variables += 3;
  threads.push_back({first, instance});
  // The box around those that take part.
  auto [x, y, z] = trace.facts.threads;
  std::array<Span, 3> box;
  for (Span &range : box)
    range = {1024, -1};
  for (int64_t t = 0; t < x * y * z; ++t) {
    if (!mask.on[t])
      continue;
    int64_t ids[] = {t % x, t / x % y, t / (x * y)};
    for (auto [range, id] : llvm::zip(box, ids)) {
      range.low = std::min(range.low, id);
      range.high = std::max(range.high, id);
    }
  }
  for (unsigned d = 0; d < 3; ++d)
    addRange(first + d, box[d]);
  for (const lanes::Constraint &guard : mask.guards)
    add({{&guard.form, number, 1}}, 0, guard.isEquality);
  return number;
}

bool PointSet::add(llvm::ArrayRef<Part> parts, int64_t constant,
                   bool isEquality) {
  Row row;
  for (const Part &part : parts) {
    std::optional<Affine> affine = Affine::of(*part.form, trace.facts);
    if (!affine)
      return false;
    for (unsigned d = 0; d < 3; ++d)
      row[getId(part.thread, d)] += part.factor * affine->ids[d];
    for (auto &[product, factor] : affine->symbols)
      row[getVariable(product, threads[part.thread].second)] +=
          part.factor * factor;
    constant += part.factor * affine->constant;
  }
  addRow(std::move(row), constant, isEquality);
  return true;
}

void PointSet::addBlockLess(unsigned a, unsigned b, unsigned dim) {
  unsigned symbol = trace.blockIds[dim];
  unsigned one = getVariable({symbol}, threads[a].second),
           other = getVariable({symbol}, threads[b].second);
  addRow({{one, -1}, {other, 1}}, -1, false);
}

void PointSet::addIdLess(unsigned a, unsigned b, unsigned dim) {
  addRow({{getId(a, dim), -1}, {getId(b, dim), 1}}, -1, false);
}

void PointSet::addIdEqual(unsigned a, unsigned b, unsigned dim) {
  addRow({{getId(a, dim), -1}, {getId(b, dim), 1}}, 0, true);
}

bool PointSet::isEmpty() const {
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(variables));
  for (const Constraint &constraint : rows) {
    llvm::SmallVector<int64_t> row(variables + 1);
    for (auto [variable, factor] : constraint.row)
      row[variable] = factor;
    row.back() = constraint.constant;
    if (constraint.isEquality)
      set.addEquality(row);
    else
      set.addInequality(row);
  }
  return set.isIntegerEmpty();
}
