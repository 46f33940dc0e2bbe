//===- ImportRandom.cpp - Random numbers from counters --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Philox-4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3",
// SC 2011) written out in integer arithmetic: pure functions of a key and of
// counters, the same on every device. docs/language.md says which word of which
// block each number is made of.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace arrc;
using namespace mlir;
using hir::BinaryOp;
using hir::Function;

/// The four words (i32) of the block of key and counters (i64).
Values Importer::philoxBlock(Value key, Value first, Value second) {
  auto word = [&](Value v, bool high) -> Value {
    if (high)
      v = make<arith::ShRUIOp>(v, constant(ScalarKind::I64, 32));
    return make<arith::TruncIOp>(b.getI32Type(), v);
  };
  auto c32 = [&](uint32_t v) { return constant(ScalarKind::U32, v); };
  Values c{word(first, false), word(first, true), word(second, false),
           word(second, true)};
  Value k0 = word(key, false), k1 = word(key, true);
  for (unsigned round = 0; round < 10; ++round) {
    if (round) {
      k0 = make<arith::AddIOp>(k0, c32(0x9E3779B9));
      k1 = make<arith::AddIOp>(k1, c32(0xBB67AE85));
    }
    auto product = [&](Value v, uint32_t factor) {
      return make<arith::MulIOp>(make<arith::ExtUIOp>(b.getI64Type(), v),
                                 constant(ScalarKind::I64, factor));
    };
    Value p = product(c[0], 0xD2511F53), q = product(c[2], 0xCD9E8D57);
    auto mix = [&](Value x, Value y, Value z) {
      return make<arith::XOrIOp>(make<arith::XOrIOp>(x, y), z);
    };
    c = {mix(word(q, true), c[1], k0), word(q, false),
         mix(word(p, true), c[3], k1), word(p, false)};
  }
  return c;
}

/// Two words as one i64, the first below.
Value Importer::joinWords(Value low, Value high) {
  Value wide = make<arith::ShLIOp>(make<arith::ExtUIOp>(b.getI64Type(), high),
                                   constant(ScalarKind::I64, 32));
  return make<arith::OrIOp>(make<arith::ExtUIOp>(b.getI64Type(), low), wide);
}

Value Importer::emitRandom(hir::CallExpr *e) {
  Values args;
  for (hir::Expr *arg : e->args)
    args.push_back(
        convert(arg->type.scalar(), ScalarKind::I64, emitScalar(arg)));
  auto c64 = [&](int64_t v) { return constant(ScalarKind::I64, v); };
  if (e->function == Function::Philox) {
    Value second = args.size() > 2 ? args[2] : c64(0);
    return tensor::FromElementsOp::create(
        b, loc, philoxBlock(args[0], args[1], second));
  }

  // With a third counter the key comes from a block of its own.
  Value key = args[0], a = args[1], second = args[2];
  if (e->numCounters >= 3) {
    Values w = philoxBlock(key, args[3], args[4]);
    key = joinWords(w[0], w[1]);
  }
  ScalarKind kind =
      e->function == Function::RandInt ? ScalarKind::F64 : e->type.scalar();
  bool isDouble = kind == ScalarKind::F64;
  Value block = make<arith::ShRSIOp>(a, c64(isDouble ? 1 : 2));
  Value k = make<arith::AndIOp>(a, c64(isDouble ? 1 : 3));
  Values w = philoxBlock(key, block, second);
  auto bit = [&](int64_t mask) {
    return make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                               make<arith::AndIOp>(k, c64(mask)), c64(0));
  };
  auto pick = [&](Value condition, Value yes, Value no) {
    return make<arith::SelectOp>(condition, yes, no);
  };
  auto mul = [&](ScalarKind type, Value x, Value y) {
    return arithmetic(BinaryOp::Mul, type, x, y, false);
  };
  /// The top bits of an integer as a fraction of 1.
  auto fraction = [&](ScalarKind type, Value bits, unsigned width,
                      unsigned keep) {
    ScalarKind from = width == 64 ? ScalarKind::U64 : ScalarKind::U32;
    Value top = make<arith::ShRUIOp>(bits, constant(from, width - keep));
    return mul(type, convert(from, type, top),
               floatConstant(type, std::ldexp(1.0, -int(keep))));
  };

  if (e->function == Function::RandInt) {
    Value low = args[5], high = args[6];
    if (!unsafe) {
      Value ok = make<arith::CmpIOp>(arith::CmpIPredicate::slt, low, high);
      check(hir::CheckKind::Assert, ok, "randint over the empty range {0}:{1}",
            {low, high});
    }
    Value x = pick(bit(1), joinWords(w[2], w[3]), joinWords(w[0], w[1]));
    // The upper 64 bits of the product, from 32-bit halves.
    Value range = make<arith::SubIOp>(high, low);
    auto upper = [&](Value v) { return make<arith::ShRUIOp>(v, c64(32)); };
    auto lower = [&](Value v) {
      return make<arith::AndIOp>(v, c64(0xffffffff));
    };
    auto times = [&](Value u, Value v) { return make<arith::MulIOp>(u, v); };
    auto plus = [&](Value u, Value v) { return make<arith::AddIOp>(u, v); };
    Value ll = times(lower(x), lower(range)),
          lh = times(lower(x), upper(range)),
          hl = times(upper(x), lower(range)),
          hh = times(upper(x), upper(range));
    Value middle = plus(plus(upper(ll), lower(lh)), lower(hl));
    Value top = plus(plus(hh, upper(lh)), plus(upper(hl), upper(middle)));
    return plus(low, top);
  }

  if (e->function == Function::Uniform) {
    if (isDouble)
      return fraction(
          kind, pick(bit(1), joinWords(w[2], w[3]), joinWords(w[0], w[1])), 64,
          53);
    Value word =
        pick(bit(2), pick(bit(1), w[3], w[2]), pick(bit(1), w[1], w[0]));
    // A value of 24 bits or fewer is exact in f32, and stays so when rounded.
    unsigned keep = kind == ScalarKind::F16    ? 11
                    : kind == ScalarKind::BF16 ? 8
                                               : 24;
    return convert(ScalarKind::F32, kind,
                   fraction(ScalarKind::F32, word, 32, keep));
  }

  // Normal: Box and Muller.
  ScalarKind real = isDouble ? ScalarKind::F64 : ScalarKind::F32;
  Value u, v;
  if (isDouble) {
    Value x = make<arith::ShRUIOp>(joinWords(w[0], w[1]), c64(11));
    Value above = make<arith::AddIOp>(x, c64(1));
    u = mul(real, convert(ScalarKind::U64, real, above),
            floatConstant(real, std::ldexp(1.0, -53)));
    v = fraction(real, joinWords(w[2], w[3]), 64, 53);
  } else {
    Value first = pick(bit(2), w[2], w[0]), next = pick(bit(2), w[3], w[1]);
    Value above =
        arithmetic(BinaryOp::Add, real, convert(ScalarKind::U32, real, first),
                   floatConstant(real, 1), false);
    u = mul(real, above, floatConstant(real, std::ldexp(1.0, -32)));
    v = fraction(real, next, 32, 24);
  }
  Value radius = floatFunction(Function::Sqrt, real,
                               {mul(real, floatConstant(real, -2),
                                    floatFunction(Function::Log, real, {u}))});
  double pi = 3.14159265358979323846;
  Value angle =
      mul(real,
          floatConstant(real, isDouble ? 2 * pi : 2.0 * double(float(pi))), v);
  Value direction = pick(bit(1), floatFunction(Function::Sin, real, {angle}),
                         floatFunction(Function::Cos, real, {angle}));
  return convert(real, kind, mul(real, radius, direction));
}
