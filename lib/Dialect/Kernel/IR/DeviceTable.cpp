//===- DeviceTable.cpp - What is known of each device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"

#include "mlir/IR/Builders.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace arrc::kernel;

namespace {

/// One row; 0 stands for "not a fact of this device" on the CPU only.
struct Row {
  StringLiteral name, arch;
  int64_t subgroup, maxThreads, sharedBytes, units, unitThreads, orderedBlocks,
      f64, f16, int64Atomics, floatAtomics, vectorBytes,
      lineBytes = 0, cacheBytes = 0, matrixF16 = 0, matrixF64 = 0;
};

} // namespace

/// The first row of a name is its default.
static constexpr Row kRows[] = {
    {"cpu", "", 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 64, 64, 1 << 20},
    {"cuda", "sm_90", 32, 1024, 49152, 132, 2048, 1, 1, 1, 1, 1, 16, 0, 0, 16,
     16},
    {"cuda", "sm_75", 32, 1024, 49152, 40, 1024, 1, 1, 1, 1, 1, 16},
    {"cuda", "sm_80", 32, 1024, 49152, 108, 2048, 1, 1, 1, 1, 1, 16, 0, 0, 16,
     8},
    {"cuda", "sm_86", 32, 1024, 49152, 84, 1536, 1, 1, 1, 1, 1, 16, 0, 0, 16},
    {"cuda", "sm_100", 32, 1024, 49152, 148, 2048, 1, 1, 1, 1, 1, 16, 0, 0, 16},
    {"cuda", "sm_110", 32, 1024, 49152, 20, 1536, 1, 1, 1, 1, 1, 16, 0, 0, 16},
    {"cuda", "sm_120", 32, 1024, 49152, 170, 1536, 1, 1, 1, 1, 1, 16, 0, 0, 16},
    {"opencl", "", 0, 256, 32768, 32, 0, 0, 1, 0, 1, 0, 16},
};

DeviceAttr arrc::kernel::makeDevice(MLIRContext *context, StringRef name,
                                    StringRef arch,
                                    ArrayRef<NamedAttribute> overrides) {
  const Row *row = llvm::find_if(kRows, [&](const Row &row) {
    return row.name == name && (arch.empty() || row.arch == arch);
  });
  if (row == std::end(kRows))
    return {};
  Builder builder(context);
  NamedAttrList facts;
  auto add = [&](StringRef fact, int64_t value) {
    facts.set(fact, builder.getI64IntegerAttr(value));
  };
  if (!row->arch.empty())
    facts.set("arch", builder.getStringAttr(row->arch));
  if (row->maxThreads) {
    add("subgroup", row->subgroup);
    add("max_threads", row->maxThreads);
    add("shared_bytes", row->sharedBytes);
    add("units", row->units);
    if (row->unitThreads)
      add("unit_threads", row->unitThreads);
    add("ordered_blocks", row->orderedBlocks);
    add("f64", row->f64);
    add("f16", row->f16);
    add("int64_atomics", row->int64Atomics);
    add("float_atomics", row->floatAtomics);
  }
  add("vector_bytes", row->vectorBytes);
  if (row->lineBytes) {
    add("line_bytes", row->lineBytes);
    add("cache_bytes", row->cacheBytes);
  }
  if (row->matrixF16)
    add("matrix_f16", row->matrixF16);
  if (row->matrixF64)
    add("matrix_f64", row->matrixF64);
  for (NamedAttribute fact : overrides)
    facts.set(fact.getName(), fact.getValue());
  return DeviceAttr::get(context, builder.getStringAttr(name),
                         facts.getDictionary(context));
}

ArrayRef<StringRef> arrc::kernel::getArchitectures(StringRef name) {
  static constexpr StringRef cuda[] = {"sm_90",  "sm_75",  "sm_80", "sm_86",
                                       "sm_100", "sm_110", "sm_120"};
  return name == "cuda" ? ArrayRef<StringRef>(cuda) : ArrayRef<StringRef>();
}

ArrayRef<Fact> arrc::kernel::getFacts() {
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  static constexpr Fact facts[] = {
      {"subgroup", 0, 32, /*isPowerOfTwo=*/false, /*isEither=*/true},
      {"max_threads", 1, 1024},
      {"shared_bytes", 0, 1 << 20},
      {"units", 1, 1 << 16},
      {"ordered_blocks", 0, 1},
      {"f64", 0, 1},
      {"f16", 0, 1},
      {"int64_atomics", 0, 1},
      {"float_atomics", 0, 1},
      {"vector_bytes", 1, 16, /*isPowerOfTwo=*/true},
      {"exact_f32", 0, 1},
      {"matrix_f16", 0, 16, /*isPowerOfTwo=*/false, /*isEither=*/true},
      {"matrix_f64", 0, 16},
      {"memory_bytes", 0, any},
      {"resident_units", 0, 1 << 16},
      {"resident_shared", 0, 1 << 24},
      {"unit_threads", 1, 1 << 16},
      {"parts", 0, 1}};
  return facts;
}

bool Fact::allows(int64_t value) const {
  if (isEither)
    return value == least || value == most;
  return value >= least && value <= most &&
         (!isPowerOfTwo || llvm::isPowerOf2_64(value));
}

std::string Fact::describe() const {
  if (isEither || most == 1)
    return std::to_string(least) + " or " + std::to_string(most);
  return (isPowerOfTwo ? "a power of two from " : "a number from ") +
         std::to_string(least) + " to " + std::to_string(most);
}

StringRef arrc::kernel::getArch(DeviceAttr device) {
  if (!device || !device.getFacts())
    return "";
  auto arch = device.getFacts().getAs<StringAttr>("arch");
  return arch ? arch.getValue() : StringRef();
}

bool arrc::kernel::isGPU(DeviceAttr device) {
  return device && device.getName().getValue() != "cpu";
}

bool arrc::kernel::hasOwnMemory(DeviceAttr device) {
  return isGPU(device) || (device && device.getInteger("parts", 0));
}

std::string arrc::kernel::whyTooManyThreads(DeviceAttr device,
                                            int64_t threads) {
  int64_t most = device.getInteger("max_threads", 1024);
  if (threads <= most)
    return "";
  return "a block would have " + std::to_string(threads) +
         " threads, and the device allows " + std::to_string(most);
}
