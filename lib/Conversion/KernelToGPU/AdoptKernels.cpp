//===- AdoptKernels.cpp - Kernels as people write them --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   gpu.func @k(%x : memref<?x8xf32>, %n : index)
//       workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>) kernel
//   gpu.launch_func @m::@k .. args(%a : memref<?x8xf32>, %n : index)
//   ->
//   gpu.func @k(%p : memref<1xf32, global>, %d : index, %n : index) kernel
//       attributes {arrc.args = "p88"} {
//     %x = memref.reinterpret_cast %p to offset: [0], sizes: [%d, 8], ..
//     %s = memref.view (gpu.dynamic_shared_memory)
//   gpu.launch_func @m::@k .. dynamic_shared_memory_size 256
//       args(cast %a, dim %a, %n)
//
// Arrays become a pointer and the sizes that their types leave open, memory of
// a block what each launch asks for. The runtime knows no tokens: what it is
// told runs in order.
//
//===----------------------------------------------------------------------===//

#include "AdoptHost.h"

#include "arrc/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace arrc {
#define GEN_PASS_DEF_ADOPTKERNELSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

/// Places of arrays of a block.
static constexpr int64_t kAlign = 16;

static bool isIn(MemRefType type, gpu::AddressSpace space, int64_t number) {
  Attribute is = type.getMemorySpace();
  if (auto known = dyn_cast_if_present<gpu::AddressSpaceAttr>(is))
    return known.getValue() == space;
  auto given = dyn_cast_if_present<IntegerAttr>(is);
  return given && given.getInt() == number;
}

/// Bytes of an element; 0 if it cannot be handed over.
static int64_t getBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getBytes(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.hasStaticShape() && !vector.isScalable()
               ? vector.getNumElements() * getBytes(vector.getElementType())
               : 0;
  if (element.isIndex())
    return 8;
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 0;
}

/// Gives `value` a type, and what are views of it the memory that it is in.
static void setMemory(Value value, MemRefType type) {
  value.setType(type);
  for (Operation *user : value.getUsers())
    if (auto view = dyn_cast<ViewLikeOpInterface>(user);
        view && view.getViewSource() == value && user->getNumResults() == 1)
      if (auto is = dyn_cast<MemRefType>(user->getResult(0).getType()))
        setMemory(user->getResult(0),
                  MemRefType::get(is.getShape(), is.getElementType(),
                                  is.getLayout(), type.getMemorySpace()));
}

namespace {
/// One kernel and its launches.
class Adoption {
public:
  Adoption(gpu::GPUFuncOp kernel, ArrayRef<gpu::LaunchFuncOp> launches)
      : kernel(kernel), launches(launches), b(kernel.getContext()) {}

  LogicalResult run();

private:
  LogicalResult check();
  void adoptArguments();
  void adoptMemory();
  void adoptLaunch(gpu::LaunchFuncOp launch);
  void setBlockSize();
  gpu::AddressSpaceAttr space(gpu::AddressSpace is) {
    return gpu::AddressSpaceAttr::get(b.getContext(), is);
  }
  MemRefType pointerTo(MemRefType array) {
    return MemRefType::get({1}, array.getElementType(), AffineMap(),
                           space(gpu::AddressSpace::Global));
  }

  gpu::GPUFuncOp kernel;
  ArrayRef<gpu::LaunchFuncOp> launches;
  OpBuilder b;
  /// The types of the arguments as they were.
  SmallVector<Type> types;
  /// Bytes of a block that the kernel names.
  int64_t shared = 0;
};
} // namespace

LogicalResult Adoption::check() {
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto refuse = [&](StringRef why) {
      return kernel.emitError("argument ")
             << number << " of kernel '" << kernel.getName() << "' is " << type
             << ", " << why;
    };
    if (auto array = dyn_cast<MemRefType>(type)) {
      if (!array.getLayout().isIdentity())
        return refuse("and arrays of kernels are dense");
      if (array.getMemorySpace() && !isIn(array, gpu::AddressSpace::Global, 1))
        return refuse("which is no memory of the device");
      if (!getBytes(array.getElementType()))
        return refuse("whose elements cannot be handed over");
    } else if (!type.isIntOrIndexOrFloat() || type.isBF16()) {
      return refuse("which cannot be handed over");
    }
  }
  for (BlockArgument own : kernel.getWorkgroupAttributions())
    if (auto type = cast<MemRefType>(own.getType());
        !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !getBytes(type.getElementType()))
      return kernel.emitError(
                 "memory of a block has a known size, and kernel '")
             << kernel.getName() << "' has " << type;
  WalkResult views = kernel.walk([&](gpu::DynamicSharedMemoryOp memory) {
    bool isViewed =
        llvm::all_of(memory->getUsers(), llvm::IsaPred<memref::ViewOp>);
    if (isViewed || kernel.getNumWorkgroupAttributions() == 0)
      return WalkResult::advance();
    memory.emitError(
        "memory of a block beside the kernel's own is read through "
        "memref.view");
    return WalkResult::interrupt();
  });
  return failure(views.wasInterrupted());
}

void Adoption::adoptArguments() {
  Block &entry = kernel.getBody().front();
  b.setInsertionPointToStart(&entry);
  Location loc = kernel.getLoc();
  llvm::append_range(types, kernel.getArgumentTypes());
  SmallVector<Type> now;
  std::string letters;
  unsigned at = 0;
  auto bits =
      kernel->getParentOp()->getAttrOfType<IntegerAttr>("arrc.index_bits");
  char indexLetter = bits && bits.getInt() == 32 ? '4' : '8';
  for (Type type : types) {
    auto array = dyn_cast<MemRefType>(type);
    if (!array) {
      Type passed = type.isInteger(1) ? Type(b.getI8Type()) : type;
      now.push_back(passed);
      letters += type.isIndex() ? indexLetter : char('0' + getBytes(type));
      BlockArgument argument = entry.getArgument(at++);
      if (passed == type)
        continue;
      argument.setType(passed);
      auto value = arith::TruncIOp::create(b, loc, type, argument);
      argument.replaceAllUsesExcept(value, value);
      continue;
    }
    now.push_back(pointerTo(array));
    letters += 'p';
    BlockArgument pointer = entry.getArgument(at++);
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : array.getShape()) {
      if (!ShapedType::isDynamic(size)) {
        sizes.push_back(b.getIndexAttr(size));
        continue;
      }
      now.push_back(b.getIndexType());
      letters += indexLetter;
      sizes.push_back(entry.insertArgument(at++, b.getIndexType(), loc));
    }
    SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
    for (size_t d = sizes.size(); d-- > 1;) {
      auto known = getConstantIntValue(sizes[d]);
      auto inner = getConstantIntValue(strides[d]);
      if (known && inner) {
        strides[d - 1] = b.getIndexAttr(*known * *inner);
        continue;
      }
      auto value = [&](OpFoldResult size) {
        return getValueOrCreateConstantIndexOp(b, loc, size);
      };
      strides[d - 1] = OpFoldResult(
          arith::MulIOp::create(b, loc, value(sizes[d]), value(strides[d])));
    }
    auto placed =
        MemRefType::get(array.getShape(), array.getElementType(), AffineMap(),
                        space(gpu::AddressSpace::Global));
    pointer.setType(pointerTo(array));
    auto view = memref::ReinterpretCastOp::create(
        b, loc, placed, pointer, b.getIndexAttr(0), sizes, strides);
    pointer.replaceAllUsesExcept(view, view);
    setMemory(view, placed);
  }
  kernel.setFunctionType(b.getFunctionType(now, {}));
  // What was said of the arguments has other places now.
  kernel.removeArgAttrsAttr();
  kernel->setAttr("arrc.args", b.getStringAttr(letters));
}

void Adoption::adoptMemory() {
  Block &entry = kernel.getBody().front();
  Location loc = kernel.getLoc();
  b.setInsertionPointToStart(&entry);
  SmallVector<gpu::DynamicSharedMemoryOp> before;
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { before.push_back(op); });
  auto bytes =
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), AffineMap(),
                      space(gpu::AddressSpace::Workgroup));
  Value room;
  for (BlockArgument own : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(own.getType());
    type = MemRefType::get(type.getShape(), type.getElementType(), AffineMap(),
                           space(gpu::AddressSpace::Workgroup));
    if (!room)
      room = gpu::DynamicSharedMemoryOp::create(b, loc, bytes);
    Value place = arith::ConstantIndexOp::create(b, loc, shared);
    Value view =
        memref::ViewOp::create(b, loc, type, room, place, ValueRange());
    own.replaceAllUsesWith(view);
    setMemory(view, type);
    shared += llvm::alignTo(
        type.getNumElements() * getBytes(type.getElementType()), kAlign);
  }
  for (BlockArgument own : kernel.getPrivateAttributions()) {
    auto type = cast<MemRefType>(own.getType());
    type = MemRefType::get(type.getShape(), type.getElementType());
    Value array = memref::AllocaOp::create(b, loc, type);
    own.replaceAllUsesWith(array);
    setMemory(array, type);
  }
  unsigned count = kernel.getNumArguments();
  entry.eraseArguments(count, entry.getNumArguments() - count);
  kernel->setAttr(kernel.getNumWorkgroupAttributionsAttrName(),
                  b.getI64IntegerAttr(0));
  kernel.removeWorkgroupAttribAttrsAttr();
  kernel.removePrivateAttribAttrsAttr();
  if (shared == 0)
    return;
  // What a launch asked for lies behind.
  for (gpu::DynamicSharedMemoryOp op : before)
    for (Operation *user : op->getUsers()) {
      auto view = cast<memref::ViewOp>(user);
      b.setInsertionPoint(view);
      Value skip = arith::ConstantIndexOp::create(b, loc, shared);
      view.getByteShiftMutable().assign(
          arith::AddIOp::create(b, loc, view.getByteShift(), skip));
    }
}

void Adoption::adoptLaunch(gpu::LaunchFuncOp launch) {
  b.setInsertionPoint(launch);
  Location loc = launch.getLoc();
  SmallVector<Value> operands;
  for (auto [operand, type] : llvm::zip(launch.getKernelOperands(), types)) {
    auto array = dyn_cast<MemRefType>(type);
    if (!array) {
      operands.push_back(type.isInteger(1) ? arith::ExtUIOp::create(
                                                 b, loc, b.getI8Type(), operand)
                                                 .getResult()
                                           : operand);
      continue;
    }
    operands.push_back(
        UnrealizedConversionCastOp::create(b, loc, pointerTo(array), operand)
            .getResult(0));
    for (int64_t d = 0; d < array.getRank(); ++d)
      if (array.isDynamicDim(d))
        operands.push_back(memref::DimOp::create(b, loc, operand, d));
  }
  launch.getKernelOperandsMutable().assign(operands);
  if (shared == 0)
    return;
  Value size = arith::ConstantIntOp::create(b, loc, shared, 32);
  if (Value asked = launch.getDynamicSharedMemorySize())
    size = arith::AddIOp::create(b, loc, size, asked);
  launch.getDynamicSharedMemorySizeMutable().assign(size);
}

void Adoption::setBlockSize() {
  if (kernel.getKnownBlockSize() || launches.empty())
    return;
  std::optional<SmallVector<int32_t>> size;
  for (gpu::LaunchFuncOp launch : launches) {
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    SmallVector<int32_t> is;
    for (Value extent : {block.x, block.y, block.z}) {
      APInt number;
      if (!matchPattern(extent, m_ConstantInt(&number)))
        return;
      is.push_back(int32_t(number.getSExtValue()));
    }
    if (size && *size != is)
      return;
    size = is;
  }
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr(*size));
}

LogicalResult Adoption::run() {
  if (failed(check()))
    return failure();
  adoptArguments();
  adoptMemory();
  for (gpu::LaunchFuncOp launch : launches)
    adoptLaunch(launch);
  setBlockSize();
  return success();
}

//===----------------------------------------------------------------------===//
// The host's part
//===----------------------------------------------------------------------===//

/// The name of a type of elements for the runtime; "" if there is none.
static std::string nameElement(Type type) {
  if (type.isInteger(1))
    return "bool";
  if (isa<IntegerType, FloatType>(type) && !type.isInteger(128)) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return name;
  }
  return "";
}

/// What the runtime has to know of values; null if they cannot be handed over.
static ArrayAttr describe(Builder &b, TypeRange types, StringRef word) {
  SmallVector<Attribute> facts;
  for (auto [number, type] : llvm::enumerate(types)) {
    auto array = dyn_cast<MemRefType>(type);
    std::string element = nameElement(array ? array.getElementType() : type);
    if (element.empty() || (array && !array.getLayout().isIdentity()))
      return {};
    std::string name = (word + Twine(number)).str(), text = element;
    SmallVector<Attribute> dims;
    for (int64_t d = 0; array && d < array.getRank(); ++d) {
      std::string dim = array.isDynamicDim(d)
                            ? name + "_" + std::to_string(d)
                            : std::to_string(array.getDimSize(d));
      text += (d == 0 ? "[" : ", ") + dim;
      dims.push_back(b.getStringAttr(dim));
    }
    text += dims.empty() ? "" : "]";
    NamedAttrList list;
    list.set("name", b.getStringAttr(name));
    list.set("type", b.getStringAttr(text));
    list.set("element", b.getStringAttr(element));
    list.set("rank", b.getI64IntegerAttr(dims.size()));
    list.set("dims", b.getArrayAttr(dims));
    facts.push_back(list.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(facts);
}

/// Where nothing is exported, all that can be called is.
static void exportFunctions(ModuleOp module) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (llvm::any_of(functions, [](func::FuncOp function) {
        return function->hasAttr("arrc.export");
      }))
    return;
  Builder b(module.getContext());
  for (func::FuncOp function : functions) {
    if (function.isPrivate() || function.isExternal())
      continue;
    ArrayAttr params = describe(b, function.getArgumentTypes(), "in");
    ArrayAttr results = describe(b, function.getResultTypes(), "out");
    if (!params || !results)
      continue;
    function->setAttr("arrc.export", b.getUnitAttr());
    function->setAttr("arrc.params", params);
    function->setAttr("arrc.results", results);
  }
}

/// Writes what no target has (reductions of blocks and of lanes, numbers of
/// threads in the grid) by what each has. The memory that it takes is adopted.
static LogicalResult expandOperations(gpu::GPUModuleOp group) {
  RewritePatternSet patterns(group.getContext());
  populateGpuAllReducePatterns(patterns);
  populateGpuGlobalIdPatterns(patterns);
  populateGpuSubgroupIdPatterns(patterns);
  // Lanes exchange values of 32 bits, and there are 32 where they do.
  constexpr unsigned lanes = 32, bits = 32;
  populateGpuBreakDownSubgroupReducePatterns(patterns, bits, PatternBenefit(2));
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, lanes, bits);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, lanes,
                                                           bits);
  return applyPatternsGreedily(group, std::move(patterns));
}

namespace {
struct AdoptKernelsPass : arrc::impl::AdoptKernelsPassBase<AdoptKernelsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    AdoptKernelsPassBase::getDependentDialects(registry);
    registry.insert<cf::ControlFlowDialect, DLTIDialect, index::IndexDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  }

  /// Kernels may stand where they are launched.
  LogicalResult outlineKernels(ModuleOp module) {
    bool isInline =
        module.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!isInline)
      return success();
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createGpuKernelOutliningPass());
    return runPipeline(pm, module);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(outlineKernels(module)))
      return signalPassFailure();
    llvm::MapVector<gpu::GPUFuncOp, SmallVector<gpu::LaunchFuncOp>> kernels;
    for (auto group : module.getOps<gpu::GPUModuleOp>())
      for (auto kernel : group.getOps<gpu::GPUFuncOp>())
        if (kernel.isKernel() && !kernel->hasAttr("arrc.args"))
          kernels[kernel];
    if (kernels.empty())
      return;
    if (failed(adoptHost(module)))
      return signalPassFailure();
    for (auto group : module.getOps<gpu::GPUModuleOp>())
      if (llvm::any_of(
              kernels,
              [&](auto &each) { return each.first->getParentOp() == group; }) &&
          failed(expandOperations(group)))
        return signalPassFailure();
    SymbolTableCollection symbols;
    module.walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernel());
      if (auto *found = kernels.find(kernel); found != kernels.end())
        found->second.push_back(launch);
    });
    for (auto &[kernel, launches] : kernels)
      if (failed(Adoption(kernel, launches).run()))
        return signalPassFailure();
    exportFunctions(module);
  }
};
} // namespace
