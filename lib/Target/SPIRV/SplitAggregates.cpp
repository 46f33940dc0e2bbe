//===- SplitAggregates.cpp - Complex numbers as two values ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's SPIR-V backend loses the types of phis whose values are structs, which
// is what complex numbers carried by loops are. So each phi and each select of
// a struct becomes one of every member, before LLVM's passes, which drop the
// insertions and extractions that are left:
//
//   %z = phi { float, float } [ %a, .. ], [ %b, .. ]
//
//   %re = phi float [ (extractvalue %a, 0), .. ], [ (extractvalue %b, 0), .. ]
//   %im = phi float [ (extractvalue %a, 1), .. ], ..
//   %z = insertvalue (insertvalue poison, %re, 0), %im, 1
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static void splitPhi(PHINode &phi) {
  auto *type = cast<StructType>(phi.getType());
  IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value *whole = PoisonValue::get(type);
  for (unsigned member = 0; member < type->getNumElements(); ++member) {
    PHINode *part =
        PHINode::Create(type->getElementType(member),
                        phi.getNumIncomingValues(), "", phi.getIterator());
    for (auto [value, block] : zip(phi.incoming_values(), phi.blocks())) {
      IRBuilder<> at(block->getTerminator());
      part->addIncoming(at.CreateExtractValue(value, member), block);
    }
    whole = b.CreateInsertValue(whole, part, member);
  }
  // The extractions that read this phi itself read the whole now.
  phi.replaceAllUsesWith(whole);
  phi.eraseFromParent();
}

static void splitSelect(SelectInst &select) {
  auto *type = cast<StructType>(select.getType());
  IRBuilder<> b(&select);
  Value *whole = PoisonValue::get(type);
  for (unsigned member = 0; member < type->getNumElements(); ++member) {
    Value *part =
        b.CreateSelect(select.getCondition(),
                       b.CreateExtractValue(select.getTrueValue(), member),
                       b.CreateExtractValue(select.getFalseValue(), member));
    whole = b.CreateInsertValue(whole, part, member);
  }
  select.replaceAllUsesWith(whole);
  select.eraseFromParent();
}

void arrc::target::opencl::splitAggregates(llvm::Module &module) {
  for (Function &function : module) {
    SmallVector<PHINode *> phis;
    SmallVector<SelectInst *> selects;
    for (Instruction &inst : instructions(function)) {
      if (!inst.getType()->isStructTy())
        continue;
      if (auto *phi = dyn_cast<PHINode>(&inst))
        phis.push_back(phi);
      else if (auto *select = dyn_cast<SelectInst>(&inst))
        selects.push_back(select);
    }
    for (PHINode *phi : phis)
      splitPhi(*phi);
    for (SelectInst *select : selects)
      splitSelect(*select);
  }
}
