//===- LaunchOp.cpp - kernel.launch ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Type LaunchOp::getArgumentType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return type;
}

void LaunchOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     ValueRange inputs, ValueRange outs,
                     ArrayRef<SmallVector<int64_t>> sizes, Value flag) {
  state.addOperands(inputs);
  state.addOperands(outs);
  if (flag)
    state.addOperands(flag);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(outs.size()),
                                    flag ? 1 : 0};
  properties.kernel_name = builder.getStringAttr(name);
  SmallVector<Attribute> lists;
  for (const SmallVector<int64_t> &list : sizes)
    lists.push_back(builder.getDenseI64ArrayAttr(list));
  properties.sizes = builder.getArrayAttr(lists);
  for (Value out : outs)
    if (isa<RankedTensorType>(out.getType()))
      state.addTypes(out.getType());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion());
  for (ValueRange operands : {inputs, outs})
    for (Value operand : operands)
      block->addArgument(getArgumentType(operand.getType()), operand.getLoc());
  LaunchOp::ensureTerminator(*state.regions.front(), builder, state.location);
}

//===----------------------------------------------------------------------===//
// Arguments and sizes
//===----------------------------------------------------------------------===//

BlockArgument LaunchOp::getArgumentOf(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  if (number >= getBodyBlock()->getNumArguments())
    return {};
  return getArgument(number);
}

ArrayRef<int64_t> LaunchOp::getSizesOf(unsigned index) {
  return cast<DenseI64ArrayAttr>(getSizes()[index]).asArrayRef();
}

OpFoldResult LaunchOp::getSize(BlockArgument argument, unsigned dim) {
  auto type = cast<MemRefType>(argument.getType());
  if (!type.isDynamicDim(dim))
    return Builder(getContext()).getIndexAttr(type.getDimSize(dim));
  return getArgument(getSizesOf(argument.getArgNumber())[dim]);
}

OpFoldResult LaunchOp::getOuterSize(unsigned index, unsigned dim) {
  auto size = getSize(getArgument(index), dim);
  if (auto argument = dyn_cast<Value>(size))
    return getOperandOf(cast<BlockArgument>(argument)).get();
  return size;
}

bool LaunchOp::isSize(Value value) {
  for (BlockArgument argument : getBodyBlock()->getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      for (unsigned dim = 0; dim < type.getRank(); ++dim)
        if (getSize(argument, dim) == OpFoldResult(value))
          return true;
  return false;
}

StringRef LaunchOp::getArgName(unsigned index) {
  std::optional<ArrayAttr> names = getArgNames();
  if (!names || index >= names->size())
    return "";
  return cast<StringAttr>((*names)[index]).getValue();
}

void LaunchOp::setArgName(unsigned index, StringRef name) {
  SmallVector<StringRef> names;
  for (unsigned i = 0, e = getBodyBlock()->getNumArguments(); i < e; ++i)
    names.push_back(i == index ? name : getArgName(i));
  setArgNamesAttr(Builder(getContext()).getStrArrayAttr(names));
}

BlockArgument LaunchOp::addInput(Value operand, ArrayRef<int64_t> sizes,
                                 StringRef name, Type type) {
  unsigned position = getNumInputs();
  Builder builder(getContext());
  SmallVector<Attribute> lists;
  SmallVector<StringRef> names;
  unsigned count = getBodyBlock()->getNumArguments();
  for (unsigned i = 0; i <= count; ++i) {
    if (i == position) {
      lists.push_back(builder.getDenseI64ArrayAttr(sizes));
      names.push_back(name);
    }
    if (i < count) {
      lists.push_back(getSizes()[i]);
      names.push_back(getArgName(i));
    }
  }
  getInputsMutable().append(operand);
  BlockArgument argument = getBodyBlock()->insertArgument(
      position, type ? type : getArgumentType(operand.getType()),
      operand.getLoc());
  // Arguments behind the new one have moved by one.
  for (auto [i, list] : llvm::enumerate(lists)) {
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    SmallVector<int64_t> numbers(cast<DenseI64ArrayAttr>(list).asArrayRef());
    for (auto [dim, number] : llvm::enumerate(numbers))
      if (memref && memref.isDynamicDim(dim) && number >= position)
        ++number;
    list = builder.getDenseI64ArrayAttr(numbers);
  }
  setSizesAttr(builder.getArrayAttr(lists));
  if (getArgNames() || !name.empty())
    setArgNamesAttr(builder.getStrArrayAttr(names));
  if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes()) {
    SmallVector<int64_t> moved(*numbers);
    for (int64_t &number : moved)
      number += number >= position;
    setVersionSizes(moved);
  }
  return argument;
}

void LaunchOp::eraseArguments(const llvm::BitVector &which) {
  Builder builder(getContext());
  unsigned count = getBodyBlock()->getNumArguments();
  SmallVector<int64_t> renumbered(count, -1);
  SmallVector<Attribute> lists;
  SmallVector<StringRef> names;
  int64_t next = 0;
  for (unsigned i = 0; i < count; ++i)
    if (!which[i])
      renumbered[i] = next++;
  for (unsigned i = 0; i < count; ++i) {
    if (which[i])
      continue;
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    SmallVector<int64_t> numbers(getSizesOf(i));
    for (auto [dim, number] : llvm::enumerate(numbers))
      if (memref && memref.isDynamicDim(dim)) {
        assert(renumbered[number] >= 0 && "a kept argument names this size");
        number = renumbered[number];
      }
    lists.push_back(builder.getDenseI64ArrayAttr(numbers));
    names.push_back(getArgName(i));
  }
  if (getArgNames())
    setArgNamesAttr(builder.getStrArrayAttr(names));
  if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes()) {
    SmallVector<int64_t> moved;
    for (int64_t number : *numbers)
      moved.push_back(renumbered[number]);
    setVersionSizes(moved);
  }
  unsigned inputs = getNumInputs();
  for (unsigned i = count; i-- > 0;) {
    if (!which[i])
      continue;
    assert((i < inputs || isa<MemRefType>(getOperand(i).getType())) &&
           "a tensor out has a result");
    getBodyBlock()->eraseArgument(i);
    if (i < inputs)
      getInputsMutable().erase(i);
    else
      getOutsMutable().erase(i - inputs);
  }
  setSizesAttr(builder.getArrayAttr(lists));
}

bool LaunchOp::isScheduled() {
  return getBody()
      .walk([](ForOp loop) {
        return loop.getLevelAttr() ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult LaunchOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  unsigned index = getNumInputs();
  for (Value out : getOuts()) {
    if (auto type = dyn_cast<RankedTensorType>(out.getType())) {
      SmallVector<OpFoldResult> shape;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (!type.isDynamicDim(dim)) {
          shape.push_back(builder.getIndexAttr(type.getDimSize(dim)));
          continue;
        }
        OpFoldResult size = getOuterSize(index, dim);
        shape.push_back(
            getValueOrCreateConstantIndexOp(builder, getLoc(), size));
      }
      shapes.push_back(std::move(shape));
    }
    ++index;
  }
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input,
                           SideEffects::DefaultResource::get());
  for (OpOperand &flag : getFlagMutable())
    if (isa<MemRefType>(flag.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &flag,
                           SideEffects::DefaultResource::get());
  bool writes = false;
  for (OpOperand &out : getOutsMutable()) {
    if (!isa<MemRefType>(out.get().getType()))
      continue;
    writes = true;
    effects.emplace_back(MemoryEffects::Read::get(), &out,
                         SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), &out,
                         SideEffects::DefaultResource::get());
  }
  // An index that is never read needs no error; an assert is always heard. What
  // writes memory is kept anyhow, and is asked each time that something in it
  // changes: its body, which may be many versions, is not looked through.
  bool asserts = writes || getBody()
                               .walk([](CheckOp check) {
                                 return check.getKind() == CheckKind::Assert
                                            ? WalkResult::interrupt()
                                            : WalkResult::advance();
                               })
                               .wasInterrupted();
  if (asserts)
    effects.emplace_back(MemoryEffects::Write::get(), ErrorResource::get());
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// launch [C1]: whether `argument` may stand for `operand`.
static bool isArgumentOf(Type operand, Type argument) {
  auto shaped = dyn_cast<ShapedType>(operand);
  auto memref = dyn_cast<MemRefType>(argument);
  if (!shaped || !memref)
    return operand == argument;
  if (shaped.getRank() != memref.getRank() ||
      shaped.getElementType() != memref.getElementType())
    return false;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (!memref.isDynamicDim(dim) &&
        memref.getDimSize(dim) != shaped.getDimSize(dim))
      return false;
  auto buffer = dyn_cast<MemRefType>(operand);
  if (!buffer)
    return memref.getLayout().isIdentity();
  if (memref.getLayout().isIdentity())
    return buffer.getLayout().isIdentity();
  SmallVector<int64_t> from, to;
  int64_t fromOffset, toOffset;
  if (failed(buffer.getStridesAndOffset(from, fromOffset)) ||
      failed(memref.getStridesAndOffset(to, toOffset)))
    return false;
  from.push_back(fromOffset);
  to.push_back(toOffset);
  for (auto [a, b] : llvm::zip(from, to))
    if (b != a && b != ShapedType::kDynamic)
      return false;
  return true;
}

/// launch [C3]
static bool mayBeInLaunch(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (llvm::is_contained({"arith", "math", "complex", "scf", "ub"}, dialect))
    return true;
  if (dialect == "kernel")
    return !isa<LaunchOp, IterateOp>(op);
  return llvm::is_contained(
      {"affine.apply", "affine.min", "affine.max", "array.assume"},
      op->getName().getStringRef());
}

LogicalResult LaunchOp::verify() {
  Block *block = getBodyBlock();
  unsigned count = getInputs().size() + getOuts().size();
  // launch [C1]
  if (block->getNumArguments() != count)
    return emitOpError("[C1] needs one argument an operand");
  for (unsigned i = 0; i < count; ++i)
    if (!isArgumentOf(getOperand(i).getType(), getArgument(i).getType()))
      return emitOpError("[C1] argument ")
             << i << " of type " << getArgument(i).getType()
             << " cannot stand for " << getOperand(i).getType();
  // launch [C2]
  SmallVector<Type> results;
  for (Value out : getOuts())
    if (isa<RankedTensorType>(out.getType()))
      results.push_back(out.getType());
  if (TypeRange(results) != getResultTypes())
    return emitOpError("[C2] needs one result a tensor among the outs");
  // launch [C6]
  if (getSizes().size() != count)
    return emitOpError("[C6] needs the sizes of each argument");
  for (unsigned i = 0; i < count; ++i) {
    auto memref = dyn_cast<MemRefType>(getArgument(i).getType());
    ArrayRef<int64_t> numbers = getSizesOf(i);
    if (static_cast<int64_t>(numbers.size()) != (memref ? memref.getRank() : 0))
      return emitOpError("[C6] the brackets of argument ")
             << i << " must name each of its dimensions";
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      if (!memref.isDynamicDim(dim)) {
        if (number != memref.getDimSize(dim))
          return emitOpError("[C6] argument ")
                 << i << " has size " << memref.getDimSize(dim) << ", not "
                 << number;
      } else if (number < 0 || number >= count ||
                 !getArgument(number).getType().isIndex()) {
        return emitOpError("[C6] a dynamic size of argument ")
               << i << " must be an 'index' argument of the launch";
      }
    }
  }
  if (getArgNames() && getArgNames()->size() != count)
    return emitOpError("needs a name for each argument, or for none");
  // launch [C3]
  Operation *foreign = nullptr;
  getBody().walk([&](Operation *op) {
    if (mayBeInLaunch(op))
      return WalkResult::advance();
    foreign = op;
    return WalkResult::interrupt();
  });
  if (foreign)
    return foreign->emitOpError("[C3] cannot stand in a launch");
  // launch [C4], [C5]
  auto roots = block->getOps<ForOp>();
  bool scheduled = isScheduled();
  for (ForOp root : roots)
    if (scheduled && !root.getLevelAttr())
      return root.emitOpError("[C5] with levels, each root loop has one, and "
                              "that over '")
             << root.getDim() << "' has none";
  // What runs once, after the blocks, may be a launch of its own.
  auto atBlock = [](ForOp root) {
    return root.getLevelKind() == LevelKind::Block;
  };
  bool runsOnce = scheduled && llvm::none_of(roots, atBlock);
  for (Operation &op : *block) {
    if (roots.empty() || runsOnce || isa<ForOp>(op))
      break;
    if (isa<StoreOp, UpdateOp>(op))
      return op.emitOpError("[C4] writes before the first root loop");
  }
  if (std::optional<ArrayAttr> versions = getVersions()) {
    if (getSchedule())
      return emitOpError("has a schedule or versions, not both");
    unsigned symbols = getVersionSizes() ? getVersionSizes()->size() : 0;
    for (auto [i, attr] : llvm::enumerate(*versions)) {
      IntegerSetAttr when = cast<VersionAttr>(attr).getWhen();
      if (static_cast<bool>(when) == (i + 1 == versions->size()))
        return emitOpError("every version but the last has a condition");
      if (!when && cast<VersionAttr>(attr).getSchedule().getIndexBits() != 64)
        return emitOpError("the last version serves all sizes: it has no "
                           "'index 32'");
      if (when && (when.getValue().getNumDims() ||
                   when.getValue().getNumSymbols() != symbols))
        return emitOpError("the condition of version ")
               << i << " needs one symbol for each size after 'of'";
    }
    if (std::optional<ArrayRef<int64_t>> numbers = getVersionSizes())
      for (int64_t number : *numbers)
        if (number < 0 || number >= count ||
            !getArgument(number).getType().isIndex())
          return emitOpError("the sizes after 'of' are 'index' arguments");
  }
  return success();
}
