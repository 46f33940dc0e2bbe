//===- CostModel.cpp - What a kernel costs --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/CostModel.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Registers.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

int64_t arrc::getWork(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<affine::AffineApplyOp, arith::IndexCastOp, arith::IndexCastUIOp,
          tensor::FromElementsOp, tensor::DimOp, array::AtOp, array::ViewOp,
          array::ExtendOp, array::BindOp, array::FenceOp, array::AssumeOp,
          scf::IfOp>(op) ||
      isa<kernel::KernelDialect>(op->getDialect()))
    return 0;
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, math::SqrtOp, math::RsqrtOp>(op))
    return 8;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp,
          math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
          math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op) ||
      isa<arith::ArithDialect>(op->getDialect()))
    return 1;
  return 16;
}

bool arrc::isSpecialFunction(Operation *op) {
  return getWork(op) >= 8 &&
         (isa<math::MathDialect>(op->getDialect()) || isa<arith::DivFOp>(op));
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

Count &Count::operator+=(const Product &product) {
  if (product.factor == 0)
    return *this;
  std::vector<std::string> sizes = product.sizes;
  llvm::sort(sizes);
  int64_t &factor = terms[sizes];
  factor += product.factor;
  if (factor == 0)
    terms.erase(sizes);
  return *this;
}

Count &Count::operator+=(const Count &other) {
  for (auto &[sizes, factor] : std::map(other.terms))
    *this += Product{factor, sizes};
  return *this;
}

Count Count::operator*(const Count &other) const {
  Count result;
  for (auto &[sizes, factor] : terms)
    for (auto &[otherSizes, otherFactor] : other.terms) {
      Product product{factor * otherFactor, sizes};
      llvm::append_range(product.sizes, otherSizes);
      result += product;
    }
  return result;
}

std::optional<int64_t> Count::divide(const Count &other) const {
  if (other.terms.size() != terms.size() || terms.empty())
    return std::nullopt;
  std::optional<int64_t> ratio;
  for (auto &[sizes, factor] : terms) {
    auto it = other.terms.find(sizes);
    if (it == other.terms.end() || factor % it->second != 0 ||
        (ratio && *ratio != factor / it->second))
      return std::nullopt;
    ratio = factor / it->second;
  }
  return ratio;
}

std::string Count::str() const {
  if (terms.empty())
    return "0";
  std::string text;
  // The largest products first.
  std::vector<std::pair<std::vector<std::string>, int64_t>> ordered(
      terms.begin(), terms.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size()
                                            : a.first < b.first;
  });
  for (auto &[sizes, factor] : ordered) {
    if (!text.empty())
      text += factor < 0 ? " - " : " + ";
    else if (factor < 0)
      text += "-";
    int64_t amount = std::abs(factor);
    if (amount != 1 || sizes.empty())
      text += std::to_string(amount) + (sizes.empty() ? "" : "*");
    text += llvm::join(sizes, "*");
  }
  return text;
}

std::optional<double> Count::evaluate(
    llvm::function_ref<std::optional<int64_t>(StringRef)> value) const {
  double sum = 0;
  for (const auto &[sizes, factor] : terms) {
    double product = double(factor);
    for (const std::string &size : sizes) {
      std::optional<int64_t> is = value(size);
      if (!is)
        return std::nullopt;
      product *= double(*is);
    }
    sum += product;
  }
  return sum;
}

std::string arrc::getSizeName(kernel::LaunchOp launch, BlockArgument argument) {
  std::string name = describeSize(launch.getOperandOf(argument).get());
  return name.empty() ? "s" + std::to_string(argument.getArgNumber()) : name;
}

Count Count::ofSize(kernel::LaunchOp launch, OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return Count(*number);
  LinearIndex form(cast<Value>(size));
  Count result(form.getConstant());
  for (auto [value, factor] : form.getTerms()) {
    std::string name;
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == launch.getBodyBlock())
      name = getSizeName(launch, argument);
    result += Product{factor, {name.empty() ? "?" : name}};
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// How often `op` runs: the extents of the loops around it.
static Count getTrips(kernel::LaunchOp launch, Operation *op) {
  Count trips(1);
  for (Operation *parent = op->getParentOp(); parent != launch;
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<kernel::ForOp>(parent))
      trips = trips * Count::ofSize(launch, loop.getMixedExtent());
  return trips;
}

namespace {
/// The box around some accesses of one array.
class Box {
public:
  void add(kernel::LaunchOp launch, const Access &access) {
    shape.resize(access.indices.size());
    for (auto [dim, index] : llvm::enumerate(access.indices))
      addIndex(launch, shape[dim], index);
  }

  /// The number of its elements; `array` where an index is no loop's.
  Count getSize(kernel::LaunchOp launch, BlockArgument array) const {
    Count size(1);
    for (auto [dim, side] : llvm::enumerate(shape)) {
      if (side.isWhole)
        size = size * Count::ofSize(launch, launch.getSize(array, dim));
      else if (side.extent)
        size = size * *side.extent;
      else
        size = size * int64_t(side.places.size());
    }
    return size;
  }

private:
  struct Side {
    /// The extent of the loops whose index it is, one at a time.
    std::optional<Count> extent;
    /// Indices that no loop changes.
    SmallVector<LinearIndex, 2> places;
    bool isWhole = false;
  };

  /// Whether the launch is given all that decides `index`.
  static bool isGiven(kernel::LaunchOp launch, const LinearIndex &index) {
    return llvm::all_of(index.getTerms(), [&](const LinearIndex::Term &term) {
      auto argument = dyn_cast<BlockArgument>(term.first);
      return argument && argument.getOwner() == launch.getBodyBlock();
    });
  }

  static void addIndex(kernel::LaunchOp launch, Side &side,
                       const LinearIndex &index) {
    ArrayRef<LinearIndex::Term> terms = index.getTerms();
    if (isGiven(launch, index)) {
      side.isWhole |= side.extent.has_value();
      if (!llvm::is_contained(side.places, index))
        side.places.push_back(index);
      return;
    }
    auto argument = dyn_cast<BlockArgument>(terms.front().first);
    auto loop =
        argument ? dyn_cast<kernel::ForOp>(argument.getOwner()->getParentOp())
                 : kernel::ForOp();
    if (terms.size() > 1 || !loop || !side.places.empty() ||
        argument != loop.getInductionVar()) {
      side.isWhole = true;
      return;
    }
    Count extent = Count::ofSize(launch, loop.getMixedExtent());
    side.isWhole |= side.extent && !(*side.extent == extent);
    side.extent = extent;
  }

  SmallVector<Side> shape;
};
} // namespace

LaunchCost::LaunchCost(kernel::LaunchOp launch)
    : registers(estimateRegisters(launch)) {
  AccessPattern pattern(launch);
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    ArrayCost array;
    array.argument = argument;
    OpOperand &operand = launch.getOperandOf(argument);
    array.name = launch.isDpsInit(&operand) && launch.getNumResults()
                     ? describeArray(launch.getTiedOpResult(&operand))
                     : describeArray(operand.get());
    array.elementBytes = getStoredBytes(type.getElementType());
    Box read, written;
    for (const Access &access : pattern.getAccesses()) {
      if (access.array != argument)
        continue;
      Count trips = getTrips(launch, access.op);
      if (access.reads) {
        read.add(launch, access);
        array.loads += trips;
      }
      if (access.writes) {
        written.add(launch, access);
        array.stores += trips;
      }
    }
    if (!array.loads.isZero())
      array.read = read.getSize(launch, argument);
    if (!array.stores.isZero())
      array.written = written.getSize(launch, argument);
    if (!array.loads.isZero() || !array.stores.isZero())
      arrays.push_back(std::move(array));
  }
  launch.getBody().walk([&](Operation *op) {
    int64_t additions = arrc::getWork(op);
    bool isIndex =
        op->getNumResults() == 1 && op->getResult(0).getType().isIndex();
    if (!additions || isIndex)
      return;
    // Operators of folds run once an iteration.
    Count trips = getTrips(launch, op);
    work += trips * additions;
    if (isSpecialFunction(op))
      special += trips;
  });
}

Count LaunchCost::getBytesRead() const {
  Count bytes;
  for (const ArrayCost &array : arrays)
    bytes += array.read * array.elementBytes;
  return bytes;
}

Count LaunchCost::getBytesWritten() const {
  Count bytes;
  for (const ArrayCost &array : arrays)
    bytes += array.written * array.elementBytes;
  return bytes;
}
