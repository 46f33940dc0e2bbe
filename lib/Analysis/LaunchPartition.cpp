//===- LaunchPartition.cpp - How a launch is cut for devices --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/LaunchPartition.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace arrc;
using Kind = AccessBox::Kind;

static constexpr StringLiteral kKinds[] = {"read", "write", "touch", "update"};
/// Stands for an edge where indices go on in the next row.
static constexpr StringLiteral kCarries = "carry";

//===----------------------------------------------------------------------===//
// Which cut
//===----------------------------------------------------------------------===//

/// What devices exchange where launches are cut so, roughly: an array that
/// each part reads whole is sent to all of them; rows of the outermost
/// dimension are one piece, those of inner ones many.
static int64_t getPrice(ArrayRef<AccessBox> boxes) {
  int64_t price = 0;
  for (const AccessBox &box : boxes) {
    if (box.dims.empty())
      continue;
    int dim = box.getCutDim();
    auto rank = static_cast<int64_t>(box.dims.size());
    if (dim < 0)
      price += 8 * rank * rank;
    else if (dim > 0)
      price += 2 * dim + (box.kind == Kind::Read ? 0 : 4);
  }
  return price;
}

void arrc::keepSplit(kernel::LaunchOp from, kernel::LaunchOp to) {
  if (Attribute split = from->getAttr(kSplitAttr))
    to->setAttr(kSplitAttr, split);
}

bool arrc::isAlong(kernel::ForOp loop, StringRef dim) {
  return loop.getDim().split('.').first == dim;
}

/// Why none of `cuts` is along `dim`, of which none is. `loops` are those of
/// the grid; where there are none `reason` says why.
static std::string whyNotAlong(kernel::LaunchOp launch, StringRef dim,
                               ArrayRef<kernel::ForOp> loops,
                               StringRef reason) {
  for (kernel::ForOp loop : loops)
    if (isAlong(loop, dim))
      return findCutProblem(launch, getAccessBoxes(launch, loop));
  kernel::ForOp inside;
  launch.getBody().walk<WalkOrder::PreOrder>([&](kernel::ForOp loop) {
    if (!isAlong(loop, dim))
      return WalkResult::advance();
    inside = loop;
    return WalkResult::interrupt();
  });
  if (!inside)
    return "the kernel has no loop of its own for it";
  if (inside.isScan())
    return "each iteration of its scan waits for the ones before";
  if (!reason.empty())
    return reason.str();
  return inside.isReduce() ? "each block folds all of it"
                           : "each block runs all of it";
}

LaunchPartition LaunchPartition::plan(kernel::LaunchOp launch, StringRef dim) {
  LaunchPartition partition;
  auto written = launch->getAttrOfType<StringAttr>(kSplitAttr);
  if (written)
    dim = written.getValue();
  partition.whole = getAccessBoxes(launch, nullptr);
  SmallVector<kernel::ForOp> loops = getCutLoops(launch, partition.reason);
  std::string problem;
  SmallVector<int64_t> prices;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    Cut cut{static_cast<unsigned>(number), getAccessBoxes(launch, loop)};
    std::string why = findCutProblem(launch, cut.boxes);
    if (!why.empty()) {
      if (problem.empty())
        problem = why;
      continue;
    }
    int64_t price = getPrice(cut.boxes);
    if (!dim.empty() && !isAlong(loop, dim))
      price += int64_t(1) << 32;
    auto *place = llvm::upper_bound(prices, price);
    partition.cuts.insert(partition.cuts.begin() + (place - prices.begin()),
                          std::move(cut));
    prices.insert(place, price);
  }
  if (partition.cuts.empty() && partition.reason.empty())
    partition.reason = problem;
  if (!written)
    return partition;
  auto isOther = [&](const Cut &cut) { return !isAlong(loops[cut.loop], dim); };
  if (llvm::all_of(partition.cuts, isOther))
    partition.refusal = whyNotAlong(launch, dim, loops, partition.reason);
  else
    llvm::erase_if(partition.cuts, isOther);
  return partition;
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

static Attribute getBoxAttr(const AccessBox &box, Builder &b,
                            unsigned numSymbols) {
  SmallVector<Attribute> edges, lowers, uppers;
  auto getMap = [&](ArrayRef<Bound> bounds) {
    SmallVector<AffineExpr> exprs;
    for (const Bound &bound : bounds)
      exprs.push_back(bound.get());
    return AffineMapAttr::get(
        AffineMap::get(2, numSymbols, exprs, b.getContext()));
  };
  for (const Interval &interval : box.dims) {
    edges.push_back(b.getStringAttr(
        interval.carries ? StringRef(kCarries) : stringifyEnum(interval.edge)));
    lowers.push_back(getMap(interval.lowers));
    uppers.push_back(getMap(interval.uppers));
  }
  SmallVector<NamedAttribute> facts{
      b.getNamedAttr("argument", b.getI64IntegerAttr(box.argument)),
      b.getNamedAttr("edges", b.getArrayAttr(edges)),
      b.getNamedAttr("kind",
                     b.getStringAttr(kKinds[static_cast<int>(box.kind)])),
      b.getNamedAttr("lower", b.getArrayAttr(lowers)),
      b.getNamedAttr("upper", b.getArrayAttr(uppers))};
  for (const Interval &interval : box.dims)
    if (interval.starts)
      facts.push_back(
          b.getNamedAttr("starts", b.getI64IntegerAttr(*interval.starts)));
  if (box.combiner)
    facts.push_back(b.getNamedAttr(
        "combiner",
        b.getStringAttr(arith::stringifyAtomicRMWKind(*box.combiner))));
  return b.getDictionaryAttr(facts);
}

DictionaryAttr LaunchPartition::getAttr(kernel::LaunchOp launch) const {
  Builder b(launch.getContext());
  unsigned numSymbols = launch.getBodyBlock()->getNumArguments();
  auto getBoxes = [&](ArrayRef<AccessBox> boxes) {
    SmallVector<Attribute> list;
    for (const AccessBox &box : boxes)
      list.push_back(getBoxAttr(box, b, numSymbols));
    return b.getArrayAttr(list);
  };
  SmallVector<Attribute> list;
  for (const Cut &cut : cuts)
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("boxes", getBoxes(cut.boxes)),
         b.getNamedAttr("loop", b.getI64IntegerAttr(cut.loop))}));
  SmallVector<NamedAttribute> facts{
      b.getNamedAttr("cuts", b.getArrayAttr(list)),
      b.getNamedAttr("whole", getBoxes(whole))};
  if (cuts.empty())
    facts.push_back(b.getNamedAttr("reason", b.getStringAttr(reason)));
  return b.getDictionaryAttr(facts);
}

namespace {
/// Reads an attribute of a launch.
class Reader {
public:
  explicit Reader(kernel::LaunchOp launch) : launch(launch) {}

  /// What is wrong; empty if nothing is.
  std::string problem;

  SmallVector<AccessBox> readBoxes(Attribute attr) {
    SmallVector<AccessBox> boxes;
    auto list = dyn_cast_if_present<ArrayAttr>(attr);
    if (!list) {
      problem = "lacks a list of boxes";
      return boxes;
    }
    for (Attribute each : list) {
      auto box = readBox(dyn_cast<DictionaryAttr>(each));
      if (!box)
        return boxes;
      boxes.push_back(*box);
    }
    return boxes;
  }

private:
  std::optional<AccessBox> readBox(DictionaryAttr attr) {
    auto fail = [&](const char *text) {
      problem = text;
      return std::nullopt;
    };
    auto argument = attr ? attr.getAs<IntegerAttr>("argument") : IntegerAttr();
    auto kind = attr ? attr.getAs<StringAttr>("kind") : StringAttr();
    if (!argument || !kind)
      return fail("has a box without argument or kind");
    Block *body = launch.getBodyBlock();
    if (argument.getInt() < 0 ||
        argument.getInt() >= static_cast<int64_t>(body->getNumArguments()))
      return fail("has a box of an argument that is not there");
    auto type =
        dyn_cast<MemRefType>(body->getArgument(argument.getInt()).getType());
    const auto *known = llvm::find(kKinds, kind.getValue());
    auto lowers = attr.getAs<ArrayAttr>("lower");
    auto uppers = attr.getAs<ArrayAttr>("upper");
    auto edges = attr.getAs<ArrayAttr>("edges");
    if (!type || known == std::end(kKinds))
      return fail("has a box of something that is no array, or of no kind");
    auto rank = static_cast<size_t>(type.getRank());
    if (!lowers || !uppers || !edges || lowers.size() != rank ||
        uppers.size() != rank || edges.size() != rank)
      return fail("has a box of another rank than its array");
    AccessBox box;
    box.argument = argument.getInt();
    box.kind = static_cast<Kind>(known - kKinds);
    if (auto combiner = attr.getAs<StringAttr>("combiner"))
      box.combiner = arith::symbolizeAtomicRMWKind(combiner.getValue());
    if ((box.kind == Kind::Update) != box.combiner.has_value())
      return fail("has a box of updates without what combines them, or one of "
                  "another kind with it");
    box.dims.resize(rank);
    for (auto [interval, lower, upper, edge] :
         llvm::zip(box.dims, lowers, uppers, edges)) {
      auto name = dyn_cast<StringAttr>(edge);
      interval.carries = name && name.getValue() == kCarries;
      auto mode = name && !interval.carries
                      ? kernel::symbolizeEdgeMode(name.getValue())
                      : std::nullopt;
      if (!mode && !interval.carries)
        return fail("has a box with an edge of no mode");
      interval.edge = mode.value_or(kernel::EdgeMode::None);
      if (!readBounds(lower, interval.lowers) ||
          !readBounds(upper, interval.uppers))
        return fail("has ends that are not of lo, hi and scalar arguments");
    }
    if (auto starts = attr.getAs<IntegerAttr>("starts")) {
      if (rank != 1 || starts.getInt() < 0 ||
          starts.getInt() >= static_cast<int64_t>(body->getNumArguments()) ||
          !isRowOfNumbers(body->getArgument(starts.getInt()).getType()))
        return fail("has a box that starts where no row of numbers says");
      box.dims.front().starts = starts.getInt();
    }
    return box;
  }

  static bool isRowOfNumbers(Type type) {
    auto row = dyn_cast<MemRefType>(type);
    return row && row.getRank() == 1 &&
           (row.getElementType().isIndex() ||
            row.getElementType().isInteger(64));
  }

  bool readBounds(Attribute attr, SmallVectorImpl<Bound> &bounds) {
    auto map = dyn_cast<AffineMapAttr>(attr);
    Block *body = launch.getBodyBlock();
    if (!map || map.getAffineMap().getNumDims() != 2 ||
        map.getAffineMap().getNumSymbols() != body->getNumArguments())
      return false;
    for (AffineExpr expr : map.getAffineMap().getResults()) {
      for (BlockArgument argument : body->getArguments())
        if (expr.isFunctionOfSymbol(argument.getArgNumber()) &&
            !argument.getType().isIndex())
          return false;
      bounds.push_back({expr, 0});
    }
    return true;
  }

  kernel::LaunchOp launch;
};
} // namespace

FailureOr<std::optional<LaunchPartition>>
LaunchPartition::read(kernel::LaunchOp launch) {
  Attribute attr = launch->getAttr(kPartitionAttr);
  if (!attr)
    return std::optional<LaunchPartition>();
  LaunchPartition partition;
  Reader reader(launch);
  auto facts = dyn_cast<DictionaryAttr>(attr);
  auto list = facts ? facts.getAs<ArrayAttr>("cuts") : ArrayAttr();
  if (!list)
    reader.problem = "lacks a list of cuts";
  else
    partition.whole = reader.readBoxes(facts.get("whole"));
  std::string reason;
  size_t loops = getCutLoops(launch, reason).size();
  for (Attribute each : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto cut = dyn_cast<DictionaryAttr>(each);
    auto loop = cut ? cut.getAs<IntegerAttr>("loop") : IntegerAttr();
    if (!reader.problem.empty())
      break;
    if (!loop || loop.getInt() < 0 ||
        loop.getInt() >= static_cast<int64_t>(loops)) {
      reader.problem = "cuts along a loop that is not of the launch's grid";
      break;
    }
    partition.cuts.push_back({static_cast<unsigned>(loop.getInt()),
                              reader.readBoxes(cut.get("boxes"))});
  }
  if (!reader.problem.empty())
    return launch.emitOpError("'") << kPartitionAttr << "' " << reader.problem;
  if (auto why = facts.getAs<StringAttr>("reason"))
    partition.reason = why.str();
  return std::optional<LaunchPartition>(std::move(partition));
}
