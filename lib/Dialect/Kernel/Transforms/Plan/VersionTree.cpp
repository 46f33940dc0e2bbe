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

/// The logarithmic grid of one size, and a finer one for a size alone.
static constexpr int64_t kGrid[] = {3,     23,     190,     1500,
                                    12000, 100000, 1000000, 30000000};
static constexpr int64_t kFineGrid[] = {
    3,     7,     23,     60,     190,     500,     1500,     4500,
    12000, 35000, 100000, 330000, 1000000, 5000000, 30000000, 250000000};
/// A loss that is worth no question: a mean over all points, and at one point.
static constexpr double kSmallMean = 0.002, kSmallWorst = 0.05;
/// The largest array of a call.
static constexpr double kMostElements = 2147483648.0;

SmallVector<SizePoint> arrc::kernel::samplePoints(unsigned symbols,
                                                  AffineExpr elements,
                                                  int64_t least,
                                                  unsigned most) {
  SmallVector<SizePoint> points;
  if (!symbols)
    return {SizePoint()};
  ArrayRef<int64_t> grid =
      symbols == 1 ? ArrayRef<int64_t>(kFineGrid) : ArrayRef<int64_t>(kGrid);
  SizePoint digits(symbols, 0);
  auto next = [&] {
    for (int64_t &digit : digits) {
      if (++digit < int64_t(grid.size()))
        return true;
      digit = 0;
    }
    return false;
  };
  do {
    SizePoint point;
    double product = 1;
    for (auto [k, digit] : llvm::enumerate(digits)) {
      // Sizes of one call are seldom the same.
      point.push_back(grid[digit] + 2 * k);
      product *= point.back();
    }
    if (product > 1e15)
      continue;
    double size = evaluate(elements, point);
    if (size >= least && size <= kMostElements)
      points.push_back(point);
  } while (next());
  if (points.size() <= most)
    return points;
  SmallVector<SizePoint> some;
  for (unsigned k = 0; k < most; ++k)
    some.push_back(points[k * points.size() / most]);
  return some;
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
      : costs(costs), features(features) {
    for (const SizePoint &point : points) {
      SmallVector<int64_t> values;
      for (AffineExpr feature : features)
        values.push_back(evaluate(feature, point));
      this->values.push_back(std::move(values));
    }
    for (ArrayRef<double> row : costs)
      least.push_back(*llvm::min_element(row));
  }

  SmallVector<VersionLeaf> run(unsigned leaves);

private:
  Leaf makeLeaf(SmallVector<unsigned> points) const;
  std::optional<Question> ask(const Leaf &leaf) const;
  void collect(unsigned node, SmallVector<AffineExpr> conditions,
               SmallVectorImpl<VersionLeaf> &result) const;

  ArrayRef<SmallVector<double>> costs;
  ArrayRef<AffineExpr> features;
  SmallVector<SmallVector<int64_t>> values;
  SmallVector<double> least;
  std::vector<Node> nodes;
};

} // namespace

Leaf Grower::makeLeaf(SmallVector<unsigned> points) const {
  Leaf leaf;
  leaf.points = std::move(points);
  leaf.loss = INFINITY;
  for (unsigned choice = 0; choice < costs.front().size(); ++choice) {
    double loss = 0, worst = 0;
    for (unsigned point : leaf.points) {
      double lost = std::log(costs[point][choice] / least[point]);
      loss += lost * lost;
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
    if (!next || nodes[*next].question->saves < kSmallMean * values.size())
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
