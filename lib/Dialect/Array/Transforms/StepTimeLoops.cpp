//===- StepTimeLoops.cpp - Lets a host stop time loops between steps ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. Who watches a long run wants to see it between steps: how far it is,
// what its results would be if it ended now, and that it ends early. An export
// of which the last loop carries arrays becomes three:
//
//   export f(x) -> y { a; loop state { step }; b }
//
//   export f__begin(x) -> total, state, kept { a }
//   export f__step(count, state, kept) -> taken, state { loop, `count` at most
//   } export f__end(state, kept) -> y { b }
//
// `kept` is what the loop or `b` needs besides. Sizes are taken from the arrays
// that have them, so that a part knows of its arrays what the whole knew; other
// numbers of constants are computed again. `total` is how many steps there are
// at most, -1 if that is not known: it is for people, and decides nothing.
//
// Legal: each part does what it did, in the same order. A `while` has to carry
// on what its condition was asked about, else the state between steps is not
// what the loop's results are.
// Pays: never for the time that it takes, hence only where somebody watches.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::array {
#define GEN_PASS_DEF_STEPTIMELOOPSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// What passes between parts
//===----------------------------------------------------------------------===//

/// The name of elements in the facts about an export; "" if arrays and numbers
/// of them cannot pass. Whether integers have a sign makes no difference here.
static std::string getElementName(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32()   ? "c64"
           : complex.getElementType().isF64() ? "c128"
                                              : "";
  if (type.isIndex())
    return "i64";
  if (type.isInteger(1))
    return "bool";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  bool isKnown =
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
      (type.isSignlessInteger() &&
       llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()));
  return isKnown ? text : "";
}

/// Whether a value of this type can be a parameter. An array without dimensions
/// would be taken for a number.
static bool canPass(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() > 0 && !tensor.getElementType().isIndex() &&
           !getElementName(tensor.getElementType()).empty();
  return !isa<ShapedType>(type) && !getElementName(type).empty();
}

/// Sizes pass as numbers.
static Type passedType(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

static Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : Value(arith::IndexCastOp::create(b, loc, type, value));
}

static DictionaryAttr describe(OpBuilder &b, const Twine &name, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string element = getElementName(tensor ? tensor.getElementType() : type);
  SmallVector<Attribute> dims;
  if (tensor)
    for (int64_t size : tensor.getShape())
      dims.push_back(b.getStringAttr(
          ShapedType::isDynamic(size) ? Twine("?") : Twine(size)));
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", b.getStringAttr(name)),
       b.getNamedAttr("element", b.getStringAttr(element)),
       b.getNamedAttr("rank", b.getI64IntegerAttr(int64_t(dims.size()))),
       b.getNamedAttr("type", b.getStringAttr(element)),
       b.getNamedAttr("dims", b.getArrayAttr(dims))});
}

namespace {
/// The values that the parts exchange.
struct Parts {
  Operation *loop;
  SmallVector<Value> inits;      ///< of the state
  llvm::SetVector<Value> needed; ///< defined before the loop, used behind
  SmallVector<Value> kept;       ///< of those what has to be passed
  /// Sizes of which an array that is passed has the value.
  DenseSet<Value> sizes;
};
} // namespace

/// The loop that is stepped: the last of the function that carries an array.
static Operation *findTimeLoop(func::FuncOp function) {
  Operation *found = nullptr;
  for (Operation &op : function.getBody().front())
    if (isa<scf::ForOp, scf::WhileOp>(op) &&
        llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      found = &op;
  return found;
}

/// What a value is, whatever was said of its sizes.
static Value skipBinds(Value value) {
  while (auto bind = value.getDefiningOp<BindOp>())
    value = bind.getSource();
  return value;
}

/// Why the loop cannot be stepped; "" if it can be.
static StringRef findObstacle(Operation *loop) {
  if (auto each = dyn_cast<scf::ForOp>(loop)) {
    if (!each.getInductionVar().getType().isIndex())
      return "its counter is no index";
  } else {
    auto until = cast<scf::WhileOp>(loop);
    auto passed = until.getConditionOp().getArgs();
    auto asked = until.getBeforeArguments();
    if (passed.size() != asked.size() ||
        !llvm::all_of_zip(passed, asked, [](Value value, Value argument) {
          return skipBinds(value) == argument;
        }))
      return "its condition computes what its body is given";
  }
  if (!llvm::all_of(loop->getResultTypes(), canPass))
    return "it carries what no export can return";
  return "";
}

/// Whether a value is the same where it is computed again: a constant, a size
/// that an array has, or made of such by numbers alone.
static bool isCheap(Value value, const DenseSet<Value> &sizes) {
  if (sizes.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) &&
         !isa<ShapedType>(value.getType()) &&
         llvm::all_of(op->getOperands(),
                      [&](Value from) { return isCheap(from, sizes); });
}

/// What is said of the sizes of an array, by the function itself or by each
/// step of the loop: what stands in a branch may not hold elsewhere.
static SmallVector<BindOp> getBinds(Value array, Operation *loop) {
  SmallVector<BindOp> binds;
  if (auto bind = array.getDefiningOp<BindOp>())
    binds.push_back(bind);
  for (Operation *user : array.getUsers())
    if (auto bind = dyn_cast<BindOp>(user))
      if (bind->getParentOp() == loop || bind->getBlock() == loop->getBlock())
        binds.push_back(bind);
  return binds;
}

static void noteSizes(Value array, Operation *loop, DenseSet<Value> &sizes) {
  for (BindOp bind : getBinds(array, loop))
    for (Value size : bind.getSizes())
      sizes.insert(size);
}

/// The arguments that stand for the state in the regions of a loop, and its
/// results.
static SmallVector<ValueRange> getStates(Operation *loop) {
  if (auto each = dyn_cast<scf::ForOp>(loop))
    return {each.getRegionIterArgs(), each.getResults()};
  auto until = cast<scf::WhileOp>(loop);
  return {until.getBeforeArguments(), until.getAfterArguments(),
          until.getResults()};
}

static Parts findParts(Operation *loop) {
  Parts parts = {loop, {}, {}, {}, {}};
  auto each = dyn_cast<scf::ForOp>(loop);
  parts.inits = each ? SmallVector<Value>(each.getInits())
                     : SmallVector<Value>(cast<scf::WhileOp>(loop).getInits());
  Block *block = loop->getBlock();
  auto need = [&](Value value) {
    Operation *def = value.getDefiningOp();
    bool isBefore = def ? def->getBlock() == block && def->isBeforeInBlock(loop)
                        : value.getParentBlock() == block;
    if (isBefore)
      parts.needed.insert(value);
  };
  if (each)
    for (Value bound : {each.getUpperBound(), each.getStep()})
      need(bound);
  loop->walk([&](Operation *op) {
    if (op != loop)
      llvm::for_each(op->getOperands(), need);
  });
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    op->walk(
        [&](Operation *inner) { llvm::for_each(inner->getOperands(), need); });
  for (ValueRange state : getStates(loop))
    for (Value value : state)
      if (isa<RankedTensorType>(value.getType()))
        noteSizes(value, loop, parts.sizes);
  for (Value value : parts.needed)
    if (isa<RankedTensorType>(value.getType()))
      noteSizes(value, loop, parts.sizes);
  for (Value value : parts.needed)
    if (!isCheap(value, parts.sizes))
      parts.kept.push_back(value);
  return parts;
}

//===----------------------------------------------------------------------===//
// How many steps
//===----------------------------------------------------------------------===//

/// The steps from `low` to `high`, by `step`: none if that is behind.
static Value countSteps(OpBuilder &b, Location loc, Value low, Value high,
                        Value step) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(low.getType()));
  Value length = arith::SubIOp::create(b, loc, high, low);
  Value count = arith::CeilDivSIOp::create(b, loc, length, step);
  return arith::MaxSIOp::create(b, loc, count, zero);
}

/// How many steps a `while` takes at most, from a counter that its condition
/// compares with a number; -1 if there is none.
static Value boundSteps(OpBuilder &b, scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Type i64 = b.getI64Type();
  auto integer = [&](int64_t value) {
    return Value(arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)));
  };
  Value least;
  SmallVector<Value> conditions = {loop.getConditionOp().getCondition()};
  while (!conditions.empty()) {
    Value condition = conditions.pop_back_val();
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      llvm::append_range(conditions, both->getOperands());
      continue;
    }
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      continue;
    Value counter = compare.getLhs(), limit = compare.getRhs();
    auto predicate = compare.getPredicate();
    if (predicate == arith::CmpIPredicate::sgt ||
        predicate == arith::CmpIPredicate::sge)
      std::swap(counter, limit);
    else if (predicate != arith::CmpIPredicate::slt &&
             predicate != arith::CmpIPredicate::sle)
      continue;
    auto argument = dyn_cast<BlockArgument>(counter);
    if (!argument || argument.getOwner() != loop.getBeforeBody() ||
        counter.getType() != i64)
      continue;
    unsigned at = argument.getArgNumber();
    auto add =
        loop.getYieldOp().getResults()[at].getDefiningOp<arith::AddIOp>();
    APInt by;
    if (!add || add.getLhs() != loop.getAfterArguments()[at] ||
        !matchPattern(add.getRhs(), m_ConstantInt(&by)) ||
        !by.isStrictlyPositive())
      continue;
    APInt fixed;
    if (matchPattern(limit, m_ConstantInt(&fixed)))
      limit = integer(fixed.getSExtValue());
    else if (loop->isAncestor(limit.getParentRegion()->getParentOp()))
      continue;
    if (predicate == arith::CmpIPredicate::sle ||
        predicate == arith::CmpIPredicate::sge)
      limit = arith::AddIOp::create(b, loc, limit, integer(1));
    Value count = countSteps(b, loc, loop.getInits()[at], limit,
                             integer(by.getSExtValue()));
    least = least ? Value(arith::MinSIOp::create(b, loc, least, count)) : count;
  }
  return least ? least : integer(-1);
}

//===----------------------------------------------------------------------===//
// Parts as exports
//===----------------------------------------------------------------------===//

namespace {
/// One of the three exports while it is made.
class Part {
public:
  Part(func::FuncOp whole, StringRef ending)
      : b(whole.getContext()), loc(whole.getLoc()) {
    b.setInsertionPoint(whole);
    function = func::FuncOp::create(b, loc, (whole.getName() + ending).str(),
                                    b.getFunctionType({}, {}));
    function->setAttr("arrc.export", b.getUnitAttr());
    b.setInsertionPointToStart(function.addEntryBlock());
  }

  /// A parameter that stands for `value`, if that is one.
  Value addParameter(const Twine &name, Type type) {
    params.push_back(describe(b, name, type));
    return function.getBody().front().addArgument(passedType(type), loc);
  }
  /// Parameters for the state and for what is kept.
  SmallVector<Value> addState(const Parts &parts, TypeRange state) {
    SmallVector<Value> values;
    for (auto [i, type] : llvm::enumerate(state))
      values.push_back(addParameter("s" + Twine(i), type));
    for (auto [i, value] : llvm::enumerate(parts.kept))
      map.map(value, addParameter("k" + Twine(i), value.getType()));
    for (Value &value : values)
      value = castTo(b, loc, value, state[&value - values.data()]);
    return values;
  }
  /// Makes what arrays know of their sizes known here: `array` is one of the
  /// whole, which `here` stands for.
  void takeSizes(Value array, Operation *loop, Value here) {
    for (BindOp bind : getBinds(array, loop))
      for (auto [d, size] : llvm::enumerate(bind.getMixedSizes()))
        if (auto value = dyn_cast<Value>(size))
          if (!map.contains(value))
            map.map(value, tensor::DimOp::create(b, loc, here, d));
  }
  /// Computes what is needed and was not passed.
  void computeNeeded(const Parts &parts) {
    for (Value value : parts.kept)
      if (isa<RankedTensorType>(value.getType()))
        takeSizes(value, parts.loop, map.lookup(value));
    for (Value value : parts.kept)
      map.map(value, castTo(b, loc, map.lookup(value), value.getType()));
    for (Value value : parts.needed)
      compute(value);
    for (Value value : parts.kept)
      if (auto bind = value.getDefiningOp<BindOp>()) {
        llvm::for_each(bind.getSizes(), [&](Value size) { compute(size); });
        SmallVector<OpFoldResult> sizes;
        for (OpFoldResult size : bind.getMixedSizes())
          sizes.push_back(isa<Value>(size)
                              ? OpFoldResult(map.lookup(cast<Value>(size)))
                              : size);
        map.map(value, BindOp::create(b, loc, map.lookup(value), sizes));
      }
  }
  void compute(Value value) {
    if (map.contains(value))
      return;
    Operation *op = value.getDefiningOp();
    llvm::for_each(op->getOperands(), [&](Value from) { compute(from); });
    b.clone(*op, map);
  }
  /// Returns values, described by `results` or as they are.
  void finish(ValueRange values, ArrayAttr results = {}) {
    SmallVector<Value> returned;
    SmallVector<Attribute> described;
    for (auto [i, value] : llvm::enumerate(values)) {
      returned.push_back(castTo(b, loc, value, passedType(value.getType())));
      described.push_back(describe(b, "r" + Twine(i), value.getType()));
    }
    func::ReturnOp::create(b, loc, returned);
    Block &block = function.getBody().front();
    function.setFunctionType(b.getFunctionType(
        block.getArgumentTypes(), ValueRange(returned).getTypes()));
    if (!function->hasAttr("arrc.params"))
      function->setAttr("arrc.params", b.getArrayAttr(params));
    function->setAttr("arrc.results",
                      results ? results : b.getArrayAttr(described));
    for (BlockArgument argument : block.getArguments())
      if (isa<TensorType>(argument.getType()))
        function.setArgAttr(
            argument.getArgNumber(),
            bufferization::BufferizationDialect::kWritableAttrName,
            b.getBoolAttr(false));
  }

  OpBuilder b;
  Location loc;
  func::FuncOp function;
  IRMapping map;

private:
  SmallVector<Attribute> params;
};
} // namespace

static void makeBegin(func::FuncOp whole, const Parts &parts) {
  Part part(whole, "__begin");
  part.function->setAttr("arrc.params", whole->getAttr("arrc.params"));
  Block &block = part.function.getBody().front();
  for (BlockArgument argument : whole.getArguments())
    part.map.map(argument,
                 block.addArgument(argument.getType(), argument.getLoc()));
  Block *from = parts.loop->getBlock();
  for (Operation &op : from->without_terminator()) {
    if (&op == parts.loop)
      break;
    part.b.clone(op, part.map);
  }
  // The loop is there for a moment, so that its bound is found.
  Operation *loop = part.b.clone(*parts.loop, part.map);
  part.b.setInsertionPoint(loop);
  SmallVector<Value> results;
  if (auto each = dyn_cast<scf::ForOp>(loop)) {
    results = {countSteps(part.b, part.loc, each.getLowerBound(),
                          each.getUpperBound(), each.getStep()),
               each.getLowerBound()};
  } else {
    results = {boundSteps(part.b, cast<scf::WhileOp>(loop))};
  }
  loop->erase();
  part.b.setInsertionPointToEnd(&block);
  for (Value value : parts.inits)
    results.push_back(part.map.lookup(value));
  for (Value value : parts.kept)
    results.push_back(part.map.lookup(value));
  part.finish(results);
}

static SmallVector<Value> stepFor(Part &part, const Parts &parts,
                                  scf::ForOp loop, Value count,
                                  ArrayRef<Value> state) {
  OpBuilder &b = part.b;
  Location loc = part.loc;
  Value low = state.front(), high = part.map.lookup(loop.getUpperBound()),
        step = part.map.lookup(loop.getStep());
  Value most = castTo(b, loc, count, b.getIndexType());
  Value taken =
      arith::MinSIOp::create(b, loc, most, countSteps(b, loc, low, high, step));
  Value end = arith::AddIOp::create(b, loc, low,
                                    arith::MulIOp::create(b, loc, taken, step));
  auto now =
      scf::ForOp::create(b, loop.getLoc(), low, end, step, state.drop_front());
  now.getBodyRegion().getBlocks().clear();
  loop.getBodyRegion().cloneInto(&now.getBodyRegion(), part.map);
  SmallVector<Value> results = {taken, end};
  llvm::append_range(results, now.getResults());
  return results;
}

static SmallVector<Value> stepWhile(Part &part, scf::WhileOp loop, Value count,
                                    ArrayRef<Value> state) {
  OpBuilder &b = part.b;
  Location loc = part.loc;
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value one = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  SmallVector<Value> inits(state);
  inits.push_back(zero);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto now = scf::WhileOp::create(b, loop.getLoc(), types, inits);
  loop.getBefore().cloneInto(&now.getBefore(), part.map);
  loop.getAfter().cloneInto(&now.getAfter(), part.map);
  Value asked = now.getBeforeBody()->addArgument(b.getI64Type(), loc);
  Value done = now.getAfterBody()->addArgument(b.getI64Type(), loc);

  scf::ConditionOp condition = now.getConditionOp();
  OpBuilder inner(condition);
  Value isLeft = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt,
                                       asked, count);
  Value both =
      arith::AndIOp::create(inner, loc, condition.getCondition(), isLeft);
  condition.getConditionMutable().assign(both);
  condition.getArgsMutable().append(asked);
  scf::YieldOp yield = now.getYieldOp();
  OpBuilder last(yield);
  Value next = arith::AddIOp::create(last, loc, done, one);
  yield.getResultsMutable().append(next);

  SmallVector<Value> results = {now.getResults().back()};
  llvm::append_range(results, now.getResults().drop_back());
  return results;
}

/// The types of the state as it passes: a `for` has its counter in front.
static SmallVector<Type> getStateTypes(const Parts &parts) {
  SmallVector<Type> types;
  if (isa<scf::ForOp>(parts.loop))
    types.push_back(IndexType::get(parts.loop->getContext()));
  llvm::append_range(types, ValueRange(parts.inits).getTypes());
  return types;
}

/// Has the part know what the loop's arrays know of their sizes.
static void takeStateSizes(Part &part, const Parts &parts,
                           ArrayRef<Value> state) {
  bool isFor = isa<scf::ForOp>(parts.loop);
  for (ValueRange values : getStates(parts.loop))
    for (auto [value, here] : llvm::zip(values, state.drop_front(isFor)))
      if (isa<RankedTensorType>(value.getType()))
        part.takeSizes(value, parts.loop, here);
}

static void makeStep(func::FuncOp whole, const Parts &parts) {
  Part part(whole, "__step");
  Value count = part.addParameter("count", part.b.getI64Type());
  SmallVector<Value> state = part.addState(parts, getStateTypes(parts));
  takeStateSizes(part, parts, state);
  part.computeNeeded(parts);
  auto each = dyn_cast<scf::ForOp>(parts.loop);
  part.finish(
      each ? stepFor(part, parts, each, count, state)
           : stepWhile(part, cast<scf::WhileOp>(parts.loop), count, state));
}

static void makeEnd(func::FuncOp whole, const Parts &parts) {
  Part part(whole, "__end");
  SmallVector<Value> state = part.addState(parts, getStateTypes(parts));
  takeStateSizes(part, parts, state);
  part.computeNeeded(parts);
  part.map.map(parts.loop->getResults(),
               ArrayRef(state).drop_front(isa<scf::ForOp>(parts.loop)));
  for (Operation *op = parts.loop->getNextNode();
       !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
    part.b.clone(*op, part.map);
  SmallVector<Value> results;
  for (Value value : whole.getBody().front().getTerminator()->getOperands())
    results.push_back(part.map.lookup(value));
  part.finish(results, whole->getAttrOfType<ArrayAttr>("arrc.results"));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct StepTimeLoopsPass
    : arrc::array::impl::StepTimeLoopsPassBase<StepTimeLoopsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function->hasAttr("arrc.export") && !function.isExternal() &&
          function.getBody().hasOneBlock())
        split(function, symbols);
  }

  void split(func::FuncOp function, const SymbolTable &symbols) {
    Operation *loop = findTimeLoop(function);
    if (!loop)
      return;
    auto refuse = [&](const Twine &why) {
      auto options =
          remark::RemarkOpts::name("StepTimeLoop").category("step-time-loops");
      remark::missed(loop->getLoc(), options)
          << remark::reason("a host cannot stop this loop: {0}", why.str());
    };
    if (StringRef why = findObstacle(loop); !why.empty())
      return refuse(why);
    for (StringRef ending : {"__begin", "__step", "__end"})
      if (symbols.lookup((function.getName() + ending).str()))
        return refuse("there is a '" + function.getName() + ending +
                      "' already");
    Parts parts = findParts(loop);
    for (Value value : parts.kept)
      if (!canPass(value.getType()))
        return refuse("it needs what no export can return");
    makeBegin(function, parts);
    makeStep(function, parts);
    makeEnd(function, parts);
    function.erase();
  }
};
} // namespace
