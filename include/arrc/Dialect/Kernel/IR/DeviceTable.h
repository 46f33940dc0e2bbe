//===- DeviceTable.h - What is known of each device -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A row of the table is the `#kernel.device` attribute of a module. Passes
// learn about the device from it alone.
//
// | fact             | meaning                                                |
// |------------------|--------------------------------------------------------|
// | `arch`           | what the target compiles for, `sm_90`                  |
// | `subgroup`       | threads that shuffle; 0: no such operations            |
// | `max_threads`    | threads of a block                                     |
// | `shared_bytes`   | shared memory of a block                               |
// | `units`          | multiprocessors, for the sizes of grids                |
// | `unit_threads`   | threads that a multiprocessor holds                    |
// | `ordered_blocks` | 1: a last block may finish what others began           |
// | `f64`, `f16`     | 1: the device computes in it                           |
// | `int64_atomics`  | 1: it has them                                         |
// | `float_atomics`  | 1: it adds f32 and f64 so, in any order                |
// | `matrix_f16`     | rows of f16 and bf16 that a warp multiplies at once    |
// | `matrix_f64`     | the same of f64, 8 or 16; 0: it has no such operations |
// | `vector_bytes`   | widest access of a thread (a SIMD register on a CPU)   |
// | `line_bytes`     | of a CPU: what its caches fetch at a time              |
// | `cache_bytes`    | of a CPU: the second cache of a core, at least         |
// | `memory_bytes`   | memory of the device, 16 GiB where nothing is said     |
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_DEVICETABLE_H
#define ARRC_DIALECT_KERNEL_IR_DEVICETABLE_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <string>

namespace arrc::kernel {

/// The row of the device `name` ("cpu", "cuda" or "opencl"), for the
/// architecture `arch` where it has several ("sm_90"; the default one if
/// empty). `overrides` take the place of the table's facts. Null if the table
/// has no such row.
DeviceAttr makeDevice(mlir::MLIRContext *context, llvm::StringRef name,
                      llvm::StringRef arch = "",
                      llvm::ArrayRef<mlir::NamedAttribute> overrides = {});

/// The architectures of `name`, the default one first; empty if it has none.
llvm::ArrayRef<llvm::StringRef> getArchitectures(llvm::StringRef name);

/// A fact that is a number, and the values that it may have.
struct Fact {
  llvm::StringLiteral name;
  int64_t least, most;
  bool isPowerOfTwo = false;
  bool isEither = false; ///< nothing between the two

  /// Whether a device may have it so.
  bool allows(int64_t value) const;
  /// "a number from 1 to 1024", for messages.
  std::string describe() const;
};
llvm::ArrayRef<Fact> getFacts();

/// Why a block of `device` cannot have so many threads; empty if it can.
std::string whyTooManyThreads(DeviceAttr device, int64_t threads);

/// The fact `arch`, empty if the row has none.
llvm::StringRef getArch(DeviceAttr device);

/// Whether launches of `device` run in blocks of threads: true for every row
/// but that of the CPU. False without a row.
bool isGPU(DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_DEVICETABLE_H
