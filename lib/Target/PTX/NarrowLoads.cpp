//===- NarrowLoads.cpp - Vectors of what is read and no more --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's load-store vectorizer widens three neighbours to a vector of four, and
// fills gaps between neighbours, by a masked load:
//
//   %v = load <4 x half> %p, mask (1, 1, 1, 0)
//
// PTX has no such load. The code generator reads all of it, six bytes past the
// end of an array where `%p` is its last element but two. So the masked loads
// are taken apart behind that vectorizer, where nothing joins them again:
//
//   %a = load <2 x half> %p
//   %b = load half       %p + 4
//
// Of a gap between neighbours every byte belongs to the array, and one vector
// costs no more than its parts. It stays where nobody writes to the array while
// the kernel runs: elsewhere other threads may be writing what is in the gap.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Pass.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <memory>

/// The lanes of `load` that are read; empty where they are not known.
static llvm::SmallBitVector getLanes(llvm::IntrinsicInst &load) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  auto *mask = llvm::dyn_cast<llvm::Constant>(load.getArgOperand(1));
  if (!type || !mask)
    return {};
  llvm::SmallBitVector lanes(type->getNumElements());
  for (unsigned i = 0; i < lanes.size(); ++i) {
    llvm::Constant *bit = mask->getAggregateElement(i);
    if (!bit || !llvm::isa<llvm::ConstantInt>(bit))
      return {};
    lanes[i] = !bit->isNullValue();
  }
  return lanes;
}

bool arrc::ptx::isConstantMemory(const llvm::Value *pointer) {
  // Unrolled loops make long chains of addresses.
  auto *argument = llvm::dyn_cast<llvm::Argument>(
      llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0));
  return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
}

/// How many lanes from `first` on are one load: a power of two, from which
/// nothing sticks out behind `last`.
static unsigned getPiece(const llvm::SmallBitVector &lanes, unsigned first,
                         unsigned last, llvm::Align align, uint64_t bytes,
                         bool keepGaps) {
  for (unsigned size = llvm::bit_floor(last - first + 1); size > 1; size /= 2) {
    if (llvm::commonAlignment(align, first * bytes) < size * bytes)
      continue;
    unsigned read = 0;
    for (unsigned i = first; i < first + size; ++i)
      read += lanes[i];
    if (read == size || (keepGaps && read > 1))
      return size;
  }
  return 1;
}

static void takeApart(llvm::IntrinsicInst &load) {
  llvm::SmallBitVector lanes = getLanes(load);
  if (lanes.empty())
    return;
  llvm::Value *pointer = load.getArgOperand(0);
  llvm::Value *result = load.getArgOperand(2);
  llvm::Type *element = load.getType()->getScalarType();
  uint64_t bytes = load.getDataLayout().getTypeStoreSize(element);
  llvm::Align align = load.getParamAlign(0).valueOrOne();
  bool keepGaps = arrc::ptx::isConstantMemory(pointer);

  llvm::IRBuilder<> builder(&load);
  int last = lanes.find_last();
  for (int at = lanes.find_first(); at >= 0;) {
    unsigned size = getPiece(lanes, at, last, align, bytes, keepGaps);
    llvm::Value *address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), pointer, at * bytes);
    llvm::Type *type =
        size == 1 ? element : llvm::FixedVectorType::get(element, size);
    llvm::LoadInst *piece = builder.CreateAlignedLoad(
        type, address, llvm::commonAlignment(align, at * bytes));
    piece->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope,
                               llvm::LLVMContext::MD_noalias,
                               llvm::LLVMContext::MD_invariant_load});
    for (unsigned i = 0; i < size; ++i)
      if (lanes[at + i])
        result = builder.CreateInsertElement(
            result, size == 1 ? piece : builder.CreateExtractElement(piece, i),
            at + i);
    at = lanes.find_next(at + size - 1);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

namespace {
struct NarrowLoads : llvm::FunctionPass {
  static char ID;
  NarrowLoads() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Narrow loads"; }

  bool runOnFunction(llvm::Function &function) override {
    bool changed = false;
    for (llvm::Instruction &op :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *load = llvm::dyn_cast<llvm::IntrinsicInst>(&op);
          load && load->getIntrinsicID() == llvm::Intrinsic::masked_load) {
        takeApart(*load);
        changed = true;
      }
    return changed;
  }
};
} // namespace

char NarrowLoads::ID = 0;

void arrc::ptx::narrowLoads() {
  static llvm::RegisterTargetPassConfigCallback callback(
      [](llvm::TargetMachine &machine, llvm::legacy::PassManagerBase &,
         llvm::TargetPassConfig *config) {
        // Without optimisation nothing joins loads.
        if (!machine.getTargetTriple().isNVPTX() ||
            machine.getOptLevel() == llvm::CodeGenOptLevel::None)
          return;
        std::unique_ptr<llvm::Pass> joins(
            llvm::createLoadStoreVectorizerPass());
        config->insertPass(joins->getPassID(), new NarrowLoads());
      });
}
