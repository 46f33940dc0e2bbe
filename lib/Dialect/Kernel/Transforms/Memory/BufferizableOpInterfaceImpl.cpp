//===- BufferizableOpInterfaceImpl.cpp - Kernels for bufferization --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What upstream's one-shot bufferization must know of launches and time loops.
//
// A launch writes its outs where they lie; an out counts as read only if its
// old contents matter, and a result may lie where an operand of the same
// elements lies. The body speaks of memrefs already, so that only operands
// change.
//
// A time loop writes every carried array and hands each result back in the
// buffer of its operand or its second one. The arguments of the body are
// writable; a value that the body hands on and that lies in none of the
// buffers is copied by `kernel-plan-memory`.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/BufferizableOpInterfaceImpl.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "../Shared/LaunchAccess.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace arrc;

namespace {

/// The plain memref of a tensor.
MemRefType getPlainType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// The same operation on other operands, its bodies moved over.
Operation *rebuild(RewriterBase &rewriter, Operation *op, ValueRange operands,
                   TypeRange results) {
  Operation *made = Operation::create(
      op->getLoc(), op->getName(), results, operands,
      NamedAttrList(op->getDiscardableAttrDictionary()),
      op->getPropertiesStorage(), BlockRange(), op->getNumRegions());
  for (auto [to, from] : llvm::zip(made->getRegions(), op->getRegions()))
    to.takeBody(from);
  rewriter.insert(made);
  return made;
}

struct LaunchModel
    : public DstBufferizableOpInterfaceExternalModel<LaunchModel,
                                                     kernel::LaunchOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto launch = cast<kernel::LaunchOp>(op);
    BlockArgument argument = launch.getArgumentOf(operand);
    if (!argument)
      return true;
    return launch.isDpsInit(&operand)
               ? kernel::needsOldContents(launch, argument)
               : kernel::readsArgument(launch, argument);
  }

  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    auto launch = cast<kernel::LaunchOp>(op);
    for (OpOperand *written : operands) {
      if (!launch.isDpsInit(written))
        continue;
      for (OpOperand *read : operands) {
        BlockArgument from = launch.getArgumentOf(*read);
        // The flag is read before anything is written; an out that is not
        // read has no reader to disturb.
        if (!from || read == written)
          continue;
        if (!kernel::isElementwise(launch, from,
                                   launch.getArgumentOf(*written)))
          return false;
      }
    }
    return true;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto launch = cast<kernel::LaunchOp>(op);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    SmallVector<Value> results(ValueRange(operands).slice(
        launch.getNumInputs(), launch.getOuts().size()));
    auto made =
        cast<kernel::LaunchOp>(rebuild(rewriter, op, operands, TypeRange()));
    // Arguments take the strides of what they stand for.
    for (BlockArgument argument : made.getBodyBlock()->getArguments()) {
      auto inner = dyn_cast<MemRefType>(argument.getType());
      auto outer =
          dyn_cast<MemRefType>(made.getOperandOf(argument).get().getType());
      if (inner && outer)
        argument.setType(MemRefType::get(
            inner.getShape(), inner.getElementType(), outer.getLayout()));
    }
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

/// Names for sizes and fences need no buffer of their own.
template <typename Op>
struct SameArrayModel
    : public BufferizableOpInterface::ExternalModel<SameArrayModel<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> buffer =
        getBuffer(rewriter, op->getOperand(0), options, state);
    if (failed(buffer))
      return failure();
    replaceOpWithBufferizedValues(rewriter, op, *buffer);
    return success();
  }
};

/// A function from outside reads its inputs and writes the whole of its outs,
/// all of them dense.
struct ExternModel
    : public DstBufferizableOpInterfaceExternalModel<ExternModel,
                                                     array::ExternOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<array::ExternOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto call = cast<array::ExternOp>(op);
    Location loc = op->getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands, results;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      operands.push_back(value);
      if (!isa<TensorType>(value.getType()))
        continue;
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      operands.back() = *buffer;
      if (call.isDpsInit(&operand))
        results.push_back(*buffer);
      if (cast<MemRefType>(buffer->getType()).getLayout().isIdentity())
        continue;
      SmallVector<Value> sizes;
      MemRefType type = getPlainType(value.getType());
      for (int64_t d = 0; d < type.getRank(); ++d)
        if (type.isDynamicDim(d))
          sizes.push_back(memref::DimOp::create(rewriter, loc, *buffer, d));
      FailureOr<Value> dense = options.createAlloc(rewriter, loc, type, sizes);
      if (failed(dense))
        return failure();
      operands.back() = *dense;
      if (!call.isDpsInit(&operand) &&
          failed(options.createMemCpy(rewriter, loc, *buffer, *dense)))
        return failure();
    }
    rebuild(rewriter, op, operands, TypeRange());
    ValueRange made = ValueRange(operands).take_back(call.getOuts().size());
    for (auto [from, to] : llvm::zip(made, results))
      if (from != to && failed(options.createMemCpy(rewriter, loc, from, to)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

struct IterateModel
    : public BufferizableOpInterface::ExternalModel<IterateModel,
                                                    kernel::IterateOp> {
  /// The number of the carried array, or none for the flag.
  static std::optional<unsigned> getCarriedIndex(kernel::IterateOp op,
                                                 OpOperand &operand) {
    unsigned first = op.getCarried().getBeginOperandIndex();
    if (operand.getOperandNumber() < first)
      return std::nullopt;
    return operand.getOperandNumber() - first;
  }

  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &state) const {
    auto loop = cast<kernel::IterateOp>(op);
    std::optional<unsigned> k = getCarriedIndex(loop, operand);
    // A loop that runs no time at all gives its initial values back.
    std::optional<int64_t> times =
        loop.getTimes() ? getConstantIntValue(loop.getTimes()) : std::nullopt;
    bool mayRunNever = loop.getFlag() || !times || *times <= 0;
    return !k || mayRunNever || state.isValueRead(loop.getCarriedArgs()[*k]);
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return getCarriedIndex(cast<kernel::IterateOp>(op), operand).has_value();
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &state) const {
    auto loop = cast<kernel::IterateOp>(op);
    std::optional<unsigned> k = getCarriedIndex(loop, operand);
    if (!k)
      return {};
    bool isInPlace =
        !loop.getRotates()[*k] &&
        state.areEquivalentBufferizedValues(
            loop.getCarriedArgs()[*k], loop.getContinue().getCarried()[*k]);
    return {{loop.getResult(*k),
             isInPlace ? BufferRelation::Equivalent : BufferRelation::Unknown,
             /*isDefinite=*/isInPlace}};
  }

  bool isWritable(Operation *op, Value value, const AnalysisState &) const {
    // The flag may still be what the caller gave.
    return value != cast<kernel::IterateOp>(op).getFlagArg();
  }

  bool isRepetitiveRegion(Operation *, unsigned) const { return true; }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(getPlainType(value.getType()));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto loop = cast<kernel::IterateOp>(op);
    Location loc = op->getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Value flag;
    if (loop.getFlag()) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, loop.getFlag(), options, state);
      if (failed(buffer))
        return failure();
      flag = *buffer;
    }
    SmallVector<Value> carried, spares;
    for (auto [k, init] : llvm::enumerate(loop.getCarried())) {
      FailureOr<Value> buffer = getBuffer(rewriter, init, options, state);
      if (failed(buffer))
        return failure();
      MemRefType type = getPlainType(init.getType());
      auto isPlain =
          cast<MemRefType>(buffer->getType()).getLayout().isIdentity();
      SmallVector<Value> sizes;
      for (OpFoldResult size : loop.getMixedSizes(k))
        if (auto value = dyn_cast<Value>(size))
          sizes.push_back(value);
      if (!isPlain) {
        FailureOr<Value> copy = options.createAlloc(rewriter, loc, type, sizes);
        if (failed(copy) ||
            failed(options.createMemCpy(rewriter, loc, *buffer, *copy)))
          return failure();
        buffer = copy;
      }
      if (buffer->getType() != type)
        buffer =
            memref::CastOp::create(rewriter, loc, type, *buffer).getResult();
      carried.push_back(*buffer);
      if (!loop.getRotates()[k])
        continue;
      FailureOr<Value> spare = options.createAlloc(rewriter, loc, type, sizes);
      if (failed(spare))
        return failure();
      spares.push_back(*spare);
    }
    auto made =
        kernel::IterateOp::create(rewriter, loc, loop.getTimes(), flag, carried,
                                  loop.getRotates(), loop.getSizes(), spares);
    if (loop.getStrategyAttr())
      made.setStrategyAttr(loop.getStrategyAttr());
    if (loop.getBatchAttr())
      made.setBatchAttr(loop.getBatchAttr());
    // The old body sees the new arguments as tensors.
    rewriter.setInsertionPointToStart(made.getBodyBlock());
    SmallVector<Value> arguments;
    for (auto [from, to] : llvm::zip(loop.getBodyBlock()->getArguments(),
                                     made.getBodyBlock()->getArguments())) {
      if (from.getType() == to.getType())
        arguments.push_back(to);
      else
        arguments.push_back(
            ToTensorOp::create(rewriter, loc, from.getType(), to));
    }
    rewriter.mergeBlocks(loop.getBodyBlock(), made.getBodyBlock(), arguments);
    replaceOpWithBufferizedValues(rewriter, op,
                                  made.getResults().take_front(carried.size()));
    return success();
  }
};

struct ContinueModel
    : public BufferizableOpInterface::ExternalModel<ContinueModel,
                                                    kernel::ContinueOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto next = cast<kernel::ContinueOp>(op);
    SmallVector<Value> buffers;
    for (Value value : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      MemRefType type = getPlainType(value.getType());
      if (buffer->getType() != type)
        buffer = memref::CastOp::create(rewriter, op->getLoc(), type, *buffer)
                     .getResult();
      buffers.push_back(*buffer);
    }
    ValueRange all(buffers);
    Value flag = next.getFlag() ? all.front() : Value();
    rewriter.replaceOpWithNewOp<kernel::ContinueOp>(
        op, flag, flag ? all.drop_front() : all);
    return success();
  }
};

} // namespace

void kernel::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, array::ArrayDialect *) {
    array::BindOp::attachInterface<SameArrayModel<array::BindOp>>(*context);
    array::FenceOp::attachInterface<SameArrayModel<array::FenceOp>>(*context);
    array::ExternOp::attachInterface<ExternModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, KernelDialect *) {
    LaunchOp::attachInterface<LaunchModel>(*context);
    IterateOp::attachInterface<IterateModel>(*context);
    ContinueOp::attachInterface<ContinueModel>(*context);
    context->loadDialect<BufferizationDialect, memref::MemRefDialect>();
  });
}
