//===- VectorLibrary.cpp - Math functions on SIMD registers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's own table for glibc's libmvec stops at 256 bits and at six functions
// (those of glibc 2.22). Added here: the 512-bit entries, and the functions
// that glibc 2.35 brought. All are within 4 ulp by glibc's promise.
//
//===----------------------------------------------------------------------===//

#include "VectorLibrary.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Frontend/Driver/CodeGenOptions.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

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
    {"sin", "sin", 1, true},       {"cos", "cos", 1, true},
    {"tan", "tan", 1, true},       {"exp", "exp", 1, true},
    {"log", "log", 1, true},       {"pow", "pow", 2, true},
    {"acos", "acos", 1, false},    {"asin", "asin", 1, false},
    {"atan", "atan", 1, false},    {"atan2", "atan2", 2, false},
    {"acosh", nullptr, 1, false},  {"asinh", nullptr, 1, false},
    {"atanh", nullptr, 1, false},  {"cosh", "cosh", 1, false},
    {"sinh", "sinh", 1, false},    {"tanh", "tanh", 1, false},
    {"cbrt", nullptr, 1, false},   {"erf", nullptr, 1, false},
    {"erfc", nullptr, 1, false},   {"exp2", "exp2", 1, false},
    {"expm1", nullptr, 1, false},  {"log1p", nullptr, 1, false},
    {"log2", "log2", 1, false},    {"log10", "log10", 1, false},
    {"hypot", nullptr, 2, false},
};

/// The additional entries. LLVM keeps references to the names: they live as
/// long as the process.
static const std::vector<VecDesc> &additions(bool avx2, bool avx512) {
  static std::vector<VecDesc> tables[2][2];
  static std::vector<std::unique_ptr<std::string>> names;
  std::vector<VecDesc> &table = tables[avx2][avx512];
  if (!table.empty())
    return table;
  auto keep = [&](std::string text) -> StringRef {
    names.push_back(std::make_unique<std::string>(std::move(text)));
    return *names.back();
  };
  auto add = [&](const VectorFunction &f, bool single, char isa, unsigned lanes) {
    std::string shape = std::string("N") + std::to_string(lanes) +
                        std::string(f.arguments, 'v');
    std::string scalar = std::string(f.name) + (single ? "f" : "");
    StringRef vector =
        keep(std::string("_ZGV") + isa + shape + "_" + scalar);
    StringRef abi = keep("_ZGV_LLVM_" + shape);
    auto count = ElementCount::getFixed(lanes);
    table.emplace_back(keep(scalar), vector, count, false, abi, std::nullopt);
    if (f.intrinsic)
      table.emplace_back(keep(std::string("llvm.") + f.intrinsic +
                              (single ? ".f32" : ".f64")),
                         vector, count, false, abi, std::nullopt);
  };
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
  return table;
}

std::unique_ptr<TargetLibraryInfoImpl>
arrc::cpu::createLibraryInfo(const TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  bool libmvec = triple.getArch() == Triple::x86_64 && triple.isOSLinux() &&
                 triple.isGNUEnvironment();
  std::unique_ptr<TargetLibraryInfoImpl> info(driver::createTLII(
      triple, libmvec ? driver::VectorLibrary::LIBMVEC
                      : driver::VectorLibrary::NoLibrary));
  if (libmvec) {
    const MCSubtargetInfo &sub = *machine.getMCSubtargetInfo();
    bool avx2 = sub.checkFeatures("+avx2"), avx512 = sub.checkFeatures("+avx512f");
    info->addVectorizableFunctions(additions(avx2, avx512));
  }
  return info;
}
