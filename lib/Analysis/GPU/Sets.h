//===- Sets.h - Threads as points of a set ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_ANALYSIS_GPU_SETS_H
#define ARRC_LIB_ANALYSIS_GPU_SETS_H

#include "arrc/Analysis/GPU/Trace.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

namespace arrc::lanes {

/// A form that is affine in thread ids.
struct Affine {
  std::array<int64_t, 3> ids{};
  std::map<Product, int64_t> symbols;
  int64_t constant = 0;

  /// Nothing if `form` is no such form.
  static std::optional<Affine> of(const Form &form, const LaunchFacts &facts);
};

/// Points (threads, products of symbols) under linear constraints. Every thread
/// that is added has ids of its own; symbols are shared by those that are added
/// under one `instance`, if blocks differ in them, and by all otherwise.
class PointSet {
public:
  explicit PointSet(const Trace &trace) : trace(trace) {}

  /// A thread of `mask`. Returns its number. Guards that are not affine are
  /// left out: the set is no smaller than it should be.
  unsigned addThread(const Mask &mask, unsigned instance = 0);
  /// Adds `sum of factor * form (thread) + constant >= 0` (or `= 0`). False if
  /// one of the forms is not affine.
  struct Part {
    const Form *form;
    unsigned thread;
    int64_t factor;
  };
  bool add(llvm::ArrayRef<Part> parts, int64_t constant, bool isEquality);
  /// Demands that the block id of `dim` of thread `a` is less than that of `b`.
  void addBlockLess(unsigned a, unsigned b, unsigned dim);
  /// Demands that id `dim` of thread `a` is less than that of `b`, or equal.
  void addIdLess(unsigned a, unsigned b, unsigned dim);
  void addIdEqual(unsigned a, unsigned b, unsigned dim);

  /// Whether it has no point.
  bool isEmpty() const;

private:
  using Row = std::map<unsigned, int64_t>;
  unsigned getVariable(const Product &product, unsigned instance);
  unsigned getId(unsigned thread, unsigned dim) const {
    return threads[thread].first + dim;
  }
  void addRow(Row row, int64_t constant, bool isEquality);
  void addRange(unsigned variable, Span range);

  const Trace &trace;
  unsigned variables = 0;
  /// The first variable of each thread, and its instance.
  std::vector<std::pair<unsigned, unsigned>> threads;
  std::map<std::pair<Product, unsigned>, unsigned> products;
  struct Constraint {
    Row row;
    int64_t constant;
    bool isEquality;
  };
  std::vector<Constraint> rows;
};

} // namespace arrc::lanes

#endif // ARRC_LIB_ANALYSIS_GPU_SETS_H
