//===- Patterns.cpp - OpenCL's forms of operations ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's SPIR-V backend knows OpenCL's builtins by their mangled names: a call
// of get_group_id becomes a load of a builtin variable, one of expf an
// instruction of the extended set. What it gets wrong is written out here:
//
//   arith.minimumf a, b     the backend has fmin, which drops NaN and the sign
//                           of zeros; here comparisons and the bits of both
//   math.cttz x             ctpop(~x & (x - 1)): OpenCL 1.2 has no ctz
//   math.ctlz, ctpop        of i8 and i16 in i32
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Conversion/GPUToLLVMSPV/GPUToLLVMSPVPass.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace arrc::target;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// Above upstream's patterns and those that both targets share.
static constexpr unsigned ownBenefit = 30;

std::string opencl::getBuiltinName(StringRef stem, FloatType type) {
  // These are exact, so LLVM may compute with them.
  for (StringRef exact : {"fabs", "ceil", "copysign", "floor", "fma", "rint",
                          "round", "sqrt", "trunc"})
    if (stem == exact)
      return "";
  bool isBinary = stem == "atan2" || stem == "pow" || stem == "fmod";
  StringRef letter = type.isF64() ? "d" : "f";
  std::string name = "_Z" + std::to_string(stem.size()) + stem.str();
  name += letter;
  if (isBinary)
    name += letter;
  return name;
}

//===----------------------------------------------------------------------===//
// Work-group memory
//===----------------------------------------------------------------------===//

void opencl::passWorkgroupMemory(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    SmallVector<gpu::DynamicSharedMemoryOp> ops;
    function.walk([&](gpu::DynamicSharedMemoryOp op) { ops.push_back(op); });
    if (ops.empty())
      continue;
    OpBuilder b(function.getBody());
    auto whole = cast<MemRefType>(ops.front().getType());
    auto space = whole.getMemorySpace();
    auto passed = MemRefType::get({1}, b.getI8Type(), AffineMap(), space);
    unsigned number = function.getNumArguments();
    // Views at offsets that are multiples of it stay aligned.
    auto attributes = b.getDictionaryAttr(b.getNamedAttr(
        LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(16)));
    (void)function.insertArgument(number, passed, attributes,
                                  function.getLoc());
    Value argument = function.getArgument(number);
    // What it is long is not known here, and nobody asks.
    Value length = arith::ConstantIndexOp::create(
        b, function.getLoc(), std::numeric_limits<int32_t>::max());
    auto memory = memref::ReinterpretCastOp::create(
        b, function.getLoc(), whole, argument, b.getIndexAttr(0),
        ArrayRef<OpFoldResult>(length),
        ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
    for (gpu::DynamicSharedMemoryOp op : ops) {
      op.replaceAllUsesWith(memory.getResult());
      op.erase();
    }
    if (auto letters = function->getAttrOfType<StringAttr>(argsAttrName))
      function->setAttr(argsAttrName, b.getStringAttr(letters.strref() + "l"));
  }
}

//===----------------------------------------------------------------------===//
// Operations of gpu
//===----------------------------------------------------------------------===//

/// A call of an OpenCL builtin.
static Value callBuiltin(OpBuilder &b, Operation *at, StringRef name,
                         Type result, ValueRange operands, bool isPure) {
  auto module = at->getParentOfType<gpu::GPUModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  Type type = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(type,
                                    SmallVector<Type>(operands.getTypes())));
    function.setCConv(LLVM::CConv::SPIR_FUNC);
    function.setNoUnwind(true);
    function.setWillReturn(true);
    if (isPure) {
      auto none = LLVM::ModRefInfo::NoModRef;
      function.setMemoryEffectsAttr(b.getAttr<LLVM::MemoryEffectsAttr>(
          none, none, none, none, none, none));
    } else {
      function.setConvergent(true);
    }
  }
  auto call = LLVM::CallOp::create(b, at->getLoc(), function, operands);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  if (!isPure)
    call.setConvergentAttr(b.getUnitAttr());
  return result ? call.getResult() : Value();
}

namespace {
/// A number of the grid: a 64-bit value, whatever width `index` has.
template <typename Op> struct ConvertId : ConvertOpToLLVMPattern<Op> {
  ConvertId(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<Op>(converter, PatternBenefit(ownBenefit)),
        name(name) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value dimension = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32Type(),
        rewriter.getI32IntegerAttr(int32_t(op.getDimension())));
    Value id = callBuiltin(rewriter, op, name, rewriter.getI64Type(), dimension,
                           /*isPure=*/true);
    Type index = this->getIndexType();
    if (index != id.getType())
      id = LLVM::TruncOp::create(rewriter, loc, index, id);
    rewriter.replaceOp(op, id);
    return success();
  }

  StringRef name;
};

/// All threads of the block meet, and see each other's work-group and global
/// memory.
struct ConvertBarrier : ConvertOpToLLVMPattern<gpu::BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
    Value fences =
        LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(),
                                 rewriter.getI32IntegerAttr(3));
    callBuiltin(rewriter, op, "_Z7barrierj", Type(), fences, /*isPure=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

/// Of equal numbers, which may be zeros of both signs, the bits of both joined
/// (minimum) or what they share (maximum).
static Value chooseOfNumbers(OpBuilder &b, Location loc, Value x, Value y,
                             bool isMin) {
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.clone(bits);
  Value p = arith::BitcastOp::create(b, loc, bits, x);
  Value q = arith::BitcastOp::create(b, loc, bits, y);
  Value both = isMin ? Value(arith::OrIOp::create(b, loc, p, q))
                     : Value(arith::AndIOp::create(b, loc, p, q));
  both = arith::BitcastOp::create(b, loc, type, both);
  auto compare = [&](CmpFPredicate predicate) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  };
  Value isFirst = compare(isMin ? CmpFPredicate::OLT : CmpFPredicate::OGT);
  Value chosen = arith::SelectOp::create(b, loc, isFirst, x, y);
  return arith::SelectOp::create(b, loc, compare(CmpFPredicate::OEQ), both,
                                 chosen);
}

static Value isNaN(OpBuilder &b, Location loc, Value x) {
  return arith::CmpFOp::create(b, loc, CmpFPredicate::UNO, x, x);
}

namespace {
/// A NaN wins.
template <typename Op, bool isMin>
struct ExpandExtremum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getLhs(), y = op.getRhs();
    Value result = chooseOfNumbers(rewriter, loc, x, y, isMin);
    Value nan = arith::AddFOp::create(rewriter, loc, x, y);
    Value isUnordered =
        arith::CmpFOp::create(rewriter, loc, CmpFPredicate::UNO, x, y);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isUnordered, nan, result);
    return success();
  }
};

/// A number wins over NaN.
template <typename Op, bool isMin>
struct ExpandNumberExtremum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getLhs(), y = op.getRhs();
    Value result = chooseOfNumbers(rewriter, loc, x, y, isMin);
    result = arith::SelectOp::create(rewriter, loc, isNaN(rewriter, loc, y), x,
                                     result);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNaN(rewriter, loc, x), y,
                                                 result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

struct ExpandTrailingZeros : OpRewritePattern<math::CountTrailingZerosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CountTrailingZerosOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    auto constant = [&](int64_t value) {
      TypedAttr attribute =
          rewriter.getIntegerAttr(getElementTypeOrSelf(type), value);
      if (auto vector = dyn_cast<VectorType>(type))
        attribute = DenseElementsAttr::get(vector, Attribute(attribute));
      return arith::ConstantOp::create(rewriter, loc, attribute);
    };
    Value x = op.getOperand();
    Value below = arith::SubIOp::create(rewriter, loc, x, constant(1));
    Value rest = arith::XOrIOp::create(rewriter, loc, x, constant(-1));
    Value zeros = arith::AndIOp::create(rewriter, loc, rest, below);
    rewriter.replaceOpWithNewOp<math::CtPopOp>(op, zeros);
    return success();
  }
};

/// Counts of narrow integers in i32.
template <typename Op> struct WidenCount : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (element.isIndex() || element.getIntOrFloatBitWidth() >= 32)
      return failure();
    Type wide = rewriter.getI32Type();
    auto vector = dyn_cast<VectorType>(type);
    if (vector)
      wide = vector.clone(wide);
    Value x = arith::ExtUIOp::create(rewriter, loc, wide, op.getOperand());
    Value count = Op::create(rewriter, loc, x);
    if (std::is_same_v<Op, math::CountLeadingZerosOp>) {
      TypedAttr extra = rewriter.getI32IntegerAttr(
          32 - int32_t(element.getIntOrFloatBitWidth()));
      if (vector)
        extra =
            DenseElementsAttr::get(cast<VectorType>(wide), Attribute(extra));
      count = arith::SubIOp::create(
          rewriter, loc, count,
          arith::ConstantOp::create(rewriter, loc, extra));
    }
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, count);
    return success();
  }
};
} // namespace

void opencl::populatePatterns(LLVMTypeConverter &converter,
                              RewritePatternSet &patterns, const Facts &facts) {
  populateGpuToLLVMSPVConversionPatterns(converter, patterns);
  patterns.add<ConvertId<gpu::BlockIdOp>>(converter, "_Z12get_group_idj");
  patterns.add<ConvertId<gpu::ThreadIdOp>>(converter, "_Z12get_local_idj");
  patterns.add<ConvertId<gpu::GridDimOp>>(converter, "_Z14get_num_groupsj");
  patterns.add<ConvertId<gpu::BlockDimOp>>(converter, "_Z14get_local_sizej");
  PatternBenefit benefit(ownBenefit);
  patterns.add<ConvertBarrier>(converter, benefit);
  MLIRContext *context = patterns.getContext();
  patterns
      .add<ExpandExtremum<arith::MinimumFOp, true>,
           ExpandExtremum<arith::MaximumFOp, false>,
           ExpandNumberExtremum<arith::MinNumFOp, true>,
           ExpandNumberExtremum<arith::MaxNumFOp, false>, ExpandTrailingZeros,
           WidenCount<math::CtPopOp>, WidenCount<math::CountLeadingZerosOp>>(
          context, benefit);
  if (!facts.hasF16)
    target::addFloatAsBits(converter, patterns, Float16Type::get(context));
}
