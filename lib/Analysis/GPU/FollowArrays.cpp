//===- FollowArrays.cpp - Arrays of a kernel, and accesses ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Follower.h"

#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::lanes;

unsigned Follower::addBuffer(Value root, Buffer::Kind kind, std::string name,
                             int64_t alignment) {
  trace.buffers.push_back({kind, root, std::move(name), alignment});
  return trace.buffers.size() - 1;
}

void Follower::setContiguous(View &view, MemRefType type,
                             ArrayRef<std::optional<Form>> sizes) {
  view.elementBytes = getStoredBytes(type.getElementType());
  view.sizes.assign(sizes.begin(), sizes.end());
  view.strides.assign(sizes.size(), std::nullopt);
  std::optional<Form> stride = Form(view.elementBytes);
  for (size_t d = sizes.size(); d-- > 0;) {
    view.strides[d] = stride;
    if (stride && sizes[d])
      stride = *stride * *sizes[d];
    else
      stride.reset();
  }
}

/// The space that an array of a kernel is in.
static Buffer::Kind getKind(Value root, MemRefType type) {
  if (auto space =
          dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace())) {
    if (space.getValue() == gpu::AddressSpace::Workgroup)
      return Buffer::Shared;
    if (space.getValue() == gpu::AddressSpace::Private)
      return Buffer::Private;
    return Buffer::Global;
  }
  if (root.getDefiningOp<memref::AllocaOp>())
    return Buffer::Private;
  if (auto space = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace()))
    return space.getInt() == 3   ? Buffer::Shared
           : space.getInt() == 5 ? Buffer::Private
                                 : Buffer::Global;
  return Buffer::Global;
}

View &Follower::getView(Value array) {
  auto found = views.find(array);
  if (found != views.end())
    return found->second;
  auto type = cast<MemRefType>(array.getType());
  View view;
  Buffer::Kind kind = getKind(array, type);
  int64_t alignment = getStoredBytes(type.getElementType());
  std::string name;
  if (auto argument = dyn_cast<BlockArgument>(array);
      argument && isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())) {
    unsigned number = argument.getArgNumber();
    unsigned arguments = trace.kernel.getNumArguments();
    bool isOwn = number >= arguments;
    unsigned shared = trace.kernel.getNumWorkgroupAttributions();
    name = !isOwn ? "arg" + std::to_string(number)
           : number - arguments < shared
               ? "shared" + std::to_string(number - arguments)
               : "private" + std::to_string(number - arguments - shared);
    if (isOwn)
      kind = number - arguments < shared ? Buffer::Shared : Buffer::Private;
    if (isOwn)
      alignment = 16;
    else if (auto align = trace.kernel.getArgAttrOfType<IntegerAttr>(
                 number, LLVM::LLVMDialect::getAlignAttrName()))
      alignment = align.getInt();
  } else if (kind == Buffer::Private) {
    name = "private";
  } else {
    name = kind == Buffer::Shared ? "shared" : "array";
    alignment = 16;
  }
  // What may be a part of another array.
  auto argument = dyn_cast<BlockArgument>(array);
  bool isRoot =
      argument
          ? isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())
          : isa<memref::AllocaOp, memref::GetGlobalOp>(array.getDefiningOp());
  if (!isRoot)
    trace.opaque.push_back(argument ? argument.getOwner()->getParentOp()
                                    : array.getDefiningOp());
  view.buffer = addBuffer(array, kind, name, alignment);
  trace.buffers.back().isAny = !isRoot;
  view.offset = Form(0);
  SmallVector<std::optional<Form>> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      sizes.push_back(Form(type.getDimSize(d)));
      continue;
    }
    Symbol size;
    size.name = name + "_" + std::to_string(d);
    size.range.low = 0;
    size.range.high = int64_t(1) << 40;
    sizes.push_back(Form::ofSymbol(trace.symbols.add(size)));
  }
  setContiguous(view, type, sizes);
  // What is a pointer says one element.
  bool isPointer = trace.kernel->hasAttr("arrc.args") && kind == Buffer::Global;
  view.hasSizes = !isPointer;
  if (!type.getLayout().isIdentity())
    view.strides.assign(type.getRank(), std::nullopt);
  return views[array] = std::move(view);
}

bool Follower::followView(Operation &op) {
  if (op.getNumResults() != 1 || !isa<MemRefType>(op.getResult(0).getType()))
    return false;
  Value result = op.getResult(0);
  auto type = cast<MemRefType>(result.getType());
  auto sizesOf = [&](ArrayRef<OpFoldResult> sizes) {
    SmallVector<std::optional<Form>> forms;
    for (OpFoldResult size : sizes)
      forms.push_back(getForm(size));
    return forms;
  };
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    View source = getView(cast.getSource()), view;
    view.buffer = source.buffer;
    view.elementBytes = getStoredBytes(type.getElementType());
    std::optional<Form> shift = getForm(cast.getMixedOffsets().front());
    if (source.offset && shift)
      view.offset = *source.offset + *shift * Form(view.elementBytes);
    for (OpFoldResult stride : cast.getMixedStrides()) {
      std::optional<Form> form = getForm(stride);
      view.strides.push_back(
          form ? std::optional(*form * Form(view.elementBytes)) : std::nullopt);
    }
    SmallVector<std::optional<Form>> sizes = sizesOf(cast.getMixedSizes());
    view.sizes.assign(sizes.begin(), sizes.end());
    // Sizes of compiled kernels are there for the type alone.
    view.hasSizes = source.hasSizes;
    views[result] = view;
    return true;
  }
  if (auto part = dyn_cast<memref::ViewOp>(op)) {
    View source = getView(part.getSource()), view;
    view.buffer = source.buffer;
    std::optional<Form> shift = get(part.getByteShift()).form;
    SmallVector<std::optional<Form>> sizes;
    unsigned dynamic = 0;
    for (int64_t d = 0; d < type.getRank(); ++d)
      sizes.push_back(type.isDynamicDim(d)
                          ? get(part.getSizes()[dynamic++]).form
                          : std::optional(Form(type.getDimSize(d))));
    setContiguous(view, type, sizes);
    if (source.offset && shift)
      view.offset = *source.offset + *shift;
    view.hasSizes = true;
    views[result] = view;
    return true;
  }
  if (auto part = dyn_cast<memref::SubViewOp>(op)) {
    View source = getView(part.getSource()), view;
    view.buffer = source.buffer;
    view.elementBytes = source.elementBytes;
    view.offset = source.offset;
    llvm::SmallBitVector dropped = part.getDroppedDims();
    for (unsigned d = 0; d < part.getSourceType().getRank(); ++d) {
      std::optional<Form> shift = getForm(part.getMixedOffsets()[d]),
                          step = getForm(part.getMixedStrides()[d]);
      std::optional<Form> stride = source.strides[d];
      if (view.offset && shift && stride)
        view.offset = *view.offset + *shift * *stride;
      else
        view.offset.reset();
      if (dropped.test(d))
        continue;
      view.strides.push_back(stride && step ? std::optional(*stride * *step)
                                            : std::nullopt);
      view.sizes.push_back(getForm(part.getMixedSizes()[d]));
    }
    view.hasSizes = true;
    views[result] = view;
    return true;
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
    views[result] = View(getView(op.getOperand(0)));
    return true;
  }
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op)) {
    View source = getView(op.getOperand(0)), view;
    SmallVector<std::optional<Form>> sizes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      sizes.push_back(type.isDynamicDim(d)
                          ? std::nullopt
                          : std::optional(Form(type.getDimSize(d))));
    setContiguous(view, type, sizes);
    view.buffer = source.buffer;
    view.offset = source.offset;
    views[result] = view;
    return true;
  }
  if (auto memory = dyn_cast<gpu::DynamicSharedMemoryOp>(op)) {
    // It is one piece of memory however often it is named.
    if (!dynamicShared)
      dynamicShared = addBuffer(result, Buffer::Shared, "shared", 16);
    View view;
    setContiguous(view, type, {std::nullopt});
    view.buffer = *dynamicShared;
    view.offset = Form(0);
    view.strides = {Form(1)};
    views[result] = view;
    return true;
  }
  if (auto arm = dyn_cast<arith::SelectOp>(op)) {
    std::optional<Lanes> taken = decide(get(arm.getCondition()));
    View a = getView(arm.getTrueValue()), b = getView(arm.getFalseValue());
    if (taken && taken->isUniform()) {
      views[result] = (*taken)[0] ? a : b;
      return true;
    }
  }
  getView(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Numbers that blocks take
//===----------------------------------------------------------------------===//

bool Follower::isTicket(const Event &event) const {
  auto add = dyn_cast<memref::AtomicRMWOp>(event.op);
  // All blocks ask at the same place, and once.
  if (!add || !trace.facts.block || !notes() || shadow ||
      add.getKind() != arith::AtomicRMWKind::addi ||
      !matchPattern(add.getValue(), m_One()) || event.times.getNumber() != 1 ||
      !event.address || !event.address->getNumber() || !event.mask->isExact)
    return false;
  // One thread of the block asks.
  int64_t asking = 0;
  for (size_t t = 0; t < trace.threads; ++t)
    asking += event.mask->on[t] != 0;
  return asking == 1 && llvm::all_of(trace.facts.blocks, [](auto count) {
           return count.has_value();
         });
}

Content Follower::takeTicket() {
  Symbol ticket;
  ticket.name = "ticket";
  ticket.isOfBlock = ticket.isData = true;
  int64_t all = 1, own = 0;
  for (unsigned d = 3; d-- > 0;) {
    all *= *trace.facts.blocks[d];
    own = own * *trace.facts.blocks[d] + (*trace.facts.block)[d];
  }
  ticket.range = {0, std::max<int64_t>(all - 1, 0)};
  // Blocks ask in any order, so that none is more in the middle than another.
  ticket.value = own;
  Content content = Content::of(Form::ofSymbol(trace.symbols.add(ticket)));
  content.isData = true;
  return content;
}

void Follower::holdStored(const Event &event, const Content *value) {
  if (!trace.facts.block || trace.buffers[event.buffer].kind != Buffer::Shared)
    return;
  Span touched{0, Span::kHigh};
  if (event.address && event.address->isNumbers()) {
    Lanes at = event.address->getConstant();
    touched = {at.getMin(), at.getMax() + event.bytes};
  }
  for (auto it = held.begin(); it != held.end();) {
    bool meets = it->first.first == event.buffer &&
                 it->first.second < touched.high &&
                 it->first.second + it->second.bytes > touched.low;
    it = meets ? held.erase(it) : std::next(it);
  }
  std::optional<int64_t> place =
      event.address ? event.address->getNumber() : std::nullopt;
  if (place && value && value->form && value->form->isUniform() &&
      event.mask->isExact && event.times.getNumber() == 1 && !shadow)
    held[{event.buffer, *place}] = {*value, epoch, event.bytes};
}

const Content *Follower::findHeld(const Event &event) const {
  std::optional<int64_t> place =
      event.address ? event.address->getNumber() : std::nullopt;
  if (!place || !notes() || event.times.getNumber() != 1)
    return nullptr;
  auto found = held.find({event.buffer, *place});
  return found != held.end() && found->second.bytes == event.bytes &&
                 found->second.epoch < epoch
             ? &found->second.content
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Follower::followAccess(Operation *op, Value array, ValueRange indices,
                            Type accessed, bool reads, bool writes,
                            Value stored) {
  View view = getView(array);
  std::optional<Form> address = view.offset;
  bool isData = false;
  Variance variance = Variance::Block;
  for (auto [d, index] : llvm::enumerate(indices)) {
    const Content &content = get(index);
    isData |= content.isData ||
              (content.form && content.form->hasData(trace.symbols));
    variance = std::max(variance, content.getVariance());
    if (address && content.form && d < view.strides.size() && view.strides[d])
      address = *address + *content.form * *view.strides[d];
    else
      address.reset();
  }
  bool isUniform = address ? address->isUniform() : variance == Variance::Block;
  const Buffer &buffer = trace.buffers[view.buffer];
  Event event;
  event.op = op;
  event.buffer = view.buffer;
  event.address = address;
  event.bytes = getStoredBytes(accessed);
  event.reads = reads;
  event.writes = writes;
  event.isAtomic = (reads && writes) || op->hasAttr("arrc.device_access");
  event.mask = mask;
  event.epoch = epoch;
  event.times = times;
  if (reads && op->getNumResults() == 1) {
    Type type = op->getResult(0).getType();
    Variance of =
        buffer.kind == Buffer::Private ? Variance::Thread
        : writes                       ? Variance::Thread
        : isUniform                    ? Variance::Block
        : (address ? address->isUniformInWarps() : variance == Variance::Warp)
            ? Variance::Warp
            : Variance::Thread;
    bool fromMemory = buffer.kind != Buffer::Private;
    Content result;
    if (isTicket(event))
      result = takeTicket();
    else if (const Content *known = findHeld(event);
             known && type.isIntOrIndex())
      result = *known;
    else
      result = makeUnknown(type, of, fromMemory, "read");
    set(op->getResult(0), result);
  }
  if (!notes() || buffer.kind == Buffer::Private)
    return;
  if (stored) {
    const Content &content = get(stored);
    event.storesSame = content.form ? content.form->isUniform()
                                    : content.variance == Variance::Block;
  }
  if (writes)
    holdStored(event, stored ? &get(stored) : nullptr);
  event.isData = isData && !(address && address->isNumbers());
  event.isUniform = isUniform;
  event.run = run_;
  event.isShadow = shadow > 0;
  if (view.hasSizes)
    for (auto [d, index] : llvm::enumerate(indices))
      event.bounds.push_back({get(index).form, view.sizes[d]});
  trace.events.push_back(std::move(event));
}
