//===- Legalize.cpp - The last changes before LLVM's SPIR-V backend -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Runs after LLVM's passes, because these undo or cause what is handled here:
//
//   fdiv, sqrt of float   in double, and rounded: OpenCL allows 2.5 units in
//                         the last place, double is exact enough to round
//                         once; by integers where there is no double
//   arithmetic on half    in float, and rounded: half may be less exact
//   odd vectors           in scalars: SPIR-V has 2, 3, 4, 8 and 16 lanes
//   switch                as comparisons: some drivers take no OpSwitch
//   memset                as a loop: the backend calls a function of a name
//                         that not every reader takes
//   numbers of one bit    as truth values
//   hints                 dropped: assumptions, lifetimes, scopes, names
//
// What is left that the backend cannot take, `findIllegal` finds: the backend
// itself would end the process.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;
using namespace arrc::target;

/// True for what only informs optimisers.
static bool isHint(const Instruction &inst) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() ||
                       intrinsic->getIntrinsicID() == Intrinsic::assume ||
                       intrinsic->getIntrinsicID() ==
                           Intrinsic::experimental_noalias_scope_decl);
}

static void dropHints(Function &function) {
  SmallVector<WeakTrackingVH> operands;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isHint(inst))
      continue;
    for (Value *operand : inst.operands())
      operands.push_back(operand);
    inst.eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
}

/// Sums and differences that say whether they wrapped, by a comparison: readers
/// of SPIR-V exist that do not know OpIAddCarry.
static void expandCarries(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *carry = dyn_cast<WithOverflowInst>(&inst);
    if (!carry || carry->isSigned() || carry->getBinaryOp() == Instruction::Mul)
      continue;
    IRBuilder<> b(carry);
    Value *x = carry->getLHS(), *y = carry->getRHS();
    Value *result = b.CreateBinOp(carry->getBinaryOp(), x, y);
    Value *isWrapped = carry->getBinaryOp() == Instruction::Add
                           ? b.CreateICmpULT(result, x)
                           : b.CreateICmpULT(x, y);
    Value *both = PoisonValue::get(carry->getType());
    both = b.CreateInsertValue(both, result, 0);
    both = b.CreateInsertValue(both, isWrapped, 1);
    // Almost always each is read alone.
    for (User *user : make_early_inc_range(carry->users()))
      if (auto *part = dyn_cast<ExtractValueInst>(user)) {
        part->replaceAllUsesWith(part->getIndices()[0] ? isWrapped : result);
        part->eraseFromParent();
      }
    carry->replaceAllUsesWith(both);
    carry->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(both);
  }
}

/// The result of `inst` computed in `wide` and rounded.
static void computeWider(Instruction &inst, Type *wide) {
  IRBuilder<> b(&inst);
  Type *type = inst.getType();
  if (auto *vector = dyn_cast<VectorType>(type))
    wide = VectorType::get(wide, vector->getElementCount());
  Instruction *copy = inst.clone();
  SmallVector<Value *> operands;
  for (Value *operand : inst.operands())
    operands.push_back(operand->getType() == type ? b.CreateFPExt(operand, wide)
                                                  : operand);
  Value *result;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
    operands.pop_back();
    result = b.CreateIntrinsic(intrinsic->getIntrinsicID(), {wide}, operands);
  } else {
    for (auto [number, operand] : enumerate(operands))
      copy->setOperand(number, operand);
    copy->mutateType(wide);
    result = b.Insert(copy);
    copy = nullptr;
  }
  if (copy)
    copy->deleteValue();
  Value *rounded = b.CreateFPTrunc(result, type);
  inst.replaceAllUsesWith(rounded);
  inst.eraseFromParent();
}

static bool isSqrt(const Instruction &inst) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::sqrt;
}

/// True for arithmetic on floats that rounds.
static bool isRounded(const Instruction &inst) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return intrinsic->getIntrinsicID() == Intrinsic::sqrt ||
           intrinsic->getIntrinsicID() == Intrinsic::fma ||
           intrinsic->getIntrinsicID() == Intrinsic::fmuladd;
  return isa<BinaryOperator>(inst) && inst.getType()->isFPOrFPVectorTy();
}

static void roundExactly(Function &function, const opencl::Facts &facts) {
  SmallVector<Instruction *> halves, floats;
  for (Instruction &inst : instructions(function))
    if (inst.getType()->getScalarType()->isHalfTy() && isRounded(inst))
      halves.push_back(&inst);
  for (Instruction *inst : halves)
    computeWider(*inst, Type::getFloatTy(function.getContext()));
  if (facts.isExactF32)
    return;
  for (Instruction &inst : instructions(function)) {
    if (!inst.getType()->getScalarType()->isFloatTy())
      continue;
    bool isDivision = inst.getOpcode() == Instruction::FDiv;
    if ((isDivision && !inst.hasAllowReciprocal() && !inst.hasApproxFunc()) ||
        (isSqrt(inst) && !inst.hasApproxFunc()))
      floats.push_back(&inst);
  }
  for (Instruction *inst : floats)
    if (facts.hasF64)
      computeWider(*inst, Type::getDoubleTy(function.getContext()));
    else
      opencl::computeByIntegers(*inst);
}

static void expandMemSets(Function &function) {
  SmallVector<MemSetInst *> sets;
  for (Instruction &inst : instructions(function))
    if (auto *set = dyn_cast<MemSetInst>(&inst))
      sets.push_back(set);
  for (MemSetInst *set : sets) {
    expandMemSetAsLoop(set);
    set->eraseFromParent();
  }
}

/// Names of values and blocks would stand in the image, and nobody reads them.
static void dropNames(Function &function) {
  for (BasicBlock &block : function) {
    block.setName("");
    for (Instruction &inst : block)
      inst.setName("");
  }
}

static bool isLegalVector(Type *type) {
  auto *vector = dyn_cast<VectorType>(type);
  if (!vector)
    return true;
  auto *fixed = dyn_cast<FixedVectorType>(vector);
  return fixed && is_contained({2u, 3u, 4u, 8u, 16u}, fixed->getNumElements());
}

/// True if every type of an operand or of the result passes.
template <typename Test>
static bool allTypes(const Instruction &inst, Test test) {
  return test(inst.getType()) && all_of(inst.operands(), [&](const Use &use) {
           return isa<BasicBlock>(use.get()) || test(use->getType());
         });
}

static bool hasOddVectors(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) {
    return !allTypes(inst, isLegalVector);
  });
}

namespace {
/// What passes ask for.
struct Analyses {
  Analyses() {
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
};
} // namespace

void opencl::simplify(llvm::Module &module, Effort effort) {
  Analyses analyses;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  if (effort == Effort::Some) {
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(GVNPass());
  }
  passes.addPass(InstSimplifyPass());
  passes.addPass(DCEPass());
  passes.addPass(SimplifyCFGPass());
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
}

void opencl::legalize(llvm::Module &module, const Facts &facts) {
  Analyses analyses;
  // Functions that are added on the way are legal as they are.
  SmallVector<Function *> defined;
  for (Function &function : module)
    if (!function.isDeclaration())
      defined.push_back(&function);
  for (Function *each : defined) {
    Function &function = *each;
    dropHints(function);
    expandMemSets(function);
    expandCarries(function);
    expandBooleans(function);
    FunctionPassManager passes;
    passes.addPass(LowerSwitchPass());
    if (hasOddVectors(function)) {
      ScalarizerPassOptions options;
      options.ScalarizeVariableInsertExtract = true;
      options.ScalarizeLoadStore = true;
      passes.addPass(ScalarizerPass(options));
      passes.addPass(DCEPass());
    }
    passes.run(function, analyses.functions);
    roundExactly(function, facts);
    dropNames(function);
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

static bool isLegalType(Type *type) {
  if (!isLegalVector(type))
    return false;
  type = type->getScalarType();
  if (type->isIntegerTy())
    return is_contained({1u, 8u, 16u, 32u, 64u}, type->getIntegerBitWidth());
  return !type->isBFloatTy() && !type->isFP128Ty() && !type->isX86_FP80Ty();
}

/// True for intrinsics that the backend has one instruction or one sequence
/// for.
static bool isLegalIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::sadd_sat:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::sqrt:
  case Intrinsic::ssub_sat:
  case Intrinsic::trunc:
  case Intrinsic::uadd_sat:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::usub_sat:
    return true;
  default:
    return false;
  }
}

std::string opencl::findIllegal(const llvm::Module &module) {
  if (!module.global_empty())
    return "a table of constants";
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      if (!allTypes(inst, isLegalType)) {
        std::string text;
        raw_string_ostream(text) << "a value of type " << *inst.getType();
        return text;
      }
      if (isa<PHINode, SelectInst>(inst) && inst.getType()->isAggregateType())
        return "a choice between structs";
      auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
      if (intrinsic && !isLegalIntrinsic(intrinsic->getIntrinsicID()))
        return intrinsic->getCalledFunction()->getName().str();
    }
  return "";
}
