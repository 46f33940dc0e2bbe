//===- MaskedLoads.cpp - Loads under conditions stay together -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A thread asks for several elements before it waits for the first. Where each
// of them has a condition of its own (the end of a row, what is left of a fold)
// it is a branch around one load:
//
//   if (p) x = load i8 a;      if (q) y = load i8 b;
//   if (p) s += float(x);      if (q) s += float(y);
//
// LLVM moves what is done with a value into the branch that loads it: branches
// of one condition are joined, and a conversion of what two branches give
// becomes a conversion in each. The second load then comes after the first
// one's conversion, and a thread waits for memory once for each element. That
// is so of elements of less than 32 bits, which are converted before they are
// used; others come out of their branches as they are, and the branches stay,
// as they skip the addresses of what is not there.
//
//   x = masked load a, p       y = masked load b, q
//   if (p) s += float(x)       if (q) s += float(y)
//
// A masked load has no branch that something could move into. A side effect
// that is none stands behind it, across which LLVM moves no load into the
// branch that uses its value. (Were the load convergent, nothing would move it,
// either, but loops around it would not be unrolled.) Behind LLVM's passes it
// becomes a branch around a load again, of which `ptxas` makes a load with a
// predicate. Bytes are extended there, by the load itself: what comes out of a
// branch as a byte would be extended once more where it is used.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Memory of the device: what is on chip comes soon.
static constexpr unsigned kGlobal = 1;
/// Instructions besides loads that may run whether the condition holds or not:
/// addresses, and what makes an element of what is stored.
static constexpr unsigned kMostOthers = 24;

namespace {
/// `if (condition) body`, or `if (!condition) body`.
struct Branch {
  BranchInst *branch = nullptr;
  BasicBlock *body = nullptr, *join = nullptr;
  /// From which the join is reached where the body does not run.
  BasicBlock *other = nullptr;
  bool negated = false;
};
} // namespace

/// Whether `block` does nothing but to go on to another one.
static bool isEmpty(const BasicBlock &block) {
  return &block.front() == block.getTerminator();
}

/// Whether elements of `type` are converted before they are used.
static bool isNarrow(const Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  return bits == 8 || bits == 16;
}

/// Whether `block` loads narrow elements, and what it does besides may run
/// anywhere.
static bool holdsLoads(const BasicBlock &block) {
  unsigned loads = 0, others = 0;
  for (const Instruction &op : block) {
    if (op.isTerminator())
      break;
    if (auto *load = dyn_cast<LoadInst>(&op)) {
      if (!load->isSimple() || load->getPointerAddressSpace() != kGlobal ||
          !isNarrow(load->getType()))
        return false;
      ++loads;
    } else if (isa<PHINode>(op) || !isSafeToSpeculativelyExecute(&op)) {
      return false;
    } else {
      ++others;
    }
  }
  return loads && others <= kMostOthers;
}

static Branch findBranch(BasicBlock &block) {
  Branch found;
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return found;
  for (unsigned side : {0, 1}) {
    BasicBlock *body = branch->getSuccessor(side);
    BasicBlock *rest = branch->getSuccessor(1 - side);
    BasicBlock *join = body->getSingleSuccessor();
    if (!join || body->getSinglePredecessor() != &block || !holdsLoads(*body))
      continue;
    BasicBlock *other = &block;
    if (rest != join) {
      if (!isEmpty(*rest) || rest->getSinglePredecessor() != &block ||
          rest->getSingleSuccessor() != join)
        continue;
      other = rest;
    }
    // Nothing else may come to the join, whose values are then the branch's.
    if (!join->hasNPredecessors(2) || join == &block)
      continue;
    return {branch, body, join, other, side == 1};
  }
  return found;
}

/// The load, or `otherwise` where `condition` does not hold.
static Value *createMasked(LoadInst *load, Value *condition, Value *otherwise) {
  IRBuilder<> builder(load);
  auto *vector = dyn_cast<FixedVectorType>(load->getType());
  unsigned lanes = vector ? vector->getNumElements() : 1;
  auto *type =
      vector ? vector : FixedVectorType::get(load->getType(), /*NumElts=*/1);
  Value *mask = builder.CreateVectorSplat(lanes, condition);
  if (!vector)
    otherwise = isa<Constant>(otherwise)
                    ? ConstantVector::getSplat(ElementCount::getFixed(1),
                                               cast<Constant>(otherwise))
                    : builder.CreateVectorSplat(1, otherwise);
  CallInst *masked = builder.CreateMaskedLoad(
      type, load->getPointerOperand(), load->getAlign(), mask, otherwise);
  masked->copyMetadata(*load,
                       {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  builder.CreateIntrinsic(Intrinsic::sideeffect, {});
  return vector ? static_cast<Value *>(masked)
                : builder.CreateExtractElement(masked, uint64_t(0));
}

/// Runs the body of `found` always, its loads under their condition.
static void flatten(const Branch &found) {
  Instruction *end = found.branch;
  BasicBlock *block = end->getParent();
  IRBuilder<> builder(end);
  Value *condition = found.branch->getCondition();
  if (found.negated)
    condition = builder.CreateNot(condition);
  for (Instruction &op : make_early_inc_range(*found.body)) {
    if (op.isTerminator())
      break;
    op.moveBefore(end->getIterator());
    auto *load = dyn_cast<LoadInst>(&op);
    if (!load)
      continue;
    // Most often the load is what the branch gives.
    Value *otherwise = Constant::getNullValue(load->getType());
    for (PHINode &phi : found.join->phis())
      if (phi.getIncomingValueForBlock(found.body) == load)
        otherwise = phi.getIncomingValueForBlock(found.other);
    Value *masked = createMasked(load, condition, otherwise);
    for (PHINode &phi : make_early_inc_range(found.join->phis()))
      if (phi.getIncomingValueForBlock(found.body) == load &&
          phi.getIncomingValueForBlock(found.other) == otherwise) {
        phi.replaceAllUsesWith(masked);
        phi.eraseFromParent();
      }
    load->replaceAllUsesWith(masked);
    load->eraseFromParent();
  }
  for (PHINode &phi : make_early_inc_range(found.join->phis())) {
    Value *inside = phi.getIncomingValueForBlock(found.body);
    Value *outside = phi.getIncomingValueForBlock(found.other);
    phi.replaceAllUsesWith(
        inside == outside ? inside
                          : builder.CreateSelect(condition, inside, outside));
    phi.eraseFromParent();
  }
  builder.CreateBr(found.join);
  end->eraseFromParent();
  found.body->eraseFromParent();
  if (found.other != block)
    found.other->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Behind LLVM's passes
//===----------------------------------------------------------------------===//

/// Has those who use the byte in `word` extended use the word: a conversion of
/// 32 bits to a float is four times as fast as one of 16.
static void extend(PHINode *word) {
  for (User *byte : make_early_inc_range(word->users())) {
    if (!isa<TruncInst>(byte))
      continue;
    for (User *user : make_early_inc_range(byte->users())) {
      auto *op = cast<Instruction>(user);
      IRBuilder<> builder(op);
      Value *wide = nullptr;
      if (isa<UIToFPInst>(op))
        wide = builder.CreateUIToFP(word, op->getType());
      else if (isa<ZExtInst>(op))
        wide = builder.CreateZExtOrTrunc(word, op->getType());
      if (!wide)
        continue;
      op->replaceAllUsesWith(wide);
      op->eraseFromParent();
    }
    if (byte->use_empty())
      cast<Instruction>(byte)->eraseFromParent();
  }
}

/// Writes `masked` as a branch around a load, if all lanes have one condition.
static void expand(IntrinsicInst &masked) {
  auto *type = cast<FixedVectorType>(masked.getType());
  Value *condition = getSplatValue(masked.getArgOperand(1));
  if (!condition && type->getNumElements() == 1)
    condition = IRBuilder<>(&masked).CreateExtractElement(
        masked.getArgOperand(1), uint64_t(0));
  if (!condition)
    return;
  // One lane is no vector.
  Type *loaded = type->getNumElements() == 1 ? type->getElementType() : type;
  Type *given =
      loaded->isIntegerTy(8) ? Type::getInt32Ty(masked.getContext()) : loaded;
  IRBuilder<> builder(&masked);
  Value *otherwise = masked.getArgOperand(2);
  if (loaded != type)
    otherwise = builder.CreateExtractElement(otherwise, uint64_t(0));
  if (given != loaded)
    otherwise = builder.CreateZExt(otherwise, given);
  BasicBlock *before = masked.getParent();
  Instruction *end =
      SplitBlockAndInsertIfThen(condition, &masked, /*Unreachable=*/false);
  builder.SetInsertPoint(end);
  LoadInst *load = builder.CreateAlignedLoad(
      loaded, masked.getArgOperand(0), masked.getParamAlign(0).valueOrOne());
  load->copyMetadata(masked,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  Value *value = builder.CreateZExtOrBitCast(load, given);
  builder.SetInsertPoint(&masked);
  PHINode *phi = builder.CreatePHI(given, 2);
  phi->addIncoming(value, end->getParent());
  phi->addIncoming(otherwise, before);
  Value *result = phi;
  if (given != loaded)
    result = builder.CreateTrunc(phi, loaded);
  if (loaded != type) {
    for (User *user : make_early_inc_range(masked.users()))
      if (auto *element = dyn_cast<ExtractElementInst>(user)) {
        element->replaceAllUsesWith(result);
        element->eraseFromParent();
      }
    if (!masked.use_empty())
      result = builder.CreateInsertElement(PoisonValue::get(type), result,
                                           uint64_t(0));
  }
  if (!masked.use_empty())
    masked.replaceAllUsesWith(result);
  masked.eraseFromParent();
  if (given != loaded)
    extend(phi);
}

void arrc::ptx::unmaskLoads(Module &module) {
  SmallVector<IntrinsicInst *> loads;
  for (Function &function : module)
    for (Instruction &op : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&op);
      if (call && call->getIntrinsicID() == Intrinsic::masked_load)
        loads.push_back(call);
      else if (call && call->getIntrinsicID() == Intrinsic::sideeffect)
        call->eraseFromParent();
    }
  for (IntrinsicInst *load : loads)
    expand(*load);
}

//===----------------------------------------------------------------------===//
// In front of them
//===----------------------------------------------------------------------===//

PreservedAnalyses arrc::ptx::MaskLoads::run(Function &function,
                                            FunctionAnalysisManager &) {
  bool changed = false;
  // Only blocks behind the one at hand go away.
  for (auto next = function.begin(); next != function.end();) {
    if (Branch found = findBranch(*next); found.branch) {
      flatten(found);
      changed = true;
    }
    ++next;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
