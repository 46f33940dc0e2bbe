//===- Trace.h - What the threads of a block do -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Follows the threads of one block through a `gpu.func`, all at once, with
// their integers as forms (Form.h): which accesses, barriers and branches they
// come by, in order. Loops whose number of iterations is known are followed
// iteration by iteration; others once, with a symbol as their counter. What is
// read from memory is not known. All analyses of kernels read this trace.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_TRACE_H
#define ARRC_ANALYSIS_GPU_TRACE_H

#include "arrc/Analysis/GPU/Form.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>

namespace arrc::lanes {

/// What is known of a launch before a kernel is looked at.
struct LaunchFacts {
  std::array<int64_t, 3> threads = {256, 1, 1};
  /// Whether no launch has other threads, so that what is proved holds for all.
  bool isBlockKnown = false;
  std::array<std::optional<int64_t>, 3> blocks;
  /// The block that is looked at, where it is one: else all are, by symbols.
  std::optional<std::array<int64_t, 3>> block;
  /// Numbers among the arguments.
  std::map<unsigned, int64_t> arguments;

  /// Those that a kernel says itself (`known_block_size`), or else all launches
  /// of it in its module.
  static LaunchFacts of(mlir::gpu::GPUFuncOp kernel);
};

/// Something that is at least 0, or that is 0.
struct Constraint {
  Form form;
  bool isEquality = false;
};

/// Which threads take part.
struct Mask {
  /// 0 for those that do not.
  Lanes on = Lanes(1);
  /// Whether all others do; else `guards` say more.
  bool isExact = true;
  std::vector<Constraint> guards;
};

/// An array, with all views of it.
struct Buffer {
  enum Kind { Global, Shared, Private } kind = Global;
  mlir::Value root;
  std::string name;
  /// Bytes that its address is known to be a multiple of.
  int64_t alignment = 1;
  /// Whether it may be any array of its kind, or a part of one, another one
  /// each time: what loops carry.
  bool isAny = false;
};

/// An access of all threads of a block that take part.
struct Event {
  mlir::Operation *op = nullptr;
  unsigned buffer = 0;
  /// Bytes from the beginning of the buffer, if they are known.
  std::optional<Form> address;
  int64_t bytes = 0;
  bool reads = false, writes = false;
  /// Indivisible, so that it races with no other such.
  bool isAtomic = false;
  /// Whether all threads store the same.
  bool storesSame = false;
  /// Where the address is not known: whether because it was read from memory,
  /// and whether it is the same for all threads.
  bool isData = false, isUniform = false;
  std::shared_ptr<const Mask> mask;
  /// Barriers before it.
  unsigned epoch = 0;
  /// How often.
  Form times = Form(1);
  /// The run of a block of operations that it belongs to.
  unsigned run = 0;
  /// A later iteration of a loop, which counts for races only.
  bool isShadow = false;
  /// Elements of neighbours that it takes at once; 0: another access takes it.
  int64_t vector = 1;
  /// Indices and sizes, of arrays whose sizes mean something.
  struct Bound {
    std::optional<Form> index, size;
  };
  std::vector<Bound> bounds;
};

/// A barrier that was come by.
struct BarrierEvent {
  mlir::Operation *op = nullptr;
  std::shared_ptr<const Mask> mask;
  /// It ends this epoch.
  unsigned epoch = 0;
  Form times = Form(1);
  bool isShadow = false;
  /// Whether it stands below a branch that threads may take differently.
  bool isDivergent = false;
};

/// A branch or the condition of a loop that was come by.
struct BranchEvent {
  mlir::Operation *op = nullptr;
  std::shared_ptr<const Mask> mask;
  /// Which threads take it, if that is known.
  std::optional<Lanes> taken;
  /// Else whether it may differ within a block, and within a warp.
  bool mayDiffer = false, mayDifferInWarps = false;
  bool isData = false;
  Form times = Form(1);
};

/// What threads compute, one operation each.
struct WorkEvent {
  mlir::Operation *op = nullptr;
  std::shared_ptr<const Mask> mask;
  Form times = Form(1);
};

class Trace {
public:
  Trace(mlir::gpu::GPUFuncOp kernel, const LaunchFacts &facts);

  mlir::gpu::GPUFuncOp kernel;
  LaunchFacts facts;
  size_t threads = 0;
  Symbols symbols;
  std::vector<Buffer> buffers;
  std::vector<Event> events;
  std::vector<BarrierEvent> barriers;
  std::vector<BranchEvent> branches;
  std::vector<WorkEvent> work;
  unsigned epochs = 1;
  /// Epochs that may be one, as barriers between them may not be come by.
  std::vector<std::pair<unsigned, unsigned>> joins;
  /// What orders threads or touches memory in a way that is not followed.
  std::vector<mlir::Operation *> opaque;
  /// Whether a branch was decided for the block that is looked at alone.
  bool isOfOneBlock = false;
  /// The symbols of the ids of blocks; ~0 for those that are not asked for.
  std::array<unsigned, 3> blockIds{~0u, ~0u, ~0u};
  /// Why nothing can be told; "" if something can.
  std::string problem;

  unsigned getWarps() const { return (threads + 31) / 32; }
  /// How many warps take part.
  unsigned countWarps(const Mask &mask) const;
};

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_TRACE_H
