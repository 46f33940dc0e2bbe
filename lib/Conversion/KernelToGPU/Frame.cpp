//===- Frame.cpp - The function of a kernel: arguments, blocks, tail ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//   head                                 all threads of all blocks
//   block number -> indices of the nest  a division for each inner loop
//   body of the nest                     under a guard where blocks may be idle
//   tail                                 in the last block that gets there, by
//   a
//                                        ticket; in the first one if it needs
//                                        nothing of the others
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace arrc;

/// Bytes that a thread of a large block keeps, where two blocks fit.
static constexpr int64_t kTileBytes = 320;

KernelEmitter::KernelEmitter(const KernelPlan &plan, unsigned indexBits,
                             const WrappingPlaces &wrapping)
    : plan(plan), launch(plan.launch), indexBits(indexBits), wrapping(wrapping),
      uniformity(plan.launch), b(plan.launch->getContext()),
      reasonLoc(plan.launch->getLoc()) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (plan.blockSize[axis] > 1)
      used |= 1u << axis;
}

static gpu::AddressSpaceAttr getSpace(MLIRContext *context,
                                      gpu::AddressSpace space) {
  return gpu::AddressSpaceAttr::get(context, space);
}

/// The types that stand for a scalar of the launch among the arguments.
static SmallVector<Type, 2> getArgumentTypes(Type type) {
  MLIRContext *context = type.getContext();
  if (type.isInteger(1))
    return {IntegerType::get(context, 8)};
  if (type.isBF16())
    return {IntegerType::get(context, 16)};
  if (auto complex = dyn_cast<ComplexType>(type))
    return {complex.getElementType(), complex.getElementType()};
  return {type};
}

gpu::GPUFuncOp KernelEmitter::createFunction(gpu::GPUModuleOp module,
                                             StringRef name) {
  Location loc = launch.getLoc();
  MLIRContext *context = b.getContext();
  auto global = getSpace(context, gpu::AddressSpace::Global);
  SmallVector<Type> types;
  std::string letters;
  auto addScalar = [&](Type type) {
    types.push_back(type);
    unsigned bits = type.isIndex() ? indexBits : type.getIntOrFloatBitWidth();
    letters += static_cast<char>('0' + llvm::divideCeil(bits, 8));
  };
  auto addPointer = [&](Type element, char letter) {
    types.push_back(MemRefType::get({1}, element, AffineMap(), global));
    letters += letter;
  };
  for (const KernelPlan::Pointer &pointer : plan.pointers)
    addPointer(pointer.element, 'p');
  for (unsigned number : plan.scalars)
    for (Type type : getArgumentTypes(launch.getArgument(number).getType()))
      addScalar(type);
  for (size_t i = 0; i < plan.pitches.size() + plan.strides.size(); ++i)
    addScalar(b.getIndexType());
  for (const KernelPlan::Array &array : plan.arrays)
    if (array.hasOffset)
      addScalar(b.getIndexType());
  unsigned recordAt = types.size();
  if (plan.hasChecks)
    addPointer(b.getI64Type(), 'e');
  unsigned ticketAt = types.size();
  if (plan.needsTicket)
    addPointer(b.getI32Type(), 't');
  if (plan.hasState())
    addPointer(b.getI64Type(), 'p');
  for (size_t i = 0; i < plan.getGrid().size(); ++i) {
    types.append(2, b.getIndexType());
    letters += "ox";
  }

  b.setInsertionPointToEnd(module.getBody());
  auto function = gpu::GPUFuncOp::create(b, loc, name,
                                         FunctionType::get(context, types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr("arrc.args", b.getStringAttr(letters));
  SmallVector<int32_t> size(plan.blockSize, plan.blockSize + 3);
  function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr(size));
  setBlocksPerUnit(function);
  setCooperativeLimits(function);
  auto setAlign = [&](unsigned argument, int64_t bytes) {
    function.setArgAttr(argument, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(bytes));
  };
  auto setUnit = [&](unsigned argument, StringRef attribute) {
    function.setArgAttr(argument, attribute, b.getUnitAttr());
  };
  for (auto [number, pointer] : llvm::enumerate(plan.pointers)) {
    setAlign(number, 16);
    if (pointer.distinct)
      setUnit(number, LLVM::LLVMDialect::getNoAliasAttrName());
    if (!pointer.written)
      setUnit(number, LLVM::LLVMDialect::getReadonlyAttrName());
  }
  for (unsigned argument = recordAt;
       argument < ticketAt + (plan.needsTicket ? 1 : 0); ++argument) {
    setAlign(argument, argument == recordAt && plan.hasChecks ? 8 : 4);
    setUnit(argument, LLVM::LLVMDialect::getNoAliasAttrName());
  }
  if (plan.hasState())
    setAlign(ticketAt + (plan.needsTicket ? 1 : 0), 8);
  return function;
}

Value KernelEmitter::createView(Value argument, Type element) {
  Location loc = launch.getLoc();
  auto global = getSpace(b.getContext(), gpu::AddressSpace::Global);
  auto one = MemRefType::get({1}, element, AffineMap(), global);
  if (argument.getType() != one)
    argument =
        UnrealizedConversionCastOp::create(b, loc, one, argument).getResult(0);
  auto type =
      MemRefType::get({ShapedType::kDynamic}, element, AffineMap(), global);
  // The size is not known to matter to anything; it must only not be a
  // constant, which would become part of the type.
  Value size = gpu::GridDimOp::create(b, loc, gpu::Dimension::x);
  return memref::ReinterpretCastOp::create(
      b, loc, type, argument, b.getIndexAttr(0), {size}, {b.getIndexAttr(1)});
}

/// The plane of `array` in what `pointer` points to. The offset has 64 bits
/// whatever indices have: a position in a plane may need no more than 32 where
/// one in the allocation does.
Value KernelEmitter::movePointer(Value pointer, const KernelPlan::Array &array,
                                 Value pitch) {
  Location loc = launch.getLoc();
  Type i64 = b.getI64Type();
  Value bytes = arith::ConstantIntOp::create(b, loc, i64, array.first);
  if (pitch)
    bytes = arith::MulIOp::create(
        b, loc, arith::IndexCastUIOp::create(b, loc, i64, pitch), bytes,
        arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
  auto global = getSpace(b.getContext(), gpu::AddressSpace::Global);
  auto one = MemRefType::get({1}, array.element, AffineMap(), global);
  auto plane = UnrealizedConversionCastOp::create(b, loc, one,
                                                  ValueRange{pointer, bytes});
  return plane.getResult(0);
}

void KernelEmitter::bindArguments(gpu::GPUFuncOp function) {
  Location loc = launch.getLoc();
  auto next = function.getArguments().begin();
  SmallVector<Value> pointers, memory, pitches;
  for (size_t i = 0; i < plan.pointers.size(); ++i)
    pointers.push_back(*next++);
  for (unsigned number : plan.scalars) {
    Type type = launch.getArgument(number).getType();
    Value value = *next++;
    if (isa<ComplexType>(type))
      value = complex::CreateOp::create(b, loc, type, value, *next++);
    else if (type.isInteger(1))
      value = arith::TruncIOp::create(b, loc, type, value);
    else if (type.isBF16())
      value = arith::BitcastOp::create(b, loc, type, value);
    // What the host knows of a size: rows of such a pitch are aligned.
    for (auto fact =
             launch->getOperand(number).getDefiningOp<array::AssumeOp>();
         fact; fact = fact.getValue().getDefiningOp<array::AssumeOp>())
      value = keepMultiple(loc, value, fact.getMultiple().value_or(1));
    set(launch.getArgument(number), value);
  }
  for (size_t i = 0; i < plan.pitches.size(); ++i)
    pitches.push_back(*next++);
  for (const KernelPlan::Array &array : plan.arrays) {
    Value pointer = pointers[array.pointer];
    if (array.isPlane)
      pointer = movePointer(pointer, array,
                            array.pitch >= 0 ? pitches[array.pitch] : Value());
    memory.push_back(createView(pointer, array.element));
  }
  llvm::DenseMap<std::pair<unsigned, unsigned>, Value> strides;
  for (auto stride : plan.strides)
    strides[stride] = *next++;
  SmallVector<Value> offsets;
  for (const KernelPlan::Array &array : plan.arrays)
    offsets.push_back(array.hasOffset ? Value(*next++) : Value());
  if (plan.hasChecks)
    record = *next++;
  if (plan.needsTicket)
    ticket = createView(*next++, b.getI32Type());
  if (plan.hasState())
    state = createView(*next++, b.getI64Type());
  for (size_t i = 0; i < plan.getGrid().size(); ++i) {
    Value offset = *next++;
    parts.emplace_back(offset, *next++);
  }
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    const KernelPlan::Array &array = plan.arrays[plan.getArray(argument)];
    Place &place = places[argument];
    place.memory = memory[plan.getArray(argument)];
    place.offset = offsets[plan.getArray(argument)];
    place.element = type.getElementType();
    place.key = array.distinct ? static_cast<const void *>(&array) : &plan;
    place.dropped.assign(type.getRank(), false);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      OpFoldResult size = launch.getSize(argument, dim);
      if (auto value = dyn_cast<Value>(size))
        size = lookup(value);
      place.sizes.push_back(size);
    }
    if (type.getLayout().isIdentity())
      continue;
    auto [inner, offset] = type.getStridesAndOffset();
    for (auto [dim, stride] : llvm::enumerate(inner))
      place.strides.push_back(
          ShapedType::isDynamic(stride)
              ? OpFoldResult(strides[{argument.getArgNumber(), dim}])
              : OpFoldResult(b.getIndexAttr(stride)));
  }
  if (plan.flagArray)
    flag = loadElement(loc, memory[*plan.flagArray],
                       offsets[*plan.flagArray] ? offsets[*plan.flagArray]
                                                : index(loc, 0),
                       b.getI1Type());
}

void KernelEmitter::createLocals() {
  launch->walk([&](kernel::LocalOp local) {
    Location loc = local.getLoc();
    auto type = cast<MemRefType>(local.getResult().getType());
    Place &place = places[local.getResult()];
    place.element = type.getElementType();
    place.key = local.getOperation();
    place.dropped.assign(type.getRank(), false);
    auto space = dyn_cast_if_present<kernel::SpaceAttr>(type.getMemorySpace());
    if (!local.getSizes().empty()) {
      (void)refuse(loc, "a local without a constant size has no memory; run "
                        "kernel-assign-storage");
      return;
    }
    bool shared = space && space.getValue() == kernel::Space::Shared;
    place.isPrivate = !shared;
    if ((space && space.getValue() == kernel::Space::Global) ||
        (!space && (used & ~getThreadAxes(local)))) {
      (void)refuse(loc, "a local has no memory; run kernel-assign-storage");
      return;
    }
    if (place.isPrivate && plan.mode == KernelMode::Parallel)
      for (unsigned dim = 0; dim < type.getRank(); ++dim)
        place.dropped[dim] = kernel::isThreadDim(local, dim);
    int64_t count = 1;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      place.sizes.push_back(b.getIndexAttr(size));
      if (!place.dropped[dim])
        count *= std::max<int64_t>(size, 1);
    }
    Type stored = place.element.isIndex() && place.isPrivate
                      ? place.element
                      : getStoredType(place.element);
    if (place.isPrivate) {
      privateBytes += count * getStoredBytes(getStoredType(place.element));
      auto memory =
          MemRefType::get({count}, stored, AffineMap(),
                          getSpace(b.getContext(), gpu::AddressSpace::Private));
      place.memory = memref::AllocaOp::create(b, loc, memory);
      return;
    }
    int64_t offset = localBytes;
    localBytes += llvm::alignTo(count * getStoredBytes(stored), 16);
    auto memory =
        MemRefType::get({count}, stored, AffineMap(),
                        getSpace(b.getContext(), gpu::AddressSpace::Workgroup));
    place.memory = memref::ViewOp::create(b, loc, memory, dynamicShared,
                                          index(loc, offset), ValueRange());
  });
  sharedBytes = localBytes;
}

FailureOr<gpu::GPUFuncOp> KernelEmitter::run(gpu::GPUModuleOp module,
                                             StringRef name) {
  Location loc = launch.getLoc();
  gpu::GPUFuncOp function = createFunction(module, name);
  Block *entry = &function.getBody().front();
  b.setInsertionPointToStart(entry);
  auto bytes =
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), AffineMap(),
                      getSpace(b.getContext(), gpu::AddressSpace::Workgroup));
  dynamicShared = gpu::DynamicSharedMemoryOp::create(b, loc, bytes);
  static const gpu::Dimension names[] = {gpu::Dimension::x, gpu::Dimension::y,
                                         gpu::Dimension::z};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!(used & (1u << axis))) {
      threadId[axis] = index(loc, 0);
      continue;
    }
    threadId[axis] = gpu::ThreadIdOp::create(
        b, loc, names[axis], b.getIndexAttr(plan.blockSize[axis]));
    isFirst[axis] = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          threadId[axis], index(loc, 0));
    Value part = threadId[axis];
    if (int64_t stride = getAxisStride(axis); stride > 1)
      part = arith::MulIOp::create(b, loc, part, index(loc, stride));
    linearId =
        linearId ? Value(arith::AddIOp::create(b, loc, linearId, part)) : part;
  }
  if (!linearId)
    linearId = index(loc, 0);
  bindArguments(function);
  createLocals();
  bool done =
      reason.empty() && succeeded(emitIfTrue(loc, flag, [&] {
        return plan.getGrid().empty() ? emitOps(plan.head) : emitBlocks();
      }));
  if (done && sharedBytes > plan.sharedBytes)
    done = succeeded(refuse(loc, "a block would need more shared memory than "
                                 "the device has"));
  if (done && !hasMatrices && multipliesMatrices())
    done = succeeded(
        refuse(loc, "warps do not multiply matrices: " + whyNoMatrices));
  if (!done) {
    function.erase();
    return failure();
  }
  gpu::ReturnOp::create(b, loc);
  // Tiles of accumulators are made for two blocks side by side: one works while
  // the other one waits.
  if (localBytes && privateBytes >= kTileBytes / 2 &&
      privateBytes <= kTileBytes && plan.getThreads() == 256 &&
      !function->hasAttr("arrc.blocks_per_unit"))
    setBlocksPerUnit(function, 2);
  if (dynamicShared.use_empty())
    dynamicShared.getDefiningOp()->erase();
  admitOtherThreads(function);
  return function;
}

/// To LLVM an argument that is 'noalias' is one that no call changes, a barrier
/// neither: it moves loads and stores across. Where threads meet, what they
/// write is therefore left without.
void KernelEmitter::admitOtherThreads(gpu::GPUFuncOp function) {
  WalkResult meets = function.walk([](Operation *op) {
    return isa<gpu::BarrierOp, LLVM::FenceOp>(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
  });
  if (!meets.wasInterrupted())
    return;
  for (auto [number, pointer] : llvm::enumerate(plan.pointers))
    if (pointer.written)
      function.removeArgAttr(
          number, StringAttr::get(b.getContext(),
                                  LLVM::LLVMDialect::getNoAliasAttrName()));
}

void KernelEmitter::setBlocksPerUnit(gpu::GPUFuncOp function, int64_t blocks) {
  blocks = std::min(blocks, plan.unitThreads / plan.getThreads());
  if (blocks > 1)
    function->setAttr("arrc.blocks_per_unit", b.getI32IntegerAttr(blocks));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitBlocks() {
  Location loc = launch.getLoc();
  if (failed(emitOps(plan.head)))
    return failure();
  // The number of the block; a grid of 2^31 blocks and more is folded into
  // rows, the last of which may be too long. Blocks that look back count
  // themselves, over all parts of the grid.
  SmallVector<kernel::ForOp> grid = plan.getGrid();
  SmallVector<Value> extents;
  for (auto [d, loop] : llvm::enumerate(grid))
    extents.push_back(plan.hasState() ? getExtent(loop) : parts[d].second);
  Value number, guard;
  if (plan.hasState()) {
    FailureOr<Value> taken = takeNumber(loc);
    if (failed(taken))
      return failure();
    number = *taken;
  } else {
    number = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
  }
  if (indexBits == 64) {
    if (!plan.hasState()) {
      Value row = gpu::BlockIdOp::create(b, loc, gpu::Dimension::y);
      Value width = gpu::GridDimOp::create(b, loc, gpu::Dimension::x);
      Value start = arith::MulIOp::create(b, loc, row, width);
      number = arith::AddIOp::create(b, loc, start, number);
    }
    Value all;
    for (Value extent : extents) {
      if (plan.lookBack && plan.hasTail())
        extent = arith::MaxSIOp::create(b, loc, extent, index(loc, 1));
      all = all ? Value(arith::MulIOp::create(b, loc, all, extent)) : extent;
    }
    guard =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, all);
  }
  Value turn, total;
  LogicalResult done = emitIfTrue(loc, guard, [&] {
    Value rest = number, inside;
    for (unsigned d = grid.size(); d-- > 0;) {
      Value place = rest;
      if (d > 0) {
        place = arith::RemUIOp::create(b, loc, rest, extents[d]);
        rest = arith::DivUIOp::create(b, loc, rest, extents[d]);
      }
      kernel::ForOp loop = grid[d];
      Value iv = place;
      if (!plan.hasState())
        iv = arith::AddIOp::create(b, loc, place, parts[d].first);
      set(loop.getInductionVar(), iv);
      if (!plan.hasTail())
        continue;
      // Of an empty grid one block runs, for the tail.
      Value extent = getExtent(loop);
      inside = both(
          loc, inside,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iv, extent));
      Value zero = index(loc, 0), one = index(loc, 1);
      Value least = arith::MaxSIOp::create(b, loc, extent, one);
      // The block that knows the total of a scan is its last one.
      Value which = zero;
      if (plan.lookBack)
        which = arith::SubIOp::create(b, loc, least, one);
      turn = both(
          loc, turn,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, iv, which));
      total =
          total ? Value(arith::MulIOp::create(b, loc, total, least)) : least;
    }
    if (failed(emitInside(loc, inside)))
      return failure();
    return plan.hasTail() ? emitTail(loc, plan.needsTicket ? total : turn)
                          : success();
  });
  return done;
}

LogicalResult KernelEmitter::emitNestBody() {
  if (plan.nest.empty())
    return emitLookBackLoop(plan.lookBack);
  size_t depth = digits.size();
  for (size_t d = 0; d < plan.nest.size(); ++d) {
    kernel::ForOp loop = plan.nest[d];
    digits.push_back(
        {loop.getDim(), lookup(loop.getInductionVar()), getExtent(loop)});
    if (d + 1 == plan.nest.size())
      continue;
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (!isa<kernel::ForOp>(op))
        emitPlain(&op);
  }
  kernel::ForOp inner = plan.nest.back();
  LogicalResult done = emitBody(*inner.getBodyBlock());
  digits.resize(depth);
  return done;
}

/// `which` is the number of blocks if they take tickets, else whether this is
/// the first block.
LogicalResult KernelEmitter::emitTail(Location loc, Value which) {
  if (!plan.needsTicket)
    return emitIfTrue(loc, which, [&] { return emitOps(plan.tail); });
  auto fence = [&] {
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "device");
  };
  Value zero = index(loc, 0), one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value number;
  auto take = [&] {
    fence();
    Value old = memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi,
                                            one, ticket, zero);
    fence();
    return old;
  };
  Value lead = getLead(loc);
  if (lead) {
    if (failed(emitBarrier(loc)))
      return failure();
    int64_t offset = 0;
    Value shared = getScratch(loc, 1, b.getI32Type(), offset)[0];
    (void)emitIfTrue(loc, lead, [&] {
      memref::StoreOp::create(b, loc, take(), shared, zero);
      return success();
    });
    if (failed(emitBarrier(loc)))
      return failure();
    number = memref::LoadOp::create(b, loc, shared, zero);
    if (failed(touch(loc, &sharedBytes, false)))
      return failure();
  } else {
    number = take();
  }
  Value count = arith::IndexCastOp::create(b, loc, b.getI32Type(), which);
  Value before = arith::SubIOp::create(b, loc, count, one);
  Value last =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, before);
  return emitIfTrue(loc, last, [&] {
    fence();
    if (failed(emitOps(plan.tail)))
      return failure();
    return emitIfTrue(loc, lead, [&] {
      Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
      memref::StoreOp::create(b, loc, none, ticket, zero);
      return success();
    });
  });
}
