//===- Import.cpp - Types, sizes and variables ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "../Check/HIRWalk.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

using namespace arrc;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Importer::Importer(ModuleOp module, const llvm::SourceMgr &sources)
    : context(module.getContext()), module(module), sources(sources),
      b(module.getContext()), loc(UnknownLoc::get(module.getContext())) {}

Location Importer::location(llvm::SMRange range) const {
  if (!range.isValid())
    return loc;
  LineColumn at = lineColumn(sources, range.Start);
  return FileLineColLoc::get(context, at.file, at.line, at.column);
}

Importer::Branching::Branching(Importer &im, Operation *op)
    : im(im), saved(im.topOp), isIf(isa<scf::IfOp>(op)) {
  ++im.branchDepth;
  im.ifDepth += isIf;
  if (op->getBlock() == &im.func.front())
    im.topOp = op;
}

Importer::At::At(Importer &im, llvm::SMRange range)
    : im(im), loc(im.loc), fast(im.fast), unsafe(im.unsafe), exact(im.exact) {
  im.loc = im.location(range);
}

Importer::At::At(Importer &im, const hir::Expr *e) : At(im, e->loc) {
  im.fast |= e->fast;
  im.unsafe |= e->unsafe;
  im.exact |= e->exact;
}

Importer::At::~At() {
  im.loc = loc;
  im.fast = fast;
  im.unsafe = unsafe;
  im.exact = exact;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

mlir::Type Importer::scalarType(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::F16:
    return b.getF16Type();
  case ScalarKind::BF16:
    return b.getBF16Type();
  case ScalarKind::F32:
    return b.getF32Type();
  case ScalarKind::F64:
    return b.getF64Type();
  case ScalarKind::C64:
    return ComplexType::get(b.getF32Type());
  case ScalarKind::C128:
    return ComplexType::get(b.getF64Type());
  case ScalarKind::Bool:
    return b.getI1Type();
  default:
    return b.getIntegerType(bitWidth(kind));
  }
}

mlir::Type Importer::leafType(const Type::Leaf &leaf) {
  mlir::Type element = scalarType(leaf.scalar);
  if (leaf.dims.empty())
    return element;
  SmallVector<int64_t> shape;
  for (const Dim &dim : leaf.dims)
    shape.push_back(dim.size.constant().value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, element);
}

SmallVector<mlir::Type> Importer::leafTypes(const Type &type) {
  SmallVector<mlir::Type> types;
  for (const Type::Leaf &leaf : type.leaves())
    types.push_back(leafType(leaf));
  return types;
}

std::pair<unsigned, unsigned> Importer::leafRange(const Type &type,
                                                  unsigned k) {
  ArrayRef<Component> components = type.element().components();
  unsigned first = 0;
  for (unsigned i = 0; i < k; ++i)
    first += components[i].type.leaves().size();
  return {first, components[k].type.leaves().size()};
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value Importer::indexConstant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value Importer::asIndex(OpFoldResult v) {
  if (auto value = dyn_cast<Value>(v))
    return value;
  return indexConstant(*getConstantIntValue(v));
}

Value Importer::materialize(AffineExpr expr, ArrayRef<Value> operands) {
  auto map = AffineMap::get(operands.size(), 0, expr, context);
  SmallVector<OpFoldResult> list(operands.begin(), operands.end());
  return asIndex(affine::makeComposedFoldedAffineApply(b, loc, map, list));
}

AffineExpr Importer::toAffine(const Size &size, Values &operands) {
  auto dim = [&](Value v) {
    operands.push_back(v);
    return b.getAffineDimExpr(operands.size() - 1);
  };
  auto atom = [&](const SizeAtom &a) -> AffineExpr {
    if (a.isVariable())
      return dim(indexOf(a.variable()));
    // Affine maps are over the integers, too: they do not see what may wrap.
    if (a.isWrapped())
      return dim(wrappedValue(a.inner()));
    return toAffine(a.dividend(), operands).floorDiv(a.divisor());
  };
  AffineExpr sum = b.getAffineConstantExpr(0);
  for (const Size::Term &term : size.terms()) {
    AffineExpr product;
    for (const SizeAtom &a : term.first) {
      AffineExpr factor = atom(a);
      if (!product) {
        product = factor;
        continue;
      }
      // A product of two sizes is not affine: computed, it is a new operand.
      product = dim(make<arith::MulIOp>(materialize(product, operands),
                                        materialize(factor, operands)));
    }
    sum = sum + (product ? product * term.second
                         : b.getAffineConstantExpr(term.second));
  }
  return sum;
}

Value Importer::wrappedValue(const Size &polynomial) {
  Value sum;
  for (const Size::Term &term : polynomial.terms()) {
    Value product;
    if (term.second != 1 || term.first.empty())
      product = indexConstant(term.second);
    for (const SizeAtom &a : term.first) {
      Size size;
      size.add({a}, 1);
      Value atom = sizeValue(size);
      product = product ? make<arith::MulIOp>(product, atom) : atom;
    }
    sum = sum ? make<arith::AddIOp>(sum, product) : product;
  }
  return sum;
}

/// A name for the size that no other size has.
static std::string keyOf(const Size &size) {
  std::string key;
  for (const Size::Term &term : size.terms()) {
    key += std::to_string(term.second);
    for (const SizeAtom &atom : term.first) {
      if (atom.isVariable())
        key += "*v" + std::to_string(atom.variable()->id);
      else
        key +=
            "*(" + keyOf(atom.inner()) + ")/" + std::to_string(atom.divisor());
    }
    key += "+";
  }
  return key;
}

Value Importer::sizeValue(const Size &size) {
  if (std::optional<int64_t> n = size.constant())
    return indexConstant(*n);
  if (hir::Variable *var = size.asVariable())
    return indexOf(var);

  // If all is known at the top of the function it is computed there, once.
  bool atTop = true;
  size.forEachVariable([&](hir::Variable *var) {
    Value v = env[var].index ? env[var].index : env[var].leaves.front();
    atTop &= v.getParentBlock() == &func.front();
  });
  if (!atTop) {
    Values operands;
    AffineExpr expr = toAffine(size, operands);
    return materialize(expr, operands);
  }
  Value &cached = topSizes[keyOf(size)];
  if (!cached) {
    OpBuilder::InsertionGuard guard(b);
    // Regions are built before their operation stands in the function, but for
    // those of `scf`; what is made at the top goes before the one in progress.
    if (b.getInsertionBlock() != &func.front()) {
      if (topOp)
        b.setInsertionPoint(topOp);
      else
        b.setInsertionPointToEnd(&func.front());
    }
    Values operands;
    AffineExpr expr = toAffine(size, operands);
    cached = materialize(expr, operands);
  }
  return cached;
}

OpFoldResult Importer::sizeOf(const Size &size) {
  if (std::optional<int64_t> n = size.constant())
    return b.getIndexAttr(*n);
  return sizeValue(size);
}

SmallVector<OpFoldResult> Importer::sizesOf(ArrayRef<Dim> dims) {
  SmallVector<OpFoldResult> sizes;
  for (const Dim &dim : dims)
    sizes.push_back(sizeOf(dim.size));
  return sizes;
}

Value Importer::dimOf(Value tensor, unsigned dim) {
  if (OpFoldResult known = array::getKnownSize(tensor, dim))
    return asIndex(known);
  return make<tensor::DimOp>(tensor, int64_t(dim));
}

Value Importer::coerce(Value value, mlir::Type type) {
  if (value.getType() == type)
    return value;
  return make<tensor::CastOp>(type, value);
}

Values Importer::coerce(Values values, const Type &type) {
  SmallVector<mlir::Type> types = leafTypes(type);
  assert(types.size() == values.size() && "a value has other leaves");
  for (auto [value, wanted] : llvm::zip(values, types))
    value = coerce(value, wanted);
  return values;
}

Value Importer::bind(Value value, const Type::Leaf &leaf) {
  if (leaf.dims.empty())
    return value;
  value = coerce(value, leafType(leaf));
  if (cast<RankedTensorType>(value.getType()).hasStaticShape())
    return value;
  // Of what branches give the sizes may be known only behind them.
  for (const Dim &dim : leaf.dims) {
    bool isKnown = true;
    dim.size.forEachVariable(
        [&](hir::Variable *var) { isKnown &= env.contains(var); });
    if (!isKnown)
      return value;
  }
  return array::BindOp::create(b, loc, value, sizesOf(leaf.dims));
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void Importer::define(const hir::Variable *var, Values leaves) {
  env[var] = Binding{std::move(leaves), Value()};
}

void Importer::defineIndex(const hir::Variable *var, Value index) {
  env[var] = Binding{{}, index};
}

Value Importer::indexOf(const hir::Variable *var) {
  Binding &binding = env[var];
  if (!binding.index) {
    // Behind the definition, so that it serves every later use.
    Value value = binding.leaves.front();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(value);
    bool isUnsigned = isUnsignedInt(var->type.scalar());
    Value index = isUnsigned && bitWidth(var->type.scalar()) < 64
                      ? make<arith::IndexCastUIOp>(b.getIndexType(), value)
                      : make<arith::IndexCastOp>(b.getIndexType(), value);
    env[var].index = index;
  }
  return env[var].index;
}

const Values &Importer::leavesOf(const hir::Variable *var) {
  Binding &binding = env[var];
  if (binding.leaves.empty() && binding.index) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(binding.index);
    Value value = make<arith::IndexCastOp>(b.getI64Type(), binding.index);
    env[var].leaves = {value};
  }
  return env[var].leaves;
}

SmallVector<hir::Variable *>
Importer::assignedIn(ArrayRef<hir::Block *> blocks) {
  llvm::SetVector<hir::Variable *> vars;
  // A body that was translated before has left its own variables behind.
  llvm::DenseSet<hir::Variable *> own;
  std::function<void(hir::Block *)> inBlock;
  std::function<void(hir::Expr *)> inExpr = [&](hir::Expr *e) {
    hir::forEachOperand(e, [&](hir::Expr *&operand) { inExpr(operand); });
    hir::forEachBlock(e, [&](hir::Block *block) { inBlock(block); });
  };
  inBlock = [&](hir::Block *block) {
    for (hir::Stmt *stmt : block->stmts) {
      if (auto *let = dyn_cast<hir::LetStmt>(stmt))
        own.insert(let->var);
      if (auto *assign = dyn_cast<hir::AssignStmt>(stmt))
        if (env.count(assign->var) && !own.contains(assign->var))
          vars.insert(assign->var);
      hir::forEachOperand(stmt, [&](hir::Expr *&e) { inExpr(e); });
      hir::forEachBlock(stmt, [&](hir::Block *inner) { inBlock(inner); });
    }
    if (block->value)
      inExpr(block->value);
  };
  for (hir::Block *block : blocks)
    if (block)
      inBlock(block);
  return vars.takeVector();
}

Values Importer::carriedValues(ArrayRef<hir::Variable *> vars) {
  Values values;
  for (hir::Variable *var : vars)
    llvm::append_range(values, coerce(leavesOf(var), var->type));
  return values;
}

void Importer::rebind(ArrayRef<hir::Variable *> vars, ValueRange values) {
  for (hir::Variable *var : vars) {
    Values leaves;
    for (const Type::Leaf &leaf : var->type.leaves()) {
      Value value = values.front();
      values = values.drop_front();
      // A `var` that grows has the size of the moment.
      leaves.push_back(var->changesSize ? value : bind(value, leaf));
    }
    define(var, leaves);
  }
}
