//===- FollowOps.cpp - What single operations of a kernel are -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Follower.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Kernel/IR/MatrixShape.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

//===----------------------------------------------------------------------===//
// Where values come from
//===----------------------------------------------------------------------===//

void Follower::setArgument(BlockArgument argument, unsigned number) {
  if (isa<MemRefType>(argument.getType())) {
    getView(argument);
    return;
  }
  if (!argument.getType().isIntOrIndex()) {
    Content content;
    content.variance = Variance::Block;
    set(argument, content);
    return;
  }
  Symbol symbol;
  symbol.name = "arg" + std::to_string(number);
  if (auto found = trace.facts.arguments.find(number);
      found != trace.facts.arguments.end()) {
    symbol.value = found->second;
    symbol.range = {found->second, found->second};
  }
  set(argument, Content::of(Form::ofSymbol(trace.symbols.add(symbol))));
}

/// The thread ids of a block along a dimension.
static Lanes getThreadIds(const LaunchFacts &facts, unsigned dim) {
  int64_t x = facts.threads[0], y = facts.threads[1], z = facts.threads[2];
  std::vector<int64_t> ids(x * y * z);
  for (auto [t, id] : llvm::enumerate(ids))
    id = dim == 0   ? int64_t(t) % x
         : dim == 1 ? int64_t(t) / x % y
                    : int64_t(t) / (x * y);
  return Lanes(std::move(ids));
}

static Lanes getLinearIds(size_t threads, int64_t divisor, int64_t modulus) {
  std::vector<int64_t> ids(threads);
  for (auto [t, id] : llvm::enumerate(ids))
    id = int64_t(t) / divisor % modulus;
  return Lanes(std::move(ids));
}

void Follower::followIds(Operation &op) {
  static constexpr const char *axes[] = {"x", "y", "z"};
  auto blockId = [&](unsigned dim) {
    return Form::ofSymbol(trace.blockIds[dim] = trace.symbols.get(
                              std::string("block ") + axes[dim], [&] {
                                Symbol symbol;
                                symbol.name = std::string("b") + axes[dim];
                                symbol.range.low = 0;
                                symbol.range.high = (int64_t(1) << 31) - 2;
                                if (trace.facts.blocks[dim])
                                  symbol.range.high = std::max<int64_t>(
                                      0, *trace.facts.blocks[dim] - 1);
                                if (trace.facts.block)
                                  symbol.value = (*trace.facts.block)[dim];
                                symbol.isOfBlock = true;
                                return symbol;
                              }));
  };
  auto gridDim = [&](unsigned dim) {
    return Form::ofSymbol(
        trace.symbols.get(std::string("blocks ") + axes[dim], [&] {
          Symbol symbol;
          symbol.name = std::string("blocks_") + axes[dim];
          symbol.range = {1, (int64_t(1) << 31) - 1};
          if ((symbol.value = trace.facts.blocks[dim]))
            symbol.range = {*symbol.value, *symbol.value};
          return symbol;
        }));
  };
  int64_t warps = trace.getWarps();
  std::optional<Form> form;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    form = Form(getThreadIds(trace.facts, unsigned(id.getDimension())));
  else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    form = blockId(unsigned(id.getDimension()));
  else if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    form = Form(trace.facts.threads[unsigned(dim.getDimension())]);
  else if (auto dim = dyn_cast<gpu::GridDimOp>(op))
    form = gridDim(unsigned(dim.getDimension()));
  else if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    unsigned dim = unsigned(id.getDimension());
    form = blockId(dim) * Form(trace.facts.threads[dim]) +
           Form(getThreadIds(trace.facts, dim));
  } else if (isa<gpu::LaneIdOp>(op))
    form = Form(getLinearIds(trace.threads, 1, 32));
  else if (isa<gpu::SubgroupIdOp>(op))
    form = Form(getLinearIds(trace.threads, 32, warps));
  else if (isa<gpu::NumSubgroupsOp>(op))
    form = Form(warps);
  else if (isa<gpu::SubgroupSizeOp>(op))
    form = Form(32);
  set(op.getResult(0), Content::of(*form));
}

std::optional<Form> Follower::getForm(OpFoldResult value) {
  if (auto number = getConstantIntValue(value))
    return Form(*number);
  return get(cast<Value>(value)).form;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Content Follower::apply(Binary op, const Content &a, const Content &b) {
  Content content;
  content.isData = a.isData || b.isData;
  if (a.form && b.form) {
    bool isAssumed = false;
    content.form = lanes::apply(op, *a.form, *b.form, trace.symbols, isAssumed);
    trace.isOfOneBlock |=
        isAssumed && (a.form->differsBetweenBlocks(trace.symbols) ||
                      b.form->differsBetweenBlocks(trace.symbols));
    if (content.form)
      return content;
  }
  content.variance = std::max(a.getVariance(), b.getVariance());
  return content;
}

Content Follower::evaluate(AffineExpr expr, ArrayRef<Content> operands,
                           unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Content::of(Form(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Content a = evaluate(binary.getLHS(), operands, numDims),
          b = evaluate(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return apply(Binary::Add, a, b);
  case AffineExprKind::Mul:
    return apply(Binary::Mul, a, b);
  case AffineExprKind::FloorDiv:
    return apply(Binary::DivFloor, a, b);
  case AffineExprKind::CeilDiv:
    return apply(Binary::DivCeil, a, b);
  default:
    return apply(Binary::ModFloor, a, b);
  }
}

Content Follower::fit(Content content, Type type, bool isSigned) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!content.form || !integer || integer.getWidth() == 1 ||
      integer.getWidth() >= 64)
    return content;
  unsigned bits = integer.getWidth();
  int64_t low = isSigned ? -(int64_t(1) << (bits - 1)) : 0,
          high = low + ((int64_t(1) << bits) - 1);
  Span range = content.form->getRange(trace.symbols);
  if (range.low >= low && range.high <= high)
    return content;
  if (content.form->isNumbers()) {
    content.form = Form(
        Lanes::zip(content.form->getConstant(), 0, [&](int64_t x, int64_t) {
          APInt cut = APInt(64, x, /*isSigned=*/true).trunc(bits);
          return isSigned ? cut.getSExtValue() : int64_t(cut.getZExtValue());
        }));
    return content;
  }
  // Indices of 32 bits that depend on sizes are taken not to wrap.
  if (bits >= 32)
    return content;
  Content unknown;
  unknown.isData = content.isData;
  unknown.variance = content.getVariance();
  return unknown;
}

/// What an operation of `arith` does, if it is one of those.
static std::optional<Binary> getBinary(Operation &op) {
  // Indices and sizes are not negative where they are divided as if so.
  return llvm::TypeSwitch<Operation *, std::optional<Binary>>(&op)
      .Case<arith::AddIOp>([](auto) { return Binary::Add; })
      .Case<arith::SubIOp>([](auto) { return Binary::Sub; })
      .Case<arith::MulIOp>([](auto) { return Binary::Mul; })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>(
          [](auto) { return Binary::DivFloor; })
      .Case<arith::DivSIOp>([](auto) { return Binary::DivZero; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Binary::DivCeil; })
      .Case<arith::RemUIOp>([](auto) { return Binary::ModFloor; })
      .Case<arith::RemSIOp>([](auto) { return Binary::RemZero; })
      .Case<arith::AndIOp>([](auto) { return Binary::And; })
      .Case<arith::OrIOp>([](auto) { return Binary::Or; })
      .Case<arith::XOrIOp>([](auto) { return Binary::Xor; })
      .Case<arith::ShLIOp>([](auto) { return Binary::ShiftLeft; })
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          [](auto) { return Binary::ShiftRight; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Binary::Min; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Binary::Max; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether the operation takes its numbers as not negative.
static bool isUnsigned(Operation &op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp, arith::MinUIOp,
             arith::MaxUIOp, arith::CeilDivUIOp>(op);
}

void Follower::followCompare(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = op.getPredicate();
  // Numbers that are compared so are not negative, or the comparison is more.
  switch (predicate) {
  case Predicate::ult:
    predicate = Predicate::slt;
    break;
  case Predicate::ule:
    predicate = Predicate::sle;
    break;
  case Predicate::ugt:
    predicate = Predicate::sgt;
    break;
  case Predicate::uge:
    predicate = Predicate::sge;
    break;
  default:
    break;
  }
  bool isUnsignedCompare = predicate != op.getPredicate();
  Type type = op.getLhs().getType();
  Content a = fit(get(op.getLhs()), type, !isUnsignedCompare),
          b = fit(get(op.getRhs()), type, !isUnsignedCompare);
  Content difference = apply(Binary::Sub, a, b);
  Content result;
  result.isData = difference.isData;
  result.variance = difference.variance;
  if (!difference.form)
    return set(op, result);
  Form form = *difference.form;
  auto compare = [&](int64_t x) -> int64_t {
    switch (predicate) {
    case Predicate::eq:
      return x == 0;
    case Predicate::ne:
      return x != 0;
    case Predicate::slt:
      return x < 0;
    case Predicate::sle:
      return x <= 0;
    case Predicate::sgt:
      return x > 0;
    default:
      return x >= 0;
    }
  };
  bool mayBeNegative =
      isUnsignedCompare && a.form && b.form &&
      ((a.form->isNumbers() && a.form->getRange(trace.symbols).low < 0) ||
       (b.form->isNumbers() && b.form->getRange(trace.symbols).low < 0));
  if (mayBeNegative)
    return set(op, result);
  if (form.isNumbers()) {
    result.form = Form(Lanes::zip(
        form.getConstant(), 0, [&](int64_t x, int64_t) { return compare(x); }));
    return set(op, result);
  }
  // Decided by what is known of the symbols.
  Span range = form.getRange(trace.symbols);
  bool isOrder = predicate != Predicate::eq && predicate != Predicate::ne;
  bool isAbove = range.low > 0, isBelow = range.high < 0;
  if (isAbove || isBelow ||
      (isOrder && compare(range.low) == compare(range.high) &&
       range.low > Span::kLow && range.high < Span::kHigh) ||
      (range.low >= 0 &&
       (predicate == Predicate::sge || predicate == Predicate::slt)) ||
      (range.high <= 0 &&
       (predicate == Predicate::sle || predicate == Predicate::sgt))) {
    int64_t sample = isAbove || (range.low >= 0 && !isBelow)
                         ? std::max<int64_t>(range.low, 0)
                         : range.high;
    result.form = Form(compare(sample));
    return set(op, result);
  }
  if (std::optional<Lanes> lanes = form.evaluate(trace.symbols)) {
    trace.isOfOneBlock |= form.differsBetweenBlocks(trace.symbols);
    result.form = Form(
        Lanes::zip(*lanes, 0, [&](int64_t x, int64_t) { return compare(x); }));
    return set(op, result);
  }
  result.hasGuards = true;
  switch (predicate) {
  case Predicate::eq:
    result.guards = {{form, true}};
    break;
  case Predicate::slt:
    result.guards = {{Form(-1) - form, false}};
    break;
  case Predicate::sle:
    result.guards = {{Form(0) - form, false}};
    break;
  case Predicate::sgt:
    result.guards = {{form - Form(1), false}};
    break;
  case Predicate::sge:
    result.guards = {{form, false}};
    break;
  default:
    result.hasGuards = false;
  }
  result.variance = form.isUniform()          ? Variance::Block
                    : form.isUniformInWarps() ? Variance::Warp
                                              : Variance::Thread;
  set(op, result);
}

bool Follower::followInteger(Operation &op) {
  APInt number;
  if (matchPattern(&op, m_ConstantInt(&number))) {
    set(op.getResult(0), Content::of(Form(op.getResult(0).getType().isInteger(1)
                                              ? int64_t(number.getZExtValue())
                                              : number.getSExtValue())));
    return true;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (!compare.getLhs().getType().isIntOrIndex())
      return false;
    followCompare(compare);
    return true;
  }
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIntOrIndex())
    return false;
  if (std::optional<Binary> binary = getBinary(op)) {
    Type type = op.getResult(0).getType();
    Content a = fit(get(op.getOperand(0)), type, !isUnsigned(op)),
            b = fit(get(op.getOperand(1)), type, !isUnsigned(op));
    auto isBelow0 = [&](const Content &c) {
      return c.form && c.form->isNumbers() &&
             c.form->getConstant().getMin() < 0;
    };
    if (isUnsigned(op) && (isBelow0(a) || isBelow0(b)))
      return false;
    Content content = fit(apply(*binary, a, b), type, /*isSigned=*/true);
    if (*binary == Binary::And && op.getResult(0).getType().isInteger(1)) {
      // Both hold. What is decided adds nothing.
      for (const Content &side : {a, b}) {
        content.hasGuards |= side.hasGuards;
        content.guards.insert(content.guards.end(), side.guards.begin(),
                              side.guards.end());
      }
      // One that is surely false decides.
      for (const Content &side : {a, b})
        if (!content.form && side.form && side.form->getNumber() == 0)
          content.form = Form(0);
    }
    set(op.getResult(0), content);
    return true;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
    if (!from.isIntOrIndex())
      return false;
    bool isSigned = !isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
    Content content = fit(get(op.getOperand(0)), from, isSigned);
    if (from.isInteger(1) && isSigned && !isa<arith::TruncIOp>(op))
      content = apply(Binary::Sub, Content::of(Form(0)), content);
    // What does not fit is cut.
    unsigned bits = isa<IndexType>(to) ? 64 : to.getIntOrFloatBitWidth();
    bool isCut = content.form && !content.form->isNumbers() && bits < 32;
    if (isa<arith::TruncIOp>(op) && (bits == 1 || isCut))
      content = apply(Binary::And, content,
                      Content::of(Form((int64_t(1) << bits) - 1)));
    else
      content = fit(content, to, /*isSigned=*/true);
    set(op.getResult(0), content);
    return true;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Content condition = get(select.getCondition());
    set(select, merge(decide(condition), condition, get(select.getTrueValue()),
                      get(select.getFalseValue()), select.getType()));
    return true;
  }
  if (auto affine = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Content> operands;
    for (Value operand : affine.getMapOperands())
      operands.push_back(get(operand));
    set(affine, evaluate(affine.getAffineMap().getResult(0), operands,
                         affine.getAffineMap().getNumDims()));
    return true;
  }
  return false;
}

void Follower::setUnknown(Operation &op) {
  Variance variance = Variance::Block;
  bool isData = false;
  for (Value operand : op.getOperands()) {
    const Content &content = get(operand);
    isData |= content.isData;
    if (isa<MemRefType>(operand.getType()))
      continue;
    variance = std::max(variance, content.getVariance());
  }
  for (Value result : op.getResults())
    set(result, makeUnknown(result.getType(), variance, isData, "value"));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// Whether a warp multiplies matrices that are in its registers.
static bool multipliesMatrices(Operation &op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin().starts_with(kernel::kMatrixIntrinsic);
}

void Follower::charge(Operation &op) {
  if (!notes() || shadow)
    return;
  bool isWork = isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
                isa<affine::AffineApplyOp, gpu::ShuffleOp>(op) ||
                op.getDialect()->getNamespace() == "complex";
  if (!isWork || op.hasTrait<OpTrait::ConstantLike>() ||
      isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return;
  trace.work.push_back({&op, mask, times});
}

void Follower::followOp(Operation &op) {
  charge(op);
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          gpu::GlobalIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp,
          gpu::NumSubgroupsOp, gpu::SubgroupSizeOp>(op))
    return followIds(op);
  if (isa<gpu::BarrierOp>(op)) {
    if (notes()) {
      BarrierEvent event;
      event.op = &op;
      event.mask = mask;
      event.epoch = epoch;
      event.times = times;
      event.isShadow = shadow > 0;
      event.isDivergent = divergent > 0;
      trace.barriers.push_back(std::move(event));
      ++epoch;
    }
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return followAccess(&op, load.getMemRef(), load.getIndices(),
                        load.getType(), true, false, {});
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return followAccess(&op, store.getMemRef(), store.getIndices(),
                        store.getValue().getType(), false, true,
                        store.getValue());
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    return followAccess(&op, update.getMemref(), update.getIndices(),
                        update.getValue().getType(), true, true, {});
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return followAccess(&op, load.getBase(), load.getIndices(), load.getType(),
                        true, false, {});
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return followAccess(&op, store.getBase(), store.getIndices(),
                        store.getValueToStore().getType(), false, true, {});
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    const View &view = getView(dim.getSource());
    Content content;
    content.variance = Variance::Block;
    if (std::optional<int64_t> d = dim.getConstantIndex();
        d && size_t(*d) < view.sizes.size() && view.sizes[*d])
      content.form = view.sizes[*d];
    return set(dim, content);
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    Content value = get(shuffle.getValue());
    bool isSame = (value.form && value.form->isUniform()) ||
                  (!value.form && value.variance == Variance::Block);
    Content offset = get(shuffle.getOffset());
    bool isOneLane = shuffle.getMode() == gpu::ShuffleMode::IDX &&
                     offset.form && offset.form->isUniform();
    set(shuffle.getShuffleResult(), makeUnknown(shuffle.getValue().getType(),
                                                isSame      ? Variance::Block
                                                : isOneLane ? Variance::Warp
                                                            : Variance::Thread,
                                                value.isData, "lane's"));
    return set(shuffle.getValid(), Content::of(Form(1)));
  }
  if (isa<gpu::SubgroupReduceOp>(op)) {
    set(op.getResult(0), makeUnknown(op.getResult(0).getType(), Variance::Warp,
                                     get(op.getOperand(0)).isData, "sum"));
    return;
  }
  if (multipliesMatrices(op)) {
    // What lanes get depends on what all of their warp have.
    setUnknown(op);
    return;
  }
  if (isa<gpu::AllReduceOp>(op)) {
    // It has barriers of its own.
    if (notes()) {
      trace.opaque.push_back(&op);
      ++epoch;
    }
    return set(op.getResult(0), makeUnknown(op.getResult(0).getType(),
                                            Variance::Block, true, "sum"));
  }
  if (followView(op) || followInteger(op))
    return;
  // What touches memory otherwise, or orders it.
  bool isPlain =
      isMemoryEffectFree(&op) || isa<memref::AllocaOp, memref::DeallocOp>(op);
  if (!isPlain && notes())
    trace.opaque.push_back(&op);
  setUnknown(op);
  if (op.getNumRegions() && !isPlain)
    followUnknownRegions(&op);
}
