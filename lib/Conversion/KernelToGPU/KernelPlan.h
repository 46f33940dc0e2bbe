//===- KernelPlan.h - How a launch becomes a kernel -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What host code and kernel agree on: which loops are the grid, how large a
// block is, and the list of arguments.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELPLAN_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELPLAN_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/StoredBytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace arrc {

/// How much of a launch runs at the same time. What a mode cannot do the next
/// one can: the last is the sequential reading.
enum class KernelMode {
  Parallel,  // blocks of threads
  OneThread, // blocks of one thread, which does the thread loops in order
  OneBlock   // one block of one thread
};

/// The kernel of a launch.
struct KernelPlan {
  /// An array that the kernel takes. Operands that are the same elements are
  /// one.
  struct Array {
    /// The operand on the host.
    mlir::Value operand;
    /// The element in memory.
    mlir::Type element;
    /// The kernel writes it.
    bool written = false;
    /// It overlaps no other array of which one is written.
    bool distinct = false;
    /// It may start behind the start of its buffer, which is then what the
    /// kernel gets: devices want buffers aligned.
    bool hasOffset = false;
    /// The pointer that it is reached by.
    unsigned pointer = 0;
    /// Where it begins behind that: so many bytes, times the pitch of that
    /// number if it is not negative.
    int64_t first = 0;
    int64_t pitch = -1;
    /// It is a plane beside others that the pointer reaches.
    bool isPlane = false;
  };

  /// A pointer that the kernel takes: for an array, or for those of one
  /// allocation that are written, or that are not.
  struct Pointer {
    /// What it points to, on the host.
    mlir::Value memory;
    mlir::Type element;
    bool written = false;
    bool distinct = false;
  };

  explicit KernelPlan(kernel::LaunchOp launch);

  /// Chooses grid and block for `mode`. Fails with a message where nothing
  /// helps.
  mlir::LogicalResult setMode(KernelMode mode);

  bool hasThreads() const {
    return blockSize[0] * blockSize[1] * blockSize[2] > 1;
  }
  int64_t getThreads() const {
    return blockSize[0] * blockSize[1] * blockSize[2];
  }
  /// The number of the array of launch argument `argument`.
  unsigned getArray(mlir::BlockArgument argument) const {
    return arrayOf.lookup(argument.getArgNumber());
  }
  /// Whether something runs after the blocks, or once.
  bool hasTail() const { return !tail.empty(); }
  /// The loops whose iterations are blocks: a look-back first, as its blocks
  /// wait for those of its earlier iterations; cooperating blocks last, as they
  /// start one after the other.
  llvm::SmallVector<kernel::ForOp> getGrid() const;
  /// The axes of the threads that look back together: all, or those that no
  /// loop in `between` has.
  llvm::SmallVector<unsigned> getLookBackAxes() const;
  /// How many threads they have.
  int64_t getLookBackThreads() const;
  /// How many tiles are a group, and how many groups are one again; no number
  /// where groups are long enough (LookBack.cpp).
  std::pair<int64_t, int64_t> getLookBackGroups() const;
  /// Whether blocks leave words for each other in a state that starts empty,
  /// and count themselves in the order in which they start.
  bool hasState() const { return lookBack || !cooperative.empty(); }
  /// Words that a cooperating block leaves for the others.
  int64_t countRowBarrierWords() const;
  /// Words of 64 bits that blocks publish of a value.
  static int64_t countWords(mlir::Type type);
  /// Words of the state in front of those; the first one counts blocks.
  static constexpr int64_t stateHead = 16;

  kernel::LaunchOp launch;
  KernelMode mode = KernelMode::Parallel;
  /// Loops whose iterations are blocks, outermost first.
  llvm::SmallVector<kernel::ForOp> nest;
  /// Loops at block side by side in the nest, each with one iteration for a
  /// block: the blocks of an iteration of the nest cooperate
  /// (CooperativeRows.h).
  llvm::SmallVector<kernel::ForOp> cooperative;
  /// A scan whose iterations are blocks that look back: at the root, or below
  /// the nest and the loops `between`, each of whose iterations has a scan of
  /// its own.
  kernel::ForOp lookBack;
  llvm::SmallVector<kernel::ForOp> between;
  /// The operations before the nest (all, if there is none) and behind it.
  llvm::SmallVector<mlir::Operation *> head, tail;
  /// The tail waits for all blocks.
  bool needsTicket = false;
  /// Threads of a block along x, y and z.
  int64_t blockSize[3] = {1, 1, 1};

  // Arguments: the pointers, then what follows in this order; then offsets of
  // arrays, the error record, the ticket, the state of a look-back, and offset
  // and extent of each loop of the nest.
  llvm::SmallVector<Array> arrays;
  llvm::SmallVector<Pointer> pointers;
  /// Launch arguments that are scalars.
  llvm::SmallVector<unsigned> scalars;
  /// Dynamic strides: launch argument and dimension.
  llvm::SmallVector<std::pair<unsigned, unsigned>> strides;
  /// Pitches of planes.
  llvm::SmallVector<mlir::Value> pitches;
  bool hasChecks = false;
  /// The array that holds the launch's flag.
  std::optional<unsigned> flagArray;

  // Facts of the device.
  int64_t subgroup = 0, maxThreads = 1024, sharedBytes = 49152;
  /// Threads that a multiprocessor holds.
  int64_t unitThreads = 2048;
  bool orderedBlocks = false, int64Atomics = true, floatAtomics = false;

private:
  void collectArguments();
  unsigned addArray(mlir::Value operand);
  void collectPointers();
  void findNest();
  void findLookBack();
  void findCooperative();
  void findTicket();

  llvm::DenseMap<unsigned, unsigned> arrayOf;
};

/// Marks loads and stores of kernels that other blocks take part in: they are
/// indivisible and see the memory of the device.
inline constexpr llvm::StringLiteral kDeviceAccessAttr = "arrc.device_access";

/// The type that an element has in memory other than private memory: bools are
/// bytes, indices 64 bits wide.
mlir::Type getStoredType(mlir::Type element);

/// The operations that touch memory below `op` (and `op`): loads, stores,
/// updates.
void forEachAccess(
    mlir::Operation *op,
    llvm::function_ref<void(mlir::Operation *, mlir::Value array, bool writes)>
        visit);

/// Whether the host can compute `value` of a launch: from its scalar operands,
/// by operations without effects.
bool isHostValue(mlir::Value value);

/// Whether `op` is or holds a thread loop.
bool hasThreadLoops(mlir::Operation *op);

/// The axes of the thread loops around `op`, as bits.
unsigned getThreadAxes(mlir::Operation *op);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELPLAN_H
