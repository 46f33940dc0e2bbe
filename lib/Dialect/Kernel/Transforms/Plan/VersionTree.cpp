//===- VersionTree.cpp - Which schedule at which sizes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The tree grows greedily: of all leaves, features and thresholds between two
// samples, the question that saves most is asked next, until no question saves
// much. What is lost at a point is the square of the logarithm of the chosen
// cost over the least: one call that takes ten times as long is worse than ten
// that take a tenth more.
//
//===----------------------------------------------------------------------===//

#include "VersionTree.h"

#include "NestFacts.h"

#include <cmath>
#include <numeric>
#include <vector>

using namespace mlir;
using namespace arrc::kernel;

/// Of several dimensions: how many have a few elements (components, channels,
/// levels), whatever the whole has, and how many these are at most.
static constexpr double kFewShare = 0.15, kMostFew = 16;
/// Dimensions whose share of the whole is below it are short.
static constexpr double kShort = 0.3;
/// A loss that is worth no question: a mean over all points, and at one point.
static constexpr double kSmallMean = 0.001, kSmallWorst = 0.0025;
/// What a question saves at least, in the same mean: it is cheaper than another
/// schedule.
static constexpr double kSmallGain = 0.0002;
/// The share of the whole loss that an exchange of choices saves at least.
static constexpr double kWorthExchange = 0.005;

SmallVector<SizePoint> arrc::kernel::samplePoints(unsigned symbols,
                                                  AffineExpr elements,
                                                  double least, double most,
                                                  unsigned count) {
  if (!symbols)
    return {SizePoint()};
  // The same numbers in every build: Knuth's multiplier for 64 bits.
  uint64_t state = 0x9e3779b97f4a7c15;
  auto draw = [&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return double(state >> 11) / double(uint64_t(1) << 53);
  };
  SmallVector<SizePoint> points;
  for (unsigned attempt = 0; attempt < 64 * count && points.size() < count;
       ++attempt) {
    // Shares of the logarithm of the whole, some of them small; what a few
    // dimensions have, the others do not.
    double whole = std::log(least) + draw() * std::log(most / least);
    SmallVector<double, 4> shares;
    SmallVector<std::optional<double>, 4> few;
    double sum = 0, rest = whole;
    for (unsigned k = 0; k < symbols; ++k) {
      double share = draw();
      shares.push_back(share < kShort ? share * 0.5 : share);
      double own = symbols == 1 ? 1 : draw();
      few.emplace_back();
      if (own < kFewShare) {
        few.back() = own / kFewShare * std::log(kMostFew);
        rest -= *few.back();
      } else {
        sum += shares.back();
      }
    }
    SizePoint point;
    for (auto [share, own] : llvm::zip(shares, few))
      point.push_back(std::max<int64_t>(
          std::llround(std::exp(own ? *own : rest * share / sum)),
          own ? 1 : 2));
    double size = evaluate(elements, point);
    if (size >= least && size <= most)
      points.push_back(point);
  }
  return points;
}

/// What is lost by `cost` where `least` could be had.
static double getLoss(double cost, double least) {
  double lost = std::log(cost / least);
  return lost * lost;
}

/// Exchanges choices beside the first `have` for others as long as that saves
/// something: what was best with few choices need not be with many.
static void exchangeChoices(ArrayRef<SmallVector<double>> costs, unsigned have,
                            ArrayRef<double> least,
                            MutableArrayRef<unsigned> chosen) {
  auto getTotal = [&] {
    double sum = 0;
    for (auto [row, best] : llvm::zip(costs, least)) {
      double cost = INFINITY;
      for (unsigned choice = 0; choice < have; ++choice)
        cost = std::min(cost, row[choice]);
      for (unsigned choice : chosen)
        cost = std::min(cost, row[choice]);
      sum += getLoss(cost, best);
    }
    return sum;
  };
  double total = getTotal();
  for (bool changes = true; changes;) {
    changes = false;
    for (unsigned &slot : chosen) {
      unsigned before = slot, better = slot;
      for (unsigned choice = have; choice < costs.front().size(); ++choice) {
        slot = choice;
        double sum = getTotal();
        if (sum < total * (1 - kWorthExchange)) {
          total = sum;
          better = choice;
        }
      }
      slot = better;
      changes |= better != before;
    }
  }
}

SmallVector<unsigned>
arrc::kernel::chooseMore(ArrayRef<SmallVector<double>> costs, unsigned have,
                         unsigned more) {
  SmallVector<double> least, now;
  for (ArrayRef<double> row : costs) {
    least.push_back(*llvm::min_element(row));
    now.push_back(have ? *llvm::min_element(row.take_front(have)) : INFINITY);
  }
  SmallVector<unsigned> chosen;
  double before = INFINITY;
  if (have) {
    before = 0;
    for (unsigned k = 0; k < costs.size(); ++k)
      before += getLoss(now[k], least[k]);
  }
  while (chosen.size() < std::min<size_t>(more, costs.front().size())) {
    unsigned best = 0;
    double loss = INFINITY;
    for (unsigned choice = 0; choice < costs.front().size(); ++choice) {
      double sum = 0;
      for (unsigned k = 0; k < costs.size() && sum < loss; ++k)
        sum += getLoss(std::min(now[k], costs[k][choice]), least[k]);
      if (sum < loss) {
        loss = sum;
        best = choice;
      }
    }
    if ((have || !chosen.empty()) && before - loss < kSmallMean * costs.size())
      break;
    before = loss;
    for (unsigned k = 0; k < costs.size(); ++k)
      now[k] = std::min(now[k], costs[k][best]);
    chosen.push_back(best);
  }
  exchangeChoices(costs, have, least, chosen);
  return chosen;
}

namespace {

/// Points that a leaf decides for, and what it costs them.
struct Leaf {
  SmallVector<unsigned> points;
  unsigned choice = 0;
  double loss = 0, worst = 0;
};

/// A question: whether a feature is at most a threshold.
struct Question {
  unsigned feature = 0;
  int64_t most = 0;
  Leaf yes, no;
  double saves = 0;
};

/// A leaf, or a question with its two sides.
struct Node {
  Leaf leaf;
  std::optional<Question> question;
  unsigned yes = 0, no = 0;
};

class Grower {
public:
  Grower(ArrayRef<SizePoint> points, ArrayRef<SmallVector<double>> costs,
         ArrayRef<AffineExpr> features)
      : features(features) {
    for (const SizePoint &point : points) {
      SmallVector<int64_t> values;
      for (AffineExpr feature : features)
        values.push_back(evaluate(feature, point));
      this->values.push_back(std::move(values));
    }
    for (ArrayRef<double> row : costs) {
      double least = *llvm::min_element(row);
      SmallVector<double> &lost = losses.emplace_back();
      for (double cost : row)
        lost.push_back(getLoss(cost, least));
    }
  }

  SmallVector<VersionLeaf> run(unsigned leaves);

private:
  Leaf makeLeaf(SmallVector<unsigned> points) const;
  std::optional<Question> ask(const Leaf &leaf) const;
  void collect(unsigned node, SmallVector<AffineExpr> conditions,
               SmallVectorImpl<VersionLeaf> &result) const;

  ArrayRef<AffineExpr> features;
  /// For each point the value of each feature, and what each choice loses.
  SmallVector<SmallVector<int64_t>> values;
  std::vector<SmallVector<double>> losses;
  std::vector<Node> nodes;
};

} // namespace

Leaf Grower::makeLeaf(SmallVector<unsigned> points) const {
  Leaf leaf;
  leaf.points = std::move(points);
  leaf.loss = INFINITY;
  for (unsigned choice = 0; choice < losses.front().size(); ++choice) {
    double loss = 0, worst = 0;
    for (unsigned point : leaf.points) {
      double lost = losses[point][choice];
      loss += lost;
      worst = std::max(worst, lost);
      if (loss >= leaf.loss)
        break;
    }
    if (loss < leaf.loss) {
      leaf.choice = choice;
      leaf.loss = loss;
      leaf.worst = worst;
    }
  }
  return leaf;
}

std::optional<Question> Grower::ask(const Leaf &leaf) const {
  std::optional<Question> best;
  if (leaf.worst <= kSmallWorst)
    return best;
  for (unsigned feature = 0; feature < features.size(); ++feature) {
    SmallVector<int64_t> found;
    for (unsigned point : leaf.points)
      found.push_back(values[point][feature]);
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    // A few thresholds are enough: quantiles where there are many.
    size_t stride = std::max<size_t>(found.size() / 16, 1);
    for (size_t k = 0; k + 1 < found.size(); k += stride) {
      int64_t most = std::sqrt(double(found[k]) * double(found[k + 1]));
      SmallVector<unsigned> yes, no;
      for (unsigned point : leaf.points)
        (values[point][feature] <= most ? yes : no).push_back(point);
      Question question{feature, most, makeLeaf(std::move(yes)),
                        makeLeaf(std::move(no)), 0};
      question.saves = leaf.loss - question.yes.loss - question.no.loss;
      if (!best || question.saves > best->saves)
        best = std::move(question);
    }
  }
  return best;
}

void Grower::collect(unsigned node, SmallVector<AffineExpr> conditions,
                     SmallVectorImpl<VersionLeaf> &result) const {
  const Node &at = nodes[node];
  if (!at.yes) {
    result.push_back({std::move(conditions), at.leaf.choice});
    return;
  }
  SmallVector<AffineExpr> more(conditions);
  more.push_back(at.question->most - features[at.question->feature]);
  collect(at.yes, std::move(more), result);
  collect(at.no, std::move(conditions), result);
}

SmallVector<VersionLeaf> Grower::run(unsigned leaves) {
  SmallVector<unsigned> all(values.size());
  std::iota(all.begin(), all.end(), 0);
  auto add = [&](Leaf leaf) {
    Node node{std::move(leaf), std::nullopt};
    node.question = ask(node.leaf);
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  };
  add(makeLeaf(std::move(all)));
  for (unsigned count = 1; count < leaves; ++count) {
    std::optional<unsigned> next;
    for (auto [k, node] : llvm::enumerate(nodes))
      if (!node.yes && node.question &&
          (!next || node.question->saves > nodes[*next].question->saves))
        next = k;
    if (!next || nodes[*next].question->saves < kSmallGain * values.size())
      break;
    unsigned yes = add(nodes[*next].question->yes);
    unsigned no = add(nodes[*next].question->no);
    nodes[*next].yes = yes;
    nodes[*next].no = no;
  }
  SmallVector<VersionLeaf> result;
  collect(0, {}, result);
  return result;
}

SmallVector<VersionLeaf>
arrc::kernel::chooseVersions(ArrayRef<SizePoint> points,
                             ArrayRef<SmallVector<double>> costs,
                             ArrayRef<AffineExpr> features, unsigned leaves) {
  return Grower(points, costs, features).run(leaves);
}
