//===- ImportSort.cpp - `sort` and `argsort` ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A sorting network as a loop of maps: Batcher's bitonic sort in the form in
// which every comparator puts the smaller element first (the first step of each
// merge compares mirrored places). Elements beyond the end would be larger than
// all others and never move, so the size need not be a power of two.
//
//   %perm = scf.while (block 2, 4, .. below 2n) {
//     scf.while (distance block, block/2, .. 2) {
//       array.map: the numbers at i and its partner, in order
//
// What moves are the elements' numbers; numbers also decide between equal keys,
// which makes the order stable. n log(n)^2 / 2 steps, all of them parallel.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;
using hir::BinaryOp;

Values Importer::emitSort(hir::ArrayOpExpr *e) {
  hir::Expr *arg = e->args.front();
  Type type = arg->type;
  unsigned axis = e->axis;
  Values arrays = emit(arg);
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : type.leaves())
    leaves.push_back(leaf);
  SmallVector<OpFoldResult> extents = sizesOf(type.dims());
  static const char *const text[] = {"d0", "d1", "d2", "d3",
                                     "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + extents.size());
  Value size = asIndex(extents[axis]);
  auto map = [&](llvm::function_ref<Values(ValueRange)> body) {
    auto build = [&](OpBuilder &nested, Location, ValueRange ivs) {
      inRegion(nested, [&] { array::YieldOp::create(b, loc, body(ivs)); });
    };
    auto op = array::MapOp::create(b, loc, extents, names, build);
    return Values(op->getResults());
  };
  /// The element of each leaf at a place.
  auto element = [&](ValueRange ivs) {
    Values values;
    for (auto [array, leaf] : llvm::zip(arrays, leaves)) {
      Access a{{array}, {}};
      for (Value iv : ivs)
        applyPoint(a, 0, iv, true);
      Type::Leaf rest = leaf;
      rest.dims.erase(rest.dims.begin(), rest.dims.begin() + ivs.size());
      values.push_back(readLeaf(array, a.selectors, rest));
    }
    return values;
  };

  // The keys, computed once if they are not the elements themselves.
  Value keys = arrays.front();
  ScalarKind kind = leaves.front().scalar;
  if (e->key) {
    kind = e->key->value->type.scalar();
    keys = map([&](ValueRange ivs) {
             define(e->keyArg, element(ivs));
             return emitBlock(*e->key);
           }).front();
  }
  Value numbers =
      map([&](ValueRange ivs) {
        return Values{make<arith::IndexCastOp>(b.getI64Type(), ivs[axis])};
      }).front();

  auto op = [&](BinaryOp o, Value x, Value y) {
    return compare(o, ScalarKind::I64, x, y);
  };
  auto both = [&](Value x, Value y) { return make<arith::AndIOp>(x, y); };
  auto either = [&](Value x, Value y) { return make<arith::OrIOp>(x, y); };
  auto select = [&](Value c, Value x, Value y) {
    return make<arith::SelectOp>(c, x, y);
  };
  /// Ascending, NaN last.
  auto less = [&](Value x, Value y) {
    Value result = compare(BinaryOp::Lt, kind, x, y);
    if (!isFloat(kind))
      return result;
    Value number = make<arith::CmpFOp>(arith::CmpFPredicate::ORD, x, x);
    Value nan = make<arith::CmpFOp>(arith::CmpFPredicate::UNO, y, y);
    return either(result, both(number, nan));
  };

  /// One step: every place and its partner in order.
  auto step = [&](Value perm, Value block, Value distance) {
    return map([&](ValueRange ivs) {
             Value i = make<arith::IndexCastOp>(b.getI64Type(), ivs[axis]);
             Value one = constant(ScalarKind::I64, 1);
             // Mirrored in the block at first, then half the distance away.
             Value isFirst = op(BinaryOp::Eq, block, distance);
             Value mask = select(isFirst, make<arith::SubIOp>(block, one),
                                 make<arith::ShRUIOp>(distance, one));
             Value partner = make<arith::XOrIOp>(i, mask);
             Value n = make<arith::IndexCastOp>(b.getI64Type(), size);
             Value exists = op(BinaryOp::Lt, partner, n);
             partner = select(exists, partner, i);
             auto at = [&](Value array, Value place) {
               Values point(ivs);
               point[axis] = make<arith::IndexCastOp>(b.getIndexType(), place);
               return Value(array::AtOp::create(b, loc, array, point, true));
             };
             Value mine = at(perm, i), other = at(perm, partner);
             Value key = at(keys, mine), otherKey = at(keys, other);
             Value otherIsLess =
                 either(less(otherKey, key),
                        both(make<arith::XOrIOp>(less(key, otherKey),
                                                 constant(ScalarKind::Bool, 1)),
                             op(BinaryOp::Lt, other, mine)));
             // The lower place takes the smaller one.
             Value isLower = op(BinaryOp::Lt, i, partner);
             Value isSelf = op(BinaryOp::Eq, i, partner);
             Value takes =
                 op(BinaryOp::Eq,
                    convert(ScalarKind::Bool, ScalarKind::I64, otherIsLess),
                    convert(ScalarKind::Bool, ScalarKind::I64, isLower));
             return Values{select(isSelf, mine, select(takes, other, mine))};
           })
        .front();
  };

  // Blocks of 2, 4, .. up to the first that holds everything.
  mlir::Type i64 = b.getI64Type();
  mlir::Type permType = numbers.getType();
  SmallVector<mlir::Type> types{i64, permType};
  SmallVector<Location> locs(2, loc);
  Type::Leaf permLeaf{"", ScalarKind::I64, leaves.front().dims};
  permLeaf.dims.resize(extents.size(), Dim(Size()));
  auto loop = [&](Value first, Value perm,
                  llvm::function_ref<Value(Value)> more,
                  llvm::function_ref<Value(Value)> next,
                  llvm::function_ref<Value(Value, Value)> body) {
    auto op = scf::WhileOp::create(b, loc, types, ValueRange{first, perm});
    Branching branching(*this, op);
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&op.getBefore(), {}, types, locs);
    scf::ConditionOp::create(b, loc, more(before->getArgument(0)),
                             before->getArguments());
    Block *after = b.createBlock(&op.getAfter(), {}, types, locs);
    Value counter = after->getArgument(0);
    Value result = body(counter, bind(after->getArgument(1), permLeaf));
    scf::YieldOp::create(b, loc, ValueRange{next(counter), result});
    return op.getResult(1);
  };
  Value two = constant(ScalarKind::I64, 2);
  Value n = make<arith::IndexCastOp>(i64, size);
  Value twice = make<arith::MulIOp>(n, two);
  Value perm = loop(
      two, numbers, [&](Value block) { return op(BinaryOp::Lt, block, twice); },
      [&](Value block) {
        return make<arith::ShLIOp>(block, constant(ScalarKind::I64, 1));
      },
      [&](Value block, Value outer) {
        return loop(
            block, outer,
            [&](Value distance) {
              return op(BinaryOp::Ge, distance, constant(ScalarKind::I64, 2));
            },
            [&](Value distance) {
              return make<arith::ShRUIOp>(distance,
                                          constant(ScalarKind::I64, 1));
            },
            [&](Value distance, Value inner) {
              return step(inner, block, distance);
            });
      });
  perm = bind(perm, permLeaf);
  if (e->op == hir::ArrayOpExpr::Op::ArgSort)
    return {perm};
  return map([&](ValueRange ivs) {
    Value number = array::AtOp::create(b, loc, perm, ivs, true);
    Values point(ivs);
    point[axis] = make<arith::IndexCastOp>(b.getIndexType(), number);
    return element(point);
  });
}
