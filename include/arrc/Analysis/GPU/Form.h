//===- Form.h - Numbers of the threads of a block ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What an integer of a kernel is in each thread of a block: a polynomial in
// symbols that are the same for the whole block (block ids, counters of loops,
// arguments, anything that was not taken apart), whose coefficients are numbers
// that each thread has for itself. With the number of threads given this is
// exact for all arithmetic on thread ids, bits included; symbols stay symbols.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_FORM_H
#define ARRC_ANALYSIS_GPU_FORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arrc::lanes {

/// A number for each thread of a block, in the order of their ids.
class Lanes {
public:
  /// The same for all.
  Lanes(int64_t number = 0) : number(number) {}
  /// One each.
  explicit Lanes(std::vector<int64_t> numbers);

  bool isUniform() const { return !each; }
  bool isZero() const { return !each && number == 0; }
  int64_t operator[](size_t thread) const {
    return each ? (*each)[thread] : number;
  }
  int64_t getMin() const;
  int64_t getMax() const;
  /// Whether threads of a warp have the same.
  bool isUniformInWarps() const;
  bool operator==(const Lanes &other) const;

  /// `f` of the numbers of each thread.
  static Lanes zip(const Lanes &a, const Lanes &b,
                   llvm::function_ref<int64_t(int64_t, int64_t)> f);

private:
  int64_t number;
  /// Null if all have the same.
  std::shared_ptr<const std::vector<int64_t>> each;
};

/// The least and the greatest value; the limits of the type where that is not
/// known.
struct Span {
  static constexpr int64_t kLow = std::numeric_limits<int64_t>::min() / 4;
  static constexpr int64_t kHigh = std::numeric_limits<int64_t>::max() / 4;
  int64_t low = kLow, high = kHigh;

  Span operator+(const Span &other) const;
  Span operator*(const Span &other) const;
};

/// A number that all threads of a block share.
struct Symbol {
  std::string name;
  Span range;
  /// What it is taken to be, where that is said.
  std::optional<int64_t> value;
  /// Whether blocks have different ones.
  bool isOfBlock = false;
  /// Whether it was read from memory.
  bool isData = false;
  /// Whether it counts the iterations of a loop.
  bool isCounter = false;
};

/// All symbols of an analysis.
class Symbols {
public:
  unsigned add(Symbol symbol);
  /// The symbol that `key` stands for, made at first.
  unsigned get(const std::string &key, llvm::function_ref<Symbol()> make);
  const Symbol &operator[](unsigned symbol) const { return list[symbol]; }
  unsigned size() const { return list.size(); }

private:
  std::vector<Symbol> list;
  std::map<std::string, unsigned> known;
};

/// A product of symbols, in order; empty for 1.
using Product = llvm::SmallVector<unsigned, 3>;

/// A sum of products of symbols, each times a number that threads have. Its
/// terms are shared between copies: forms are kept for each value and each
/// access, and most of them are copies of one another.
class Form {
public:
  using Term = std::pair<Product, Lanes>;

  Form() = default;
  Form(int64_t number) : Form(Lanes(number)) {}
  explicit Form(Lanes numbers);
  static Form ofSymbol(unsigned symbol);

  /// In the order of their products, none of them zero.
  llvm::ArrayRef<Term> getTerms() const {
    return terms ? llvm::ArrayRef<Term>(*terms) : llvm::ArrayRef<Term>();
  }
  /// What stands beside no symbol.
  Lanes getConstant() const;
  /// All else.
  Form getSymbolic() const;

  Form operator+(const Form &other) const { return plus(other, 1); }
  Form operator-(const Form &other) const { return plus(other, -1); }
  Form operator*(const Form &other) const;
  bool operator==(const Form &other) const {
    return terms == other.terms || getTerms() == other.getTerms();
  }

  /// Whether no symbol occurs.
  bool isNumbers() const;
  /// The number that it is for all threads.
  std::optional<int64_t> getNumber() const;
  /// Whether all threads of the block have the same, and of each warp.
  bool isUniform() const;
  bool isUniformInWarps() const;
  /// Whether only the numbers beside no symbol differ between threads.
  bool hasUniformSymbols() const;
  /// Whether a symbol that was read from memory occurs.
  bool hasData(const Symbols &symbols) const;
  bool differsBetweenBlocks(const Symbols &symbols) const;

  Span getRange(const Symbols &symbols) const;
  /// A power of two that divides all that stands beside symbols; 2^62 for none.
  int64_t getSymbolicAlignment() const;
  /// Divides what stands beside symbols by `divisor`, if that leaves nothing.
  std::optional<Form> divideSymbolic(int64_t divisor) const;
  /// With the values that symbols are taken to have.
  std::optional<Lanes> evaluate(const Symbols &symbols) const;
  /// Thread by thread `a` where `condition` is not 0, else `b`.
  static Form select(const Lanes &condition, const Form &a, const Form &b);
  /// `2*n + 5`; threads that differ are `..`.
  std::string str(const Symbols &symbols) const;

private:
  using Terms = std::vector<Term>;

  /// Of terms in the order of their products, each product once.
  static Form ofSorted(Terms terms);
  Form plus(const Form &other, int64_t factor) const;

  /// Null for none.
  std::shared_ptr<const Terms> terms;
};

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_FORM_H
