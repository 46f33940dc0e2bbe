//===- Conversions.cpp - Floats of narrow integers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A multiprocessor converts 64 integers of 32 bits to f32 a cycle, but 16 of 8
// or 16 bits: a sum over bytes waits for its conversions. So they are extended
// first, which the load does by itself:
//
//   ld.global.nc.b8  %rs1, [%rd1];          ld.global.nc.b8  %r1, [%rd1];
//   cvt.rn.f32.u16   %r1, %rs1;             cvt.rn.f32.u32   %r2, %r1;
//
// LLVM takes a conversion of what is extended for one of the narrow integer, so
// it is written when LLVM's passes are done. f64 is as slow from any width.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

/// Whether `op` makes f32 of integers of 8 or 16 bits.
static bool isNarrowConversion(const llvm::Instruction &op) {
  if (!llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(op) ||
      !op.getType()->getScalarType()->isFloatTy())
    return false;
  unsigned bits = op.getOperand(0)->getType()->getScalarSizeInBits();
  return bits == 8 || bits == 16;
}

void arrc::ptx::widenConversions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &op :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!isNarrowConversion(op))
        continue;
      llvm::Value *narrow = op.getOperand(0);
      llvm::IRBuilder<> builder(&op);
      llvm::Type *wide =
          narrow->getType()->getWithNewType(builder.getInt32Ty());
      op.setOperand(0, llvm::isa<llvm::SIToFPInst>(op)
                           ? builder.CreateSExt(narrow, wide)
                           : builder.CreateZExt(narrow, wide));
    }
}
