//===- MemoryPlan.cpp - Which buffers a function has, and when ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/MemoryPlan.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Where buffers go
//===----------------------------------------------------------------------===//

/// Adds what may lie in the buffers of `op`'s operand `use`, beyond `op`
/// itself.
static void follow(OpOperand &use, llvm::SetVector<Value> &names) {
  Operation *op = use.getOwner();
  auto addAll = [&](ValueRange values) {
    for (Value value : values)
      if (isa<MemRefType>(value.getType()))
        names.insert(value);
  };
  if (auto loop = dyn_cast<kernel::IterateOp>(op)) {
    // The buffers of a time loop that are alike change places in every step.
    for (ValueRange group : {ValueRange(loop.getBodyBlock()->getArguments()),
                             ValueRange(loop.getResults())})
      for (Value value : group)
        if (value.getType() == use.get().getType())
          names.insert(value);
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
             loop && !isa<kernel::LaunchOp>(op)) {
    if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use))
      names.insert(argument);
    if (OpResult result = loop.getTiedLoopResult(&use))
      names.insert(result);
  } else if (isa<scf::YieldOp, kernel::ContinueOp>(op)) {
    Operation *parent = op->getParentOp();
    if (isa<scf::IfOp>(parent))
      addAll(parent->getResult(use.getOperandNumber()));
  } else if (isa<ViewLikeOpInterface, arith::SelectOp>(op)) {
    addAll(op->getResults());
  }
}

/// All values that may show the buffer `root`.
static llvm::SetVector<Value> findNames(Value root) {
  llvm::SetVector<Value> names;
  names.insert(root);
  for (unsigned i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses())
      follow(use, names);
  return names;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {
/// The host's operations in program order, and the kernels among them.
struct HostOrder {
  explicit HostOrder(func::FuncOp function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      first[op] = next++;
      if (auto launch = dyn_cast<kernel::LaunchOp>(op)) {
        // Versions of one kernel have one name.
        auto [name, isNew] =
            names.insert({launch.getKernelName(), names.size() + 1});
        if (isNew)
          places.push_back(launch.getLoc());
        kernels[launch] = name->second;
        last[op] = first[op];
        return WalkResult::skip();
      }
      return WalkResult::advance();
    });
    // An operation with regions ends where the last one in it does.
    function.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (!first.contains(op))
        return;
      unsigned end = first[op];
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Operation &inner : block)
            if (auto it = last.find(&inner); it != last.end())
              end = std::max(end, it->second);
      last[op] = std::max(last.lookup(op), end);
    });
  }

  llvm::DenseMap<Operation *, unsigned> first, last, kernels;
  llvm::StringMap<unsigned> names;
  SmallVector<Location> places;
  unsigned next = 0;
};
} // namespace

/// Whether the launch loads from `argument`.
static bool loadsFrom(kernel::LaunchOp launch, BlockArgument argument) {
  return launch.getBody()
      .walk([&](Operation *op) {
        return Access::isAccess(op) && Access(op).reads &&
                       op->getOperands().size() &&
                       llvm::is_contained(op->getOperands(), argument)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What a launch does with the memrefs among `names`.
static void addLaunch(PlannedBuffer &buffer, kernel::LaunchOp launch,
                      unsigned number, const llvm::SetVector<Value> &names) {
  buffer.firstKernel = buffer.firstKernel ? buffer.firstKernel : number;
  buffer.lastKernel = number;
  // Two buffers that change places have all their names in common: in place is
  // what is read and written under one.
  bool writes = false, both = false;
  for (OpOperand &out : launch.getOutsMutable()) {
    if (!names.contains(out.get()))
      continue;
    writes = true;
    for (OpOperand &operand : launch->getOpOperands()) {
      BlockArgument argument = launch.getArgumentOf(operand);
      both |=
          operand.get() == out.get() && argument && loadsFrom(launch, argument);
    }
  }
  if (both)
    buffer.inPlace.push_back(number);
  else if (writes && buffer.firstKernel != number)
    buffer.reusedBy.push_back(number);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// A buffer that begins with `root`, without its life.
static PlannedBuffer describeBuffer(Value root, ValueRange dynamicSizes) {
  auto type = cast<MemRefType>(root.getType());
  PlannedBuffer buffer(describeArray(root), root.getLoc());
  llvm::raw_string_ostream(buffer.element) << type.getElementType();
  buffer.elementBytes = getStoredBytes(type.getElementType());
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      buffer.shape.push_back(std::to_string(size));
      buffer.sizes.emplace_back(size);
      continue;
    }
    Value value = next < dynamicSizes.size() ? dynamicSizes[next++] : Value();
    if (!value) {
      buffer.shape.push_back("?");
      buffer.sizes.emplace_back();
      continue;
    }
    std::string text = describeSize(value);
    buffer.shape.push_back(text.empty() ? "?" : text);
    buffer.sizes.emplace_back(value);
  }
  return buffer;
}

/// Says of an allocation what lies in it, if arrays do beside each other.
static void describePlanes(PlannedBuffer &buffer,
                           const llvm::SetVector<Value> &names) {
  std::map<int64_t, memref::ViewOp> planes;
  for (Value value : names)
    for (Operation *user : value.getUsers())
      if (std::optional<Plane> plane = user->getNumResults() == 1
                                           ? getPlane(user->getResult(0))
                                           : std::nullopt)
        planes.try_emplace(plane->first, cast<memref::ViewOp>(user));
  if (planes.empty())
    return;
  // Elements in order, and the sizes that all have.
  SmallVector<std::pair<std::string, unsigned>> elements;
  memref::ViewOp least;
  for (auto &[first, view] : planes) {
    MemRefType type = view.getType();
    std::string element;
    llvm::raw_string_ostream(element) << type.getElementType();
    if (!elements.empty() && elements.back().first == element)
      ++elements.back().second;
    else
      elements.emplace_back(element, 1);
    if (!least || type.getRank() < least.getType().getRank())
      least = view;
  }
  buffer.element.clear();
  for (auto &[element, count] : elements) {
    buffer.element += buffer.element.empty() ? "" : ", ";
    buffer.element +=
        (count > 1 ? std::to_string(count) + " x " : "") + element;
  }
  buffer.shape = describeBuffer(least, least.getSizes()).shape;
  StringRef name = buffer.name;
  if (name.consume_front("the array "))
    buffer.name = ("the arrays " + name).str();
  else if (name.contains('.'))
    buffer.name = (name.split('.').first + "'").str();
}

MemoryPlan::MemoryPlan(func::FuncOp function) : name(function.getName()) {
  HostOrder order(function);
  kernels.assign(order.places.begin(), order.places.end());
  unsigned whole = order.next;
  auto add = [&](PlannedBuffer buffer, Value root, unsigned begin) {
    buffer.begin = buffer.end = begin;
    llvm::SetVector<Value> names = findNames(root);
    llvm::DenseMap<unsigned, kernel::LaunchOp> launches;
    SmallVector<unsigned> numbers;
    for (Value value : names)
      for (Operation *user : value.getUsers()) {
        if (isa<func::ReturnOp>(user)) {
          buffer.isResult = true;
          buffer.end = whole;
          if (buffer.name.front() != '\'')
            buffer.name = describeArray(value);
        }
        if (auto launch = dyn_cast<kernel::LaunchOp>(user))
          if (launches.insert({order.kernels.lookup(launch), launch}).second)
            numbers.push_back(order.kernels.lookup(launch));
        // What is carried lives as long as its loop.
        buffer.end = std::max(buffer.end, order.last.lookup(user));
      }
    describePlanes(buffer, names);
    llvm::sort(numbers);
    for (unsigned number : numbers)
      addLaunch(buffer, launches[number], number, names);
    // The second buffer of a rotating array.
    for (const PlannedBuffer &other : buffers)
      if (buffer.isResult && other.isResult && other.name == buffer.name)
        buffer.name += ", second";
    buffers.push_back(std::move(buffer));
  };

  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    PlannedBuffer buffer = describeBuffer(argument, {});
    buffer.isParameter = true;
    auto params = function->getAttrOfType<ArrayAttr>("arrc.params");
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d))
        continue;
      buffer.sizes[d] = SizeExpression::ofParameter(argument.getArgNumber(), d);
      auto entry =
          params ? dyn_cast<DictionaryAttr>(params[argument.getArgNumber()])
                 : DictionaryAttr();
      auto dims = entry ? entry.getAs<ArrayAttr>("dims") : ArrayAttr();
      if (dims && uint64_t(d) < dims.size())
        if (auto text = dyn_cast<StringAttr>(dims[d]))
          buffer.shape[d] = text.str();
    }
    add(std::move(buffer), argument, 0);
    buffers.back().end = whole; // the caller's
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<kernel::LaunchOp>(op))
      return WalkResult::skip();
    numCopies += isa<memref::CopyOp>(op);
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc)
      return WalkResult::advance();
    PlannedBuffer buffer = describeBuffer(alloc, alloc.getDynamicSizes());
    buffer.isWorkspace = alloc->hasAttr("kernel.workspace");
    if (buffer.isWorkspace)
      buffer.name = "workspace";
    buffer.isInLoop = alloc->getParentOfType<LoopLikeOpInterface>() != nullptr;
    add(std::move(buffer), alloc, order.first[op]);
    return WalkResult::advance();
  });
}

std::optional<int64_t>
PlannedBuffer::getBytes(const SizeExpression::Parameters &parameters) const {
  int64_t bytes = elementBytes;
  for (const SizeExpression &size : sizes) {
    std::optional<int64_t> number = size.evaluate(parameters);
    if (!number)
      return std::nullopt;
    bytes *= std::max<int64_t>(*number, 0);
  }
  return bytes;
}

std::optional<int64_t>
MemoryPlan::getPeak(const SizeExpression::Parameters &parameters,
                    llvm::function_ref<int64_t(int64_t)> round) const {
  int64_t peak = 0;
  for (const PlannedBuffer &at : buffers) {
    int64_t sum = 0;
    for (const PlannedBuffer &buffer : buffers)
      if (buffer.begin <= at.begin && at.begin <= buffer.end) {
        std::optional<int64_t> bytes = buffer.getBytes(parameters);
        if (!bytes)
          return std::nullopt;
        sum += round(*bytes);
      }
    peak = std::max(peak, sum);
  }
  return peak;
}
