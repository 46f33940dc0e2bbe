//===- SizeFactsTests.cpp - The prover against brute force ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Random conditions, evaluated as a program does it, in arithmetic that wraps
// at 64 bits. What the prover then claims has to hold for all values at the
// edges of the range that satisfy the conditions.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/HIR.h"
#include "arrc/Frontend/SizeFacts.h"
#include "arrc/Support/IndexLimits.h"

#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <random>

using namespace arrc;

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t greatest = std::numeric_limits<int64_t>::max();
constexpr unsigned numVariables = 4;
/// The first variables are sizes of arrays.
constexpr unsigned numSizes = 2;

using Values = std::array<int64_t, numVariables>;

/// Wide enough for products of many 64-bit numbers.
using Wide = llvm::APInt;
Wide wide(int64_t x) { return {640, uint64_t(x), /*isSigned=*/true}; }

/// An int expression of a program: its polynomial as the compiler has it, and
/// what the machine computes.
struct Expression {
  Size size;
  std::function<int64_t(const Values &)> value;
  std::string text;
};

struct Prover : testing::Test {
  Prover() {
    for (unsigned k = 0; k < numVariables; ++k) {
      variables[k].kind = hir::Variable::Kind::Let;
      variables[k].name = std::string(1, "nmkj"[k]);
      variables[k].type = Type::integer();
      variables[k].id = k;
    }
  }

  unsigned below(unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
  }

  int64_t constant() {
    static const int64_t edges[] = {greatest,
                                    least,
                                    greatest - 1,
                                    least + 1,
                                    int64_t(1) << 62,
                                    int64_t(1) << 32,
                                    -(int64_t(1) << 62),
                                    1000};
    return below(12) ? int64_t(below(9)) - 4 : edges[below(8)];
  }

  Expression leaf() {
    if (below(4) == 0) {
      int64_t c = constant();
      return {Size(c), [c](const Values &) { return c; }, std::to_string(c)};
    }
    unsigned k = below(numVariables);
    return {Size(&variables[k]), [k](const Values &v) { return v[k]; },
            variables[k].name};
  }

  Expression expression(unsigned depth, const SizeFacts &facts) {
    if (!depth || below(5) == 0)
      return leaf();
    Expression x = expression(depth - 1, facts);
    if (below(8) == 0 && x.size.hasShortFloor()) {
      int64_t c = 2 + below(6);
      Size q = facts.exact(x.size).floorDiv(c);
      if (!q.hasLostDigits() && facts.floorsFit(q))
        return {q,
                [f = x.value, c](const Values &v) {
                  int64_t a = f(v);
                  return a / c - (a % c < 0);
                },
                "(" + x.text + " // " + std::to_string(c) + ")"};
    }
    Expression y = expression(depth - 1, facts);
    auto binary = [&](Size s, auto op, const char *name) -> Expression {
      return {std::move(s),
              [f = x.value, g = y.value, op](const Values &v) {
                return int64_t(op(uint64_t(f(v)), uint64_t(g(v))));
              },
              "(" + x.text + name + y.text + ")"};
    };
    switch (below(7)) {
    case 0:
      if (x.size.hasShortProduct(y.size))
        return binary(x.size * y.size, std::multiplies<>(), " * ");
      [[fallthrough]];
    case 1:
    case 2:
    case 3:
      return binary(x.size + y.size, std::plus<>(), " + ");
    default:
      return binary(x.size - y.size, std::minus<>(), " - ");
    }
  }

  /// The integer that a size stands for.
  Wide evaluate(const Size &size, const Values &v) {
    Wide sum = wide(0);
    for (const Size::Term &t : size.terms()) {
      Wide product = wide(t.second);
      for (const SizeAtom &a : t.first) {
        if (a.isVariable()) {
          product *= wide(v[a.variable()->id]);
          continue;
        }
        Wide inner = evaluate(a.inner(), v);
        if (a.isWrapped()) {
          product *= wide(inner.getLoBits(64).trunc(64).getSExtValue());
          continue;
        }
        Wide q = inner.sdiv(wide(a.divisor()));
        if ((q * wide(a.divisor())).sgt(inner))
          --q;
        product *= q;
      }
      sum += product;
    }
    return sum;
  }

  /// All values at the edges under which the conditions hold.
  std::vector<Values>
  solutions(const std::vector<std::function<bool(const Values &)>> &holds) {
    static const int64_t edges[] = {least,
                                    least + 1,
                                    -(int64_t(1) << 62),
                                    -1,
                                    0,
                                    1,
                                    2,
                                    5,
                                    int64_t(1) << 32,
                                    int64_t(1) << 62,
                                    greatest - 1,
                                    greatest};
    static const int64_t sizes[] = {0, 1, 3, 8, maxGivenSize};
    std::vector<Values> all;
    for (int64_t n : sizes)
      for (int64_t m : sizes)
        for (int64_t k : edges)
          for (int64_t j : edges)
            if (Values v{n, m, k, j};
                llvm::all_of(holds, [&](const auto &h) { return h(v); }))
              all.push_back(v);
    // Some of them will do.
    std::shuffle(all.begin(), all.end(), random);
    constexpr size_t most = 60;
    if (all.size() > most)
      all.resize(most);
    return all;
  }

  /// Adds what a passed comparison says, as the checker does it.
  std::function<bool(const Values &)> addCondition(SizeFacts &facts,
                                                   std::string &text) {
    Expression x = expression(2, facts), y = expression(below(2), facts);
    Size d = facts.exact(x.size) - facts.exact(y.size);
    auto compare = [&](auto op, const char *name) {
      text += x.text + name + y.text + ", ";
      return [f = x.value, g = y.value, op](const Values &v) {
        return op(f(v), g(v));
      };
    };
    switch (below(7)) {
    case 0:
      facts.addZero(d);
      return compare(std::equal_to<>(), " == ");
    case 1:
    case 2:
      facts.addNonNegative(d);
      return compare(std::greater_equal<>(), " >= ");
    case 3:
      facts.addNonNegative(d - 1);
      return compare(std::greater<>(), " > ");
    case 4: {
      // Over the integers: both sides fit.
      facts.addFits(x.size);
      Size p = x.size;
      text += x.text + " fits, ";
      return [this, p](const Values &v) {
        return evaluate(p, v).isSignedIntN(64);
      };
    }
    default:
      facts.addNonNegative(-d - 1);
      return compare(std::less<>(), " < ");
    }
  }

  std::mt19937_64 random;
  hir::Variable variables[numVariables];
};

TEST_F(Prover, AgreesWithBruteForce) {
  unsigned proved = 0, satisfied = 0;
  const char *chosen = std::getenv("ARRC_TEST_SEED");
  uint64_t first = chosen ? std::strtoull(chosen, nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + (chosen ? 1 : 1500); ++seed) {
    random.seed(seed);
    std::string text;
    SizeFacts facts;
    for (unsigned k = 0; k < numSizes; ++k)
      facts.addSize(&variables[k], maxGivenSize);
    std::vector<std::function<bool(const Values &)>> holds;
    for (unsigned k = 1 + below(4); k; --k)
      holds.push_back(addCondition(facts, text));
    SCOPED_TRACE("ARRC_TEST_SEED=" + std::to_string(seed) + ": " + text);
    std::optional<std::vector<Values>> all;
    auto everywhere = [&](const std::string &claim, auto truth) {
      ++proved;
      if (!all)
        all = solutions(holds);
      satisfied += !all->empty();
      for (const Values &v : *all)
        if (!truth(v)) {
          ADD_FAILURE() << claim << " for n = " << v[0] << ", m = " << v[1]
                        << ", k = " << v[2] << ", j = " << v[3];
          return;
        }
    };
    for (unsigned question = 0; question < 12; ++question) {
      Expression x = expression(2, facts);
      const Size n(&variables[below(numSizes)]);
      if (facts.isIndex(x.size, n))
        everywhere(x.text + " is an index of " + n.str(), [&](const Values &v) {
          int64_t i = x.value(v);
          return i >= 0 && i < v[n.asVariable()->id];
        });
      if (facts.fits(x.size))
        everywhere(x.size.str() + " fits", [&](const Values &v) {
          return evaluate(x.size, v).isSignedIntN(64);
        });
      if (facts.isNonNegative(x.size))
        everywhere(x.size.str() + " >= 0", [&](const Values &v) {
          return evaluate(x.size, v).isNonNegative();
        });
      Size exact = facts.exact(x.size);
      everywhere(exact.str() + " is " + x.text, [&](const Values &v) {
        return evaluate(exact, v) == wide(x.value(v));
      });
      Expression y = expression(1, facts);
      if (auto same = facts.equal(exact, facts.exact(y.size)))
        everywhere(x.text + (*same ? " == " : " != ") + y.text,
                   [&](const Values &v) {
                     return (x.value(v) == y.value(v)) == *same;
                   });
    }
    if (HasFailure())
      break;
  }
  // Of 1,500 sets most have solutions, and much is proved of them.
  if (!chosen) {
    EXPECT_GT(proved, 18000u + 5000u);
    EXPECT_GT(satisfied, proved / 3);
  }
}

// What programs rely on.
TEST_F(Prover, ProvesWhatProgramsWrite) {
  const Size n(&variables[0]), m(&variables[1]), k(&variables[2]),
      j(&variables[3]);
  SizeFacts facts;
  facts.addSize(&variables[0], maxGivenSize);
  // for k in n { if k + 2 < n and k - 2 >= 0 { a[k + 2] + a[k - 2] } }
  facts.addNonNegative(k);
  facts.addNonNegative(n - 1 - k);
  EXPECT_TRUE(facts.fits(k * 2 + 5));
  EXPECT_TRUE(facts.fits(k - 2));
  SizeFacts inner(&facts);
  inner.addNonNegative(n - 1 - inner.exact(k + 2));
  inner.addNonNegative(inner.exact(k - 2));
  EXPECT_TRUE(inner.isIndex(k + 2, n));
  EXPECT_TRUE(inner.isIndex(k - 2, n));
  EXPECT_FALSE(inner.isIndex(k + 3, n));
  // if k + j >= 0 and k + j < n { a[k + j] }: one value, whatever it is.
  SizeFacts guarded(&facts);
  guarded.addNonNegative(guarded.exact(k + j));
  guarded.addNonNegative(n - 1 - guarded.exact(k + j));
  EXPECT_FALSE(guarded.fits(k + j));
  EXPECT_TRUE(guarded.isIndex(k + j, n));
  EXPECT_FALSE(guarded.isIndex(k + j - 1, n));
  guarded.addNonNegative(guarded.exact(k + j) - 1);
  EXPECT_TRUE(guarded.isIndex(k + j - 1, n));
}

} // namespace
