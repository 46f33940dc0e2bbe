//===- PackFields.h - Arrays of one struct in one allocation ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What kernel-pack-fields decides, and who does it.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKFIELDS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKFIELDS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "PackLayout.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace arrc::kernel {

/// Arrays that a time loop carries as one, by their numbers.
using Group = llvm::SmallVector<unsigned>;

/// A time loop and what becomes one in it.
struct PackedLoop {
  IterateOp loop;
  llvm::SmallVector<Group> groups;
  /// What each carried array is in the next step: the number of an array, and
  /// whether it is its second buffer.
  llvm::SmallVector<std::pair<unsigned, bool>> next;

  /// The group of array `k` and its place there; null if it is carried alone.
  std::pair<const Group *, unsigned> find(unsigned k) const {
    for (const Group &group : groups)
      if (const unsigned *it = llvm::find(group, k); it != group.end())
        return {&group, unsigned(it - group.begin())};
    return {nullptr, 0};
  }
};

/// Puts arrays into packs.
class FieldPacker {
public:
  /// `arrays` are allocations of one block whose dynamic sizes are `sizes`.
  /// Blocks are gone through in the order of their text.
  void packAllocations(llvm::ArrayRef<mlir::Value> arrays,
                       mlir::ValueRange sizes);
  /// Carries packs, when the operands of all groups are planes.
  void packLoop(const PackedLoop &packed);

private:
  void replaceAll(llvm::ArrayRef<mlir::Value> arrays, mlir::Value pack,
                  mlir::OpBuilder &b);

  /// Layouts of packs, and of those computed in a block by sizes and types.
  llvm::DenseMap<mlir::Value, std::shared_ptr<PackLayout>> layouts;
  std::map<std::pair<mlir::Block *, std::vector<const void *>>,
           std::shared_ptr<PackLayout>>
      known;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_PACKFIELDS_H
