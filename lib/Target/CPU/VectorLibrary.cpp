//===- VectorLibrary.cpp - Math functions on SIMD registers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's own table for glibc's libmvec stops at 256 bits and at six functions
// (those of glibc 2.22). Added here: the 512-bit entries, and the functions
// that glibc 2.35 brought. All are within 4 ulp by glibc's promise. The
// exponential of floats needs no call where there is a fused multiplication
// (InlineExp.cpp).
//
//===----------------------------------------------------------------------===//

#include "VectorLibrary.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Frontend/Driver/CodeGenOptions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <deque>
#include <vector>

using namespace llvm;

namespace {
/// A function of one or two arguments in libmvec, and LLVM's intrinsic for it
/// if there is one.
struct VectorFunction {
  const char *name, *intrinsic;
  unsigned arguments;
  /// In LLVM's table already, up to 256 bits.
  bool known;
};
} // namespace

static constexpr VectorFunction functions[] = {
    {"sin", "sin", 1, true},      {"cos", "cos", 1, true},
    {"tan", "tan", 1, true},      {"exp", "exp", 1, true},
    {"log", "log", 1, true},      {"pow", "pow", 2, true},
    {"acos", "acos", 1, false},   {"asin", "asin", 1, false},
    {"atan", "atan", 1, false},   {"atan2", "atan2", 2, false},
    {"acosh", nullptr, 1, false}, {"asinh", nullptr, 1, false},
    {"atanh", nullptr, 1, false}, {"cosh", "cosh", 1, false},
    {"sinh", "sinh", 1, false},   {"tanh", "tanh", 1, false},
    {"cbrt", nullptr, 1, false},  {"erf", nullptr, 1, false},
    {"erfc", nullptr, 1, false},  {"exp2", "exp2", 1, false},
    {"expm1", nullptr, 1, false}, {"log1p", nullptr, 1, false},
    {"log2", "log2", 1, false},   {"log10", "log10", 1, false},
    {"hypot", nullptr, 2, false},
};

namespace {
/// The additional entries for one kind of processor, and the names that they
/// refer to.
struct Additions {
  Additions(bool avx2, bool avx512);
  Additions(const Additions &) = delete; // the names would stay behind
  std::vector<VecDesc> table;

private:
  StringRef keep(std::string text) {
    return names.emplace_back(std::move(text));
  }
  void add(const VectorFunction &f, bool single, char isa, unsigned lanes);
  std::deque<std::string> names; ///< grows without moving
};
} // namespace

void Additions::add(const VectorFunction &f, bool single, char isa,
                    unsigned lanes) {
  std::string shape =
      std::string("N") + std::to_string(lanes) + std::string(f.arguments, 'v');
  std::string scalar = std::string(f.name) + (single ? "f" : "");
  StringRef vector = keep(std::string("_ZGV") + isa + shape + "_" + scalar);
  StringRef abi = keep("_ZGV_LLVM_" + shape);
  auto count = ElementCount::getFixed(lanes);
  table.emplace_back(keep(scalar), vector, count, false, abi, std::nullopt);
  if (f.intrinsic)
    table.emplace_back(
        keep(std::string("llvm.") + f.intrinsic + (single ? ".f32" : ".f64")),
        vector, count, false, abi, std::nullopt);
}

Additions::Additions(bool avx2, bool avx512) {
  for (const VectorFunction &f : functions) {
    if (!f.known) {
      add(f, true, 'b', 4);
      add(f, false, 'b', 2);
      if (avx2) {
        add(f, true, 'd', 8);
        add(f, false, 'd', 4);
      }
    }
    if (avx512) {
      add(f, true, 'e', 16);
      add(f, false, 'e', 8);
    }
  }
}

/// The entries for a processor, which live as long as the process: LLVM keeps
/// references to the names. Made at the first call, by one of the threads.
static const std::vector<VecDesc> &additions(bool avx2, bool avx512) {
  static const Additions all[2][2] = {{{false, false}, {false, true}},
                                      {{true, false}, {true, true}}};
  return all[avx2][avx512].table;
}

std::unique_ptr<TargetLibraryInfoImpl>
arrc::cpu::createLibraryInfo(const TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  bool libmvec = triple.getArch() == Triple::x86_64 && triple.isOSLinux() &&
                 triple.isGNUEnvironment();
  std::unique_ptr<TargetLibraryInfoImpl> info(
      driver::createTLII(triple, libmvec ? driver::VectorLibrary::LIBMVEC
                                         : driver::VectorLibrary::NoLibrary));
  if (libmvec) {
    const MCSubtargetInfo &sub = *machine.getMCSubtargetInfo();
    bool avx2 = sub.checkFeatures("+avx2"),
         avx512 = sub.checkFeatures("+avx512f");
    info->addVectorizableFunctions(additions(avx2, avx512));
  }
  return info;
}

//===----------------------------------------------------------------------===//
// Functions on whole vectors
//===----------------------------------------------------------------------===//

/// The scalar function that `function` applies to every lane; empty if it is
/// none that a vector library could have.
static std::string getScalarName(const Function &function) {
  auto type = dyn_cast<FixedVectorType>(function.getReturnType());
  if (!type)
    return "";
  StringRef name = function.getName();
  if (name.consume_front(arrc::cpu::lanesPrefix))
    return name.rsplit('.').first.str();
  StringRef suffix = type->getElementType()->isFloatTy() ? ".f32" : ".f64";
  if (!name.consume_front("llvm."))
    return "";
  StringRef stem = name.rsplit('.').first;
  for (const VectorFunction &known : functions)
    if (known.intrinsic && stem == known.intrinsic)
      return ("llvm." + stem + suffix).str();
  return "";
}

/// Lanes `first` to `first + count` of `vector`.
static Value *getLanes(IRBuilderBase &b, Value *vector, unsigned first,
                       unsigned count) {
  SmallVector<int> mask;
  for (unsigned lane = 0; lane < count; ++lane)
    mask.push_back(first + lane);
  return b.CreateShuffleVector(vector, mask);
}

/// Replaces one call of a function on vectors.
static void expandCall(CallInst &call, StringRef scalar,
                       const TargetLibraryInfoImpl &library,
                       unsigned registerBits, bool hasFMA) {
  auto type = cast<FixedVectorType>(call.getType());
  unsigned lanes = type->getNumElements(), width = lanes;
  bool isExp = hasFMA && type->getElementType()->isFloatTy() &&
               (scalar == "llvm.exp.f32" || scalar == "expf");
  if (isExp && (registerBits < 512 || lanes < 16)) {
    IRBuilder<> b(&call);
    call.replaceAllUsesWith(arrc::cpu::createInlineExp(b, call.getArgOperand(0),
                                                       /*scalesPowers=*/false));
    call.eraseFromParent();
    return;
  }
  StringRef name;
  if (isPowerOf2_32(lanes))
    for (unsigned each = std::min<unsigned>(
             lanes, registerBits / type->getScalarSizeInBits());
         each > 1 && name.empty(); each /= 2) {
      name = library.getVectorizedFunction(scalar, ElementCount::getFixed(each),
                                           /*Masked=*/false);
      width = each;
    }
  if (name.empty() && scalar.starts_with("llvm."))
    return; // LLVM knows how to do the lanes
  Module &module = *call.getModule();
  IRBuilder<> b(&call);
  Type *element = type->getElementType();
  if (name.empty()) {
    SmallVector<Type *> types(call.arg_size(), element);
    FunctionCallee callee = module.getOrInsertFunction(
        scalar, FunctionType::get(element, types, false));
    Value *result = PoisonValue::get(type);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      SmallVector<Value *> operands;
      for (Value *argument : call.args())
        operands.push_back(b.CreateExtractElement(argument, lane));
      CallInst *one = b.CreateCall(callee, operands);
      one->setDoesNotAccessMemory();
      result = b.CreateInsertElement(result, one, lane);
    }
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
    return;
  }
  auto part = FixedVectorType::get(element, width);
  SmallVector<Type *> types(call.arg_size(), part);
  bool isInline = isExp && width == 16;
  FunctionCallee callee;
  if (!isInline)
    callee =
        module.getOrInsertFunction(name, FunctionType::get(part, types, false));
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < lanes; first += width) {
    SmallVector<Value *> operands;
    for (Value *argument : call.args())
      operands.push_back(width == lanes ? argument
                                        : getLanes(b, argument, first, width));
    if (isInline) {
      parts.push_back(arrc::cpu::createInlineExp(b, operands.front(),
                                                 /*scalesPowers=*/true));
      continue;
    }
    CallInst *some = b.CreateCall(callee, operands);
    some->setDoesNotAccessMemory();
    some->setDoesNotThrow();
    parts.push_back(some);
  }
  while (parts.size() > 1) { // the number of parts is a power of two
    SmallVector<Value *> joined;
    for (size_t i = 0; i < parts.size(); i += 2) {
      unsigned count =
          cast<FixedVectorType>(parts[i]->getType())->getNumElements();
      SmallVector<int> mask;
      for (unsigned lane = 0; lane < 2 * count; ++lane)
        mask.push_back(lane);
      joined.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = std::move(joined);
  }
  call.replaceAllUsesWith(parts.front());
  call.eraseFromParent();
}

void arrc::cpu::useVectorLibrary(Module &module,
                                 const TargetLibraryInfoImpl &library,
                                 const TargetMachine &machine) {
  // LLVM's table has functions for registers that the processor may lack.
  const MCSubtargetInfo &sub = *machine.getMCSubtargetInfo();
  unsigned bits = sub.checkFeatures("+avx512f") ? 512
                  : sub.checkFeatures("+avx2")  ? 256
                                                : 128;
  bool hasFMA =
      machine.getTargetTriple().isAArch64() ||
      (machine.getTargetTriple().isX86() && sub.checkFeatures("+fma"));
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    std::string scalar = getScalarName(function);
    if (scalar.empty())
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user))
        expandCall(*call, scalar, library, bits, hasFMA);
    if (function.use_empty())
      function.eraseFromParent();
  }
}
