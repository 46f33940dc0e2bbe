//===- PartitionText.cpp - What parts of a kernel touch, for the runtime --===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `kernel.partition` in terms of the kernel's arguments, as text that the
// runtime reads when the program is loaded (runtime/lib/Parts/Table.h):
//
//   cut 0 box 2 r 4 2 0 , a3 , a4 , l 8 * -1 + , h 8 * 1 + , c
//                         a4 , 1 ,  ,  , n
//
// A cut says which pair of offset and extent it is along (-1: all of the
// kernel). A box says the pointer among the arguments, what is done (read,
// write, touch, update, and then what combines), bytes of an element, the rank
// and the position of its first element behind the pointer; then of each
// dimension the size, the stride, the lower and the upper end, and the letter
// of its edge mode. Expressions are in postfix form and end with a comma;
// empty: the end of the array. Where there is no cut but that of all `because`
// and the reason stand at the end.
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "arrc/Analysis/LaunchPartition.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace arrc;

namespace {
class PartitionWriter {
public:
  PartitionWriter(const KernelPlan &plan) : plan(plan), launch(plan.launch) {
    unsigned next = plan.pointers.size();
    for (unsigned number : plan.scalars) {
      letterOf[number] = next;
      next += isa<ComplexType>(launch.getArgument(number).getType()) ? 2 : 1;
    }
    next += plan.pitches.size();
    for (auto [argument, dim] : plan.strides)
      strideOf[{argument, dim}] = next++;
    for (auto [number, array] : llvm::enumerate(plan.arrays))
      if (array.hasOffset)
        offsetOf[number] = next++;
  }

  void writeCut(int loop, ArrayRef<AccessBox> boxes);

  std::string text;

private:
  void write(AffineExpr expr);
  void writeBounds(ArrayRef<Bound> bounds, char choose);
  void writeBox(const AccessBox &box);

  const KernelPlan &plan;
  kernel::LaunchOp launch;
  llvm::DenseMap<unsigned, unsigned> letterOf, offsetOf;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> strideOf;
  llvm::raw_string_ostream os{text};
};
} // namespace

void PartitionWriter::write(AffineExpr expr) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    os << number.getValue() << ' ';
    return;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    os << (dim.getPosition() == 0 ? "l " : "h ");
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    os << 'a' << letterOf.lookup(symbol.getPosition()) << ' ';
    return;
  }
  auto both = cast<AffineBinaryOpExpr>(expr);
  write(both.getLHS());
  write(both.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    os << "+ ";
    break;
  case AffineExprKind::Mul:
    os << "* ";
    break;
  case AffineExprKind::FloorDiv:
    os << "/ ";
    break;
  case AffineExprKind::CeilDiv:
    os << "c ";
    break;
  default:
    os << "% ";
  }
}

void PartitionWriter::writeBounds(ArrayRef<Bound> bounds, char choose) {
  for (auto [number, bound] : llvm::enumerate(bounds)) {
    write(bound.get());
    if (number > 0)
      os << choose << ' ';
  }
  os << ", ";
}

void PartitionWriter::writeBox(const AccessBox &box) {
  static constexpr char kinds[] = {'r', 'w', 't', 'u'};
  BlockArgument argument = launch.getArgument(box.argument);
  auto type = cast<MemRefType>(argument.getType());
  unsigned number = plan.getArray(argument);
  const KernelPlan::Array &array = plan.arrays[number];
  os << "box " << array.pointer << ' ' << kinds[static_cast<int>(box.kind)]
     << ' ';
  if (box.kind == AccessBox::Kind::Update)
    os << getCombinerName(box, array.element) << ' ';
  os << getStoredBytes(array.element) << ' ' << type.getRank() << ' ';
  if (array.hasOffset)
    os << 'a' << offsetOf.lookup(number) << ' ';
  os << ", ";
  auto writeSize = [&](BlockArgument array, unsigned dim) {
    OpFoldResult size = launch.getSize(array, dim);
    if (auto value = dyn_cast<Value>(size))
      os << 'a' << letterOf.lookup(cast<BlockArgument>(value).getArgNumber())
         << ' ';
    else
      os << *getConstantIntValue(size) << ' ';
  };
  auto [strides, offset] = type.getStridesAndOffset();
  bool isDense = type.getLayout().isIdentity();
  for (auto [dim, interval] : llvm::enumerate(box.dims)) {
    writeSize(argument, dim);
    os << ", ";
    if (isDense) {
      os << "1 ";
      for (unsigned inner = dim + 1; inner < box.dims.size(); ++inner) {
        writeSize(argument, inner);
        os << "* ";
      }
    } else if (ShapedType::isDynamic(strides[dim])) {
      os << 'a' << strideOf.lookup({box.argument, dim}) << ' ';
    } else {
      os << strides[dim] << ' ';
    }
    os << ", ";
    if (interval.starts) {
      BlockArgument row = launch.getArgument(*interval.starts);
      for (char end : {'l', 'h'}) {
        os << end << ' ';
        writeSize(row, 0);
        os << 'g' << plan.arrays[plan.getArray(row)].pointer << " , ";
      }
    } else {
      writeBounds(interval.lowers, '>');
      writeBounds(interval.uppers, '<');
    }
    os << (interval.carries ? 'o' : stringifyEnum(interval.edge).front())
       << ' ';
  }
}

void PartitionWriter::writeCut(int loop, ArrayRef<AccessBox> boxes) {
  os << "cut " << loop << ' ';
  for (const AccessBox &box : boxes)
    writeBox(box);
  if (plan.flagArray) {
    const KernelPlan::Array &array = plan.arrays[*plan.flagArray];
    os << "box " << array.pointer << " r 1 0 ";
    if (array.hasOffset)
      os << 'a' << offsetOf.lookup(*plan.flagArray) << ' ';
    os << ", ";
  }
}

FailureOr<std::string> arrc::getPartitionText(const KernelPlan &plan) {
  auto partition = LaunchPartition::read(plan.launch);
  if (failed(partition))
    return failure();
  bool isPacked = llvm::any_of(plan.arrays, [](const KernelPlan::Array &array) {
    return array.isPlane;
  });
  if (!*partition || isPacked)
    return std::string();
  kernel::LaunchOp launch = plan.launch;
  // The runtime reads numbers at the pointer.
  auto startsBehindOffset = [&](const AccessBox &box) {
    return llvm::any_of(box.dims, [&](const Interval &interval) {
      return interval.starts &&
             plan.arrays[plan.getArray(launch.getArgument(*interval.starts))]
                 .hasOffset;
    });
  };
  PartitionWriter writer(plan);
  writer.writeCut(-1, (*partition)->whole);
  // Blocks that count themselves, and what they report in one place, are those
  // of one device.
  std::string reason, ignored;
  SmallVector<kernel::ForOp> loops = getCutLoops(plan.launch, ignored);
  if ((*partition)->cuts.empty())
    reason = (*partition)->reason;
  else if (plan.mode != KernelMode::Parallel)
    reason = "it runs in one thread";
  else if (plan.hasTail() || plan.hasState() || plan.needsTicket)
    reason = "its blocks wait for each other";
  else if (plan.nest.empty() || plan.nest.size() > loops.size() ||
           !llvm::equal(ArrayRef(loops).take_front(plan.nest.size()),
                        plan.nest))
    reason = "its blocks are not those that are cut";
  if (!reason.empty())
    return writer.text + "because " + reason;
  for (const LaunchPartition::Cut &cut : (*partition)->cuts)
    if (cut.loop < plan.nest.size() &&
        llvm::none_of(cut.boxes, startsBehindOffset))
      writer.writeCut(cut.loop, cut.boxes);
  return writer.text;
}
