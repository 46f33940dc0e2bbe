//===- Divisions.cpp - Divisions side by side -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// ptxas writes a division as an approximate reciprocal, some products and sums
// on it, each waiting for the one before, and a test with a call of what
// divides numbers that are too large or too small for that. The test ends
// a block of code: divisions that do not depend on each other run one after the
// other, and a warp waits for each. Here up to four of them are written out, so
// that their chains run side by side, with one test for all:
//
//   y = rcp(b), refined (f64: twice); q = a * y; q += (a - q * b) * y
//   if not all quotients and dividends are in range: a / b, as before
//
// Divisions by one value share y, wherever they stand in a block. Those that
// stand apart are moved behind the first, with the little that they need.
//
// Legal, bit by bit. The reciprocal is correctly rounded but where b has all
// bits set, the quotient before the last sum has an error below one unit, and
// the remainder is exact: then the last sum is the quotient correctly rounded
// (Markstein). The remainder is exact where the dividend is at least 2^-969
// (f32: 2^-100), which leaves it 105 bits (49), and the quotient a normal
// number. In f32 that was held against 55 million quotients, with reciprocals
// one unit off to either side. Divisors without such a reciprocal (too small,
// infinite, NaN) end as NaN or zero, as quotients too small do. Zeros are no
// quotients in range either, but common: a positive zero divided by what has a
// reciprocal comes out with the right sign.
//
// Pays where two divisions stand together, or one divides by what another has
// divided by.
//
// Source: Markstein, "Computation of elementary functions on the IBM RISC
// System/6000 processor" (1990).
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Divisions that are tested together: enough to hide the latency of one chain
/// behind the others, few enough for registers.
static constexpr size_t kGroup = 4;
/// How far behind a division others are looked for, and how much may have to be
/// computed before them: what is early is alive for long.
static constexpr unsigned kAhead = 64, kSlice = 12;
namespace {
/// A type of numbers.
struct Format {
  bool isDouble;
  /// The high words of the least dividend with an exact remainder, of the least
  /// normal number, and of the first quotients that are called too large.
  uint32_t leastDividend, leastQuotient, largeQuotient;
};
} // namespace

static constexpr Format kFormats[] = {
    {/*isDouble=*/true, 0x03600000, 0x00100000, 0x7f800000},
    {/*isDouble=*/false, 0x0d800000, 0x00800000, 0x7f000000}};

namespace {
/// The divisions of one format in a function, block by block.
class Divider {
public:
  Divider(llvm::Function &function, const Format &format)
      : function(function), format(format), builder(function.getContext()) {}
  void run();

private:
  using Group = llvm::SmallVector<Instruction *, kGroup>;

  /// Moves independent divisions of a block next to each other.
  void gather(BasicBlock &block);
  bool runOnBlock(BasicBlock &block);
  /// Writes the group out in front of `place`; its block ends there.
  void write(const Group &group, Instruction *place);
  bool isDivision(const Instruction &op) const;
  /// The reciprocal of `divisor`, refined to all bits.
  Value *getReciprocal(Value *divisor);
  Value *getFma(Value *a, Value *b, Value *c);
  llvm::IntegerType *getBitsType() {
    return builder.getIntNTy(format.isDouble ? 64 : 32);
  }
  /// The high word without its sign.
  Value *getHighWord(Value *number);
  Value *isBetween(Value *word, uint32_t least, uint32_t end);
  /// Whether the quotient is rounded correctly.
  Value *isExact(Value *quotient, Value *dividend);

  llvm::Function &function;
  const Format &format;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<Value *, Value *> reciprocals;
};
} // namespace

bool Divider::isDivision(const Instruction &op) const {
  if (op.getOpcode() != Instruction::FDiv ||
      isa<llvm::Constant>(op.getOperand(1)))
    return false;
  // What may be approximate is one instruction in f32.
  return format.isDouble ? op.getType()->isDoubleTy()
                         : op.getType()->isFloatTy() && !op.hasApproxFunc();
}

/// Whether a block does nothing else: it is what runs where some quotient of a
/// group is out of range.
static bool onlyDivides(const BasicBlock &block) {
  return llvm::all_of(block, [](const Instruction &op) {
    return op.isTerminator() || op.getOpcode() == Instruction::FDiv;
  });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

Value *Divider::getFma(Value *a, Value *b, Value *c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()},
                                 {a, b, c});
}

Value *Divider::getReciprocal(Value *divisor) {
  Value *&known = reciprocals[divisor];
  if (known)
    return known;
  Value *one = llvm::ConstantFP::get(divisor->getType(), 1.0);
  Value *minus = builder.CreateFNeg(divisor);
  Value *guess = builder.CreateIntrinsic(
      format.isDouble ? llvm::Intrinsic::nvvm_rcp_approx_ftz_d
                      : llvm::Intrinsic::nvvm_rcp_approx_ftz_f,
      {}, {divisor});
  Value *error = getFma(minus, guess, one);
  if (format.isDouble) {
    error = getFma(error, error, error);
    guess = getFma(error, guess, guess);
    error = getFma(minus, guess, one);
  }
  return known = getFma(error, guess, guess);
}

Value *Divider::getHighWord(Value *number) {
  Value *high = builder.CreateBitCast(number, getBitsType());
  if (format.isDouble)
    high =
        builder.CreateTrunc(builder.CreateLShr(high, 32), builder.getInt32Ty());
  return builder.CreateAnd(high, 0x7fffffff);
}

Value *Divider::isBetween(Value *word, uint32_t least, uint32_t end) {
  return builder.CreateICmpULT(builder.CreateSub(word, builder.getInt32(least)),
                               builder.getInt32(end - least));
}

Value *Divider::isExact(Value *quotient, Value *dividend) {
  if (format.isDouble)
    return builder.CreateAnd(
        isBetween(getHighWord(quotient), format.leastQuotient,
                  format.largeQuotient),
        builder.CreateICmpUGE(getHighWord(dividend),
                              builder.getInt32(format.leastDividend)));
  // Comparisons of f32 take absolute values for nothing.
  auto get = [&](uint32_t bits) {
    return llvm::ConstantFP::get(
        quotient->getType(),
        llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits)));
  };
  Value *size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, quotient);
  Value *given = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, dividend);
  return builder.CreateAnd(
      builder.CreateAnd(builder.CreateFCmpOGE(size, get(format.leastQuotient)),
                        builder.CreateFCmpOLT(size, get(format.largeQuotient))),
      builder.CreateFCmpOGE(given, get(format.leastDividend)));
}

void Divider::write(const Group &group, Instruction *place) {
  builder.SetInsertPoint(place);
  llvm::SmallVector<Value *, kGroup> quotients, fits;
  Value *good = nullptr;
  auto join = [&](Value *all, Value *one) {
    return all ? builder.CreateAnd(all, one) : one;
  };
  for (Instruction *op : group) {
    Value *a = op->getOperand(0), *b = op->getOperand(1);
    Value *y = getReciprocal(b);
    Value *guess = builder.CreateFMul(a, y);
    Value *rest = getFma(builder.CreateFNeg(b), guess, a);
    quotients.push_back(getFma(rest, y, guess));
  }
  for (auto [op, quotient] : llvm::zip(group, quotients)) {
    Value *fit = isExact(quotient, op->getOperand(0));
    fits.push_back(fit);
    good = join(good, fit);
  }

  BasicBlock *head = place->getParent();
  BasicBlock *tail = head->splitBasicBlock(place);
  llvm::LLVMContext &context = function.getContext();
  auto *zeros = BasicBlock::Create(context, "", &function, tail);
  auto *others = BasicBlock::Create(context, "", &function, tail);
  llvm::MDNode *likely = llvm::MDBuilder(context).createLikelyBranchWeights();
  head->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(head);
  builder.CreateCondBr(good, tail, zeros, likely);

  builder.SetInsertPoint(zeros);
  good = nullptr;
  for (auto [op, quotient, fit] : llvm::zip(group, quotients, fits)) {
    Value *bits = builder.CreateBitCast(op->getOperand(0), getBitsType());
    Value *zero = builder.CreateAnd(
        builder.CreateICmpEQ(bits, llvm::ConstantInt::get(getBitsType(), 0)),
        builder.CreateFCmpORD(quotient, quotient));
    good = join(good, builder.CreateOr(fit, zero));
  }
  builder.CreateCondBr(good, tail, others);

  builder.SetInsertPoint(others);
  llvm::SmallVector<Value *, kGroup> divided;
  for (Instruction *op : group)
    divided.push_back(builder.CreateFDiv(op->getOperand(0), op->getOperand(1)));
  builder.CreateBr(tail);

  builder.SetInsertPoint(tail, tail->begin());
  for (auto [op, quotient, slow] : llvm::zip(group, quotients, divided)) {
    llvm::PHINode *result = builder.CreatePHI(op->getType(), 3);
    result->addIncoming(quotient, head);
    result->addIncoming(quotient, zeros);
    result->addIncoming(slow, others);
    op->replaceAllUsesWith(result);
    // A quotient may be the divisor of others.
    op->eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// What has to stand in front of `first` so that `op`, behind it, can stand
/// behind `last`: all is computed of what stands there. False if that cannot
/// be.
static bool findSlice(Instruction *op, Instruction *first, Instruction *last,
                      bool writes,
                      llvm::SmallVectorImpl<Instruction *> &slice) {
  llvm::SmallVector<Instruction *> work{op};
  while (!work.empty()) {
    for (Value *operand : work.pop_back_val()->operands()) {
      auto *needed = dyn_cast<Instruction>(operand);
      if (!needed || needed->getParent() != first->getParent() ||
          needed->comesBefore(first) || llvm::is_contained(slice, needed))
        continue;
      auto *call = dyn_cast<llvm::CallBase>(needed);
      // Up to `last` there are divisions of the group alone.
      if (!last->comesBefore(needed) || isa<llvm::PHINode>(needed) ||
          needed->mayHaveSideEffects() || (call && call->isConvergent()) ||
          (writes && needed->mayReadFromMemory()) || slice.size() == kSlice)
        return false;
      slice.push_back(needed);
      work.push_back(needed);
    }
  }
  llvm::sort(slice, [](Instruction *left, Instruction *right) {
    return left->comesBefore(right);
  });
  return true;
}

void Divider::gather(BasicBlock &block) {
  for (Instruction *first = &block.front(); first;
       first = first->getNextNode()) {
    if (!isDivision(*first))
      continue;
    Instruction *last = first;
    size_t count = 1;
    unsigned distance = 0;
    bool writes = false;
    for (Instruction *op = first->getNextNode(), *next;
         op && count < kGroup && distance < kAhead; op = next, ++distance) {
      next = op->getNextNode();
      writes |= op->mayWriteToMemory();
      llvm::SmallVector<Instruction *, kSlice> slice;
      if (!isDivision(*op) || !findSlice(op, first, last, writes, slice))
        continue;
      for (Instruction *needed : slice)
        needed->moveBefore(first->getIterator());
      if (last->getNextNode() != op)
        op->moveAfter(last);
      last = op;
      ++count;
    }
    first = last;
  }
}

bool Divider::runOnBlock(BasicBlock &block) {
  Group group;
  for (Instruction &op : block) {
    bool uses = llvm::any_of(op.operands(), [&](const llvm::Use &operand) {
      return llvm::is_contained(group, operand.get());
    });
    bool ends = op.isTerminator() || uses;
    if (!ends && isDivision(op)) {
      group.push_back(&op);
      if (group.size() < kGroup)
        continue;
      ends = true;
    }
    if (!ends || group.empty())
      continue;
    bool pays =
        group.size() > 1 || reciprocals.contains(group.front()->getOperand(1));
    if (pays) {
      // Divisions that complete a group stand in front of what is next.
      write(group, group.back() == &op ? op.getNextNode() : &op);
      return true;
    }
    group.clear();
    if (isDivision(op))
      group.push_back(&op);
  }
  return false;
}

void Divider::run() {
  llvm::SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : function)
    if (!onlyDivides(block))
      blocks.push_back(&block);
  for (BasicBlock *block : blocks) {
    gather(*block);
    reciprocals.clear();
    // What is behind a group is a block of its own, and the same to us.
    while (block && runOnBlock(*block))
      block = block->getTerminator()->getSuccessor(0);
  }
}

void arrc::ptx::divideTogether(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      for (const Format &format : kFormats)
        Divider(function, format).run();
}
