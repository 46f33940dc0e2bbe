//===- MatrixSteps.cpp - Folds that warps take as matrices ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A matrix product keeps a tile of accumulators in each thread:
//
//   for l in 16 reduce { r0, r1, .. += a[l, y] * b[l, 2 * x], .. }
//
// With 4 threads along x and 8 along y a warp has 8 rows, and 8 columns in
// pairs. Its lanes can then take several steps at once by one instruction
// (`mma`), to which each lane gives other elements than those that it would
// read by itself: a quarter of the steps, of its own row y, and of column y.
// What the lane gets are sums for its own accumulators. Which steps an
// instruction takes together is of no account, as long as rows and columns give
// the same: a lane has neighbouring steps of the box, read by wide accesses.
//
// Legal. The lanes are those of one warp, all of which get here; operands lie
// on chip, where other lanes may read them; products are added as fma or
// better, which `contract` allows. Where the loop is cut by the end of the
// data, what is behind it counts as 0: the box on chip has place for whole
// matrices.
//
// Source: PTX ISA, "Matrix multiply-accumulate operation using mma
// instruction": fragments of .m16n8k16 and .m8n8k4.
//
//===----------------------------------------------------------------------===//

#include "MatrixSteps.h"
#include "KernelEmitter.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// The loop at thread along `axis` around `loop`, null if there is none.
static kernel::ForOp getThreadLoop(kernel::ForOp loop, unsigned axis) {
  for (auto around = loop->getParentOfType<kernel::ForOp>(); around;
       around = around->getParentOfType<kernel::ForOp>())
    if (around.getLevelKind() == kernel::LevelKind::Thread &&
        around.getLevelAttr().getAxis() == axis)
      return around;
  return {};
}

/// The load of what the block has on chip that `value` is, widened or not.
static kernel::LoadOp getOperand(Value value) {
  kernel::LoadOp load = kernel::getMatrixOperand(value);
  return load && load.getSource().getDefiningOp<kernel::LocalOp>()
             ? load
             : kernel::LoadOp();
}

/// The dimension of `access` whose index moves with `value`, by `by`.
static int findDim(const Access &access, Value value, int64_t by) {
  int found = -1;
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    int64_t factor = index.getCoefficient(value);
    if (!factor)
      continue;
    if (factor != by || found >= 0)
      return -2;
    found = int(dim);
  }
  return found;
}

/// Whether `a` reads the element behind that of `b`, along dimension `dim` if
/// one is given, or the same one.
static bool isNext(const Access &a, const Access &b, std::optional<int> dim) {
  if (a.array != b.array)
    return false;
  for (auto [number, pair] : llvm::enumerate(llvm::zip(a.indices, b.indices))) {
    auto &[mine, other] = pair;
    if (mine.distanceFrom(other) != int64_t(dim && *dim == int(number)))
      return false;
  }
  return true;
}

namespace {
/// Collects what a fold reads, and which accumulator each pair belongs to.
class StepFinder {
public:
  StepFinder(kernel::ForOp loop, std::string &reason)
      : loop(loop), reason(reason) {}

  std::optional<MatrixSteps> run();

private:
  std::nullopt_t refuse(StringRef why) {
    reason = why;
    return std::nullopt;
  }
  /// The number of the operand among `list`, which it joins if it is new.
  static unsigned add(SmallVectorImpl<Access> &list, const Access &access) {
    for (auto [number, other] : llvm::enumerate(list))
      if (isNext(access, other, std::nullopt))
        return number;
    list.push_back(access);
    return list.size() - 1;
  }
  bool isRow(const Access &access) {
    return findDim(access, steps.y.getInductionVar(), 1) >= 0 &&
           findDim(access, steps.x.getInductionVar(), 1) == -1;
  }
  bool isColumn(const Access &access) {
    return findDim(access, steps.x.getInductionVar(), 2) >= 0 &&
           findDim(access, steps.y.getInductionVar(), 1) == -1;
  }
  /// Whether its indices are known before the loop, but for the step, in which
  /// one of them is linear.
  bool isKnown(const Access &access) {
    if (findDim(access, loop.getInductionVar(), 1) < 0)
      return false;
    return llvm::all_of(access.indices, [&](const LinearIndex &index) {
      return llvm::all_of(index.getTerms(), [&](LinearIndex::Term term) {
        return term.first == loop.getInductionVar() ||
               !loop->isAncestor(term.first.getParentRegion()->getParentOp());
      });
    });
  }
  bool pairColumns(ArrayRef<Access> columns,
                   SmallVectorImpl<std::pair<unsigned, unsigned>> &places);

  kernel::ForOp loop;
  std::string &reason;
  MatrixSteps steps;
};
} // namespace

/// Where each column stands: its pair, and which of the two it is.
bool StepFinder::pairColumns(
    ArrayRef<Access> columns,
    SmallVectorImpl<std::pair<unsigned, unsigned>> &places) {
  places.assign(columns.size(), {~0u, 0});
  for (auto [number, column] : llvm::enumerate(columns)) {
    int dim = findDim(column, steps.x.getInductionVar(), 2);
    // The even one of a pair: threads along x stand at 2 * x.
    if (column.indices[dim].getConstant() % 2)
      continue;
    const auto *next = llvm::find_if(columns, [&](const Access &other) {
      return isNext(other, column, dim);
    });
    if (next == columns.end())
      return false;
    places[number] = {unsigned(steps.columns.size()), 0};
    places[next - columns.begin()] = {unsigned(steps.columns.size()), 1};
    steps.columns.push_back(cast<kernel::LoadOp>(column.op));
  }
  return steps.columns.size() * 2 == columns.size();
}

std::optional<MatrixSteps> StepFinder::run() {
  steps.x = getThreadLoop(loop, 0);
  steps.y = getThreadLoop(loop, 1);
  if (!steps.x || !steps.y || steps.x.getStaticExtent() != 4 ||
      steps.y.getStaticExtent().value_or(1) % 8)
    return refuse("the fold is not that of 4 threads along x and a multiple of "
                  "8 along y");
  if (!kernel::addsProducts(loop))
    return refuse("the fold is no sum of products, or each of them is rounded");
  SmallVector<Access> rows, columns;
  SmallVector<std::pair<unsigned, unsigned>> pairs, places;
  Type element;
  for (Value term : loop.getYield().getValues()) {
    auto product = cast<arith::MulFOp>(term.getDefiningOp());
    kernel::LoadOp left = getOperand(product.getLhs()),
                   right = getOperand(product.getRhs());
    if (!left || !right || left.getType() != right.getType() ||
        (element && element != left.getType()))
      return refuse("a term is not the product of two elements that the block "
                    "has on chip");
    element = left.getType();
    Access row(left), column(right);
    if (!isRow(row))
      std::swap(row, column);
    if (!isRow(row) || !isColumn(column) || !isKnown(row) || !isKnown(column))
      return refuse("operands are not rows of threads along y and pairs of "
                    "columns of threads along x");
    unsigned number = add(rows, row);
    pairs.push_back({number, add(columns, column)});
  }
  std::optional<kernel::MatrixShape> shape = kernel::getMatrixShape(
      kernel::DeviceAttr::get(loop), element, loop.getResultTypes().front());
  if (!shape)
    return refuse("the device does not multiply matrices of these types");
  steps.shape = *shape;
  steps.element = element;
  if (rows.size() % shape->halves() || !pairColumns(columns, places))
    return refuse("rows and columns do not make up whole matrices");
  for (const Access &row : rows)
    steps.rows.push_back(cast<kernel::LoadOp>(row.op));
  constexpr unsigned none = ~0u;
  steps.accumulators.assign(rows.size() * columns.size(), none);
  for (auto [number, pair] : llvm::enumerate(pairs)) {
    auto [column, side] = places[pair.second];
    unsigned &place =
        steps.accumulators[(pair.first * steps.columns.size() + column) * 2 +
                           side];
    if (place != none)
      return refuse("two results are one");
    place = number;
  }
  if (llvm::is_contained(steps.accumulators, none))
    return refuse("rows and columns do not make up whole matrices");
  return steps;
}

std::optional<MatrixSteps> arrc::findMatrixSteps(kernel::ForOp loop,
                                                 std::string &reason) {
  return StepFinder(loop, reason).run();
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

bool KernelEmitter::multipliesMatrices() {
  kernel::ScheduleAttr schedule = launch.getScheduleAttr();
  return schedule && schedule.getMultiplies();
}

/// The intrinsic of LLVM.
static std::string getIntrinsic(const MatrixSteps &steps) {
  std::string types = steps.element.isF64()   ? "f64"
                      : steps.element.isF16() ? "f32.f32"
                                              : "bf16";
  return (kernel::kMatrixIntrinsic + "m").str() +
         std::to_string(steps.shape.rows) + "n8k" +
         std::to_string(steps.shape.depth) + ".row.col." + types;
}

/// The element of an operand at `step`; of column `column` behind that of
/// thread 0 along x, if one is given.
Value KernelEmitter::loadFragment(kernel::LoadOp load, const MatrixSteps &steps,
                                  kernel::ForOp loop, Value step,
                                  Value column) {
  Location loc = load.getLoc();
  constexpr auto flags = arith::IntegerOverflowFlags::nsw;
  const Place &place = getPlace(load.getSource());
  // In a leaf this emits no barrier.
  (void)access(loc, place, /*written=*/false);
  kernel::ForOp x = steps.x;
  SmallVector<Value> indices;
  for (const LinearIndex &form : Access(load).indices) {
    Value sum = index(loc, form.getConstant());
    for (auto [value, factor] : form.getTerms()) {
      Value part = value == loop.getInductionVar()          ? step
                   : value == x.getInductionVar() && column ? column
                                                            : lookup(value);
      if (part != column && factor != 1)
        part = arith::MulIOp::create(b, loc, part, index(loc, factor), flags);
      sum = arith::AddIOp::create(b, loc, sum, part, flags);
    }
    indices.push_back(sum);
  }
  return loadElement(loc, place.memory, linearize(loc, place, indices),
                     place.element);
}

/// The registers that a lane has of an operand: the `count` steps from `first`
/// on, of which those before `extent` count; all, if that is null.
SmallVector<Value> KernelEmitter::loadFragments(kernel::LoadOp load,
                                                const MatrixSteps &steps,
                                                kernel::ForOp loop, Value first,
                                                int64_t count, Value extent,
                                                Value column) {
  Location loc = load.getLoc();
  int64_t packed = steps.shape.packed;
  SmallVector<Value> registers;
  for (int64_t k = 0; k < count; k += packed) {
    SmallVector<Value> elements;
    for (int64_t u = 0; u < packed; ++u) {
      Value step = arith::AddIOp::create(b, loc, first, index(loc, k + u),
                                         arith::IntegerOverflowFlags::nsw);
      Value element = loadFragment(load, steps, loop, step, column);
      if (extent) {
        Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           step, extent);
        element = arith::SelectOp::create(
            b, loc, isIn, element,
            kernel::createZero(b, loc, element.getType()));
      }
      // The intrinsic has bf16 as bits.
      if (element.getType().isBF16())
        element = arith::BitcastOp::create(b, loc, b.getI16Type(), element);
      elements.push_back(element);
    }
    if (packed == 1) {
      registers.push_back(elements.front());
      continue;
    }
    auto type = VectorType::get({packed}, elements.front().getType());
    Value pack = LLVM::PoisonOp::create(b, loc, type);
    for (auto [u, element] : llvm::enumerate(elements))
      pack = LLVM::InsertElementOp::create(
          b, loc, pack, element,
          LLVM::ConstantOp::create(b, loc, b.getI32Type(),
                                   b.getI32IntegerAttr(u)));
    if (type.getElementType().isInteger())
      pack = LLVM::BitcastOp::create(b, loc, b.getI32Type(), pack);
    registers.push_back(pack);
  }
  return registers;
}

/// Adds the product of rows from `row` on and a pair of columns to the
/// accumulators of a lane.
void KernelEmitter::multiplyMatrix(Location loc, const MatrixSteps &steps,
                                   size_t row, size_t column,
                                   ArrayRef<Value> operands,
                                   MutableArrayRef<Value> accumulators) {
  int64_t halves = steps.shape.halves();
  SmallVector<Value> all(operands);
  SmallVector<unsigned> numbers;
  for (int64_t half = 0; half < halves; ++half)
    for (unsigned side : {0, 1})
      numbers.push_back(
          steps
              .accumulators[((row + half) * steps.columns.size() + column) * 2 +
                            side]);
  for (unsigned number : numbers)
    all.push_back(accumulators[number]);
  SmallVector<Type> results(numbers.size(), accumulators.front().getType());
  auto call = LLVM::CallIntrinsicOp::create(
      b, loc, LLVM::LLVMStructType::getLiteral(b.getContext(), results),
      b.getStringAttr(getIntrinsic(steps)), all);
  for (auto [k, number] : llvm::enumerate(numbers))
    accumulators[number] =
        LLVM::ExtractValueOp::create(b, loc, call.getResult(0), k);
}

LogicalResult KernelEmitter::emitMatrixSteps(kernel::ForOp loop,
                                             const MatrixSteps &steps) {
  Location loc = loop.getLoc();
  Context saved = ctx;
  kernel::DimDigitsAttr digits =
      launch.getScheduleAttr().lookup(loop.getDim().rsplit('.').first);
  int64_t depth = steps.shape.depth;
  int64_t box = digits ? digits.getDigits().back().getSize() : 0;
  if (box == 0 || box % depth)
    return refuse(loc, "warps do not multiply matrices: the steps of a box "
                       "are no multiple of " +
                           std::to_string(depth));
  if (failed(enterRegions(loop, loop.getExtent() ? ValueRange(loop.getExtent())
                                                 : ValueRange())))
    return failure();
  if (!ctx.subgroupUniform || !ctx.leaf || getUnbound() ||
      plan.blockSize[0] != 4 || plan.blockSize[1] % 8)
    return refuse(loc, "warps do not multiply matrices: not all lanes of a "
                       "warp get there");
  hasMatrices = true;
  SmallVector<Value> values = lookup(loop.getSeeds());
  Value extent = loop.getStaticExtent() == box ? Value() : getExtent(loop);
  Value first = arith::MulIOp::create(b, loc, threadId[0], index(loc, box / 4),
                                      arith::IntegerOverflowFlags::nsw);
  Value group = arith::RemUIOp::create(b, loc, threadId[1], index(loc, 8));
  // What a lane reads by one access, and so many columns as hide the latency of
  // an instruction: elements of others need not be there yet.
  constexpr int64_t together = 8, accessBytes = 16;
  int64_t bytes = steps.element.getIntOrFloatBitWidth() / 8;
  int64_t halves = steps.shape.halves(), packed = steps.shape.packed;
  int64_t own = box / 4, groups = steps.shape.groups();
  int64_t part = std::max(std::min(own, accessBytes / bytes), depth / 4);
  for (int64_t begin = 0; begin < own; begin += part) {
    Value step = arith::AddIOp::create(b, loc, first, index(loc, begin),
                                       arith::IntegerOverflowFlags::nsw);
    auto load = [&](kernel::LoadOp op, Value column) {
      return loadFragments(op, steps, loop, step, part, extent, column);
    };
    SmallVector<SmallVector<Value>> rows;
    for (kernel::LoadOp row : steps.rows)
      rows.push_back(load(row, Value()));
    for (size_t j = 0; j < steps.columns.size(); j += together) {
      SmallVector<SmallVector<Value>> columns;
      for (kernel::LoadOp column :
           ArrayRef(steps.columns).slice(j).take_front(together))
        columns.push_back(load(column, group));
      for (int64_t k = 0; k < part / packed; k += groups)
        for (auto [c, column] : llvm::enumerate(columns))
          for (size_t i = 0; i < rows.size(); i += halves) {
            SmallVector<Value> operands;
            for (int64_t g = 0; g < groups; ++g)
              for (int64_t half = 0; half < halves; ++half)
                operands.push_back(rows[i + half][k + g]);
            llvm::append_range(operands, ArrayRef(column).slice(k, groups));
            multiplyMatrix(loc, steps, i, j + c, operands, values);
          }
    }
  }
  for (auto [from, to] : llvm::zip(loop.getResults(), values))
    set(from, to);
  ctx = saved;
  return success();
}
