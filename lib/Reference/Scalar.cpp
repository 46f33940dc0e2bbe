//===- Scalar.cpp - One number of the reference evaluator -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Scalar.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace arrc::reference;

std::optional<Element> arrc::reference::elementOf(mlir::Type type) {
  if (auto shaped = dyn_cast<mlir::ShapedType>(type))
    type = shaped.getElementType();
  if (type.isIndex())
    return Element::Index;
  if (auto i = dyn_cast<mlir::IntegerType>(type))
    switch (i.getWidth()) {
    case 1:
      return Element::Bool;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    case 64:
      return Element::I64;
    default:
      return std::nullopt;
    }
  if (type.isF16())
    return Element::F16;
  if (type.isBF16())
    return Element::BF16;
  if (type.isF32())
    return Element::F32;
  if (type.isF64())
    return Element::F64;
  if (auto c = dyn_cast<mlir::ComplexType>(type)) {
    if (c.getElementType().isF32())
      return Element::C64;
    if (c.getElementType().isF64())
      return Element::C128;
  }
  return std::nullopt;
}

llvm::StringRef arrc::reference::nameOf(Element element) {
  static const char *const names[] = {"bool", "i8",    "i16", "i32",
                                      "i64",  "index", "f16", "bf16",
                                      "f32",  "f64",   "c64", "c128"};
  return names[unsigned(element)];
}

unsigned arrc::reference::sizeOf(Element element) {
  static const unsigned sizes[] = {1, 1, 2, 4, 8, 8, 2, 2, 4, 8, 8, 16};
  return sizes[unsigned(element)];
}

unsigned arrc::reference::bitsOf(Element element) {
  static const unsigned bits[] = {1, 8, 16, 32, 64, 64, 0, 0, 0, 0, 0, 0};
  return bits[unsigned(element)];
}

Element arrc::reference::partOf(Element element) {
  if (element == Element::C64)
    return Element::F32;
  return element == Element::C128 ? Element::F64 : element;
}

namespace {
/// A binary floating-point format.
struct Format {
  int precision;
  /// Exponents of the smallest and the largest normal number.
  int minExponent, maxExponent;
};
} // namespace

static Format formatOf(Element element) {
  switch (partOf(element)) {
  case Element::F16:
    return {11, -14, 15};
  case Element::BF16:
    return {8, -126, 127};
  case Element::F32:
    return {24, -126, 127};
  default:
    return {53, -1022, 1023};
  }
}

unsigned arrc::reference::precisionOf(Element element) {
  return formatOf(element).precision;
}

double arrc::reference::roundTo(Element element, double value) {
  element = partOf(element);
  if (element == Element::F64 || std::isnan(value) || std::isinf(value) ||
      value == 0)
    return value;
  if (element == Element::F32)
    return float(value);
  Format f = formatOf(element);
  // The distance of two neighbours near the value; adding and taking away a
  // number so large that this is its unit would round as well, but this reads
  // like the definition.
  int exponent = std::max(std::ilogb(value), f.minExponent);
  double unit = std::ldexp(1.0, exponent - f.precision + 1);
  double rounded = std::nearbyint(value / unit) * unit;
  double largest =
      std::ldexp(2.0 - std::ldexp(1.0, 1 - f.precision), f.maxExponent);
  if (std::fabs(rounded) > largest)
    return std::copysign(HUGE_VAL, value);
  return std::copysign(rounded, value);
}

double arrc::reference::ulpOf(Element element, double value) {
  if (!std::isfinite(value))
    return unbounded;
  Format f = formatOf(element);
  int exponent =
      value == 0 ? f.minExponent : std::max(std::ilogb(value), f.minExponent);
  return std::ldexp(1.0, exponent - f.precision + 1);
}

int64_t arrc::reference::wrapTo(Element element, int64_t value) {
  unsigned bits = bitsOf(element);
  if (bits == 1)
    return value & 1;
  return bits == 64 ? value : llvm::SignExtend64(uint64_t(value), bits);
}

double arrc::reference::distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return unbounded;
  return std::fabs(a - b);
}

/// The bits of a number of f16 or bf16 as a double, and back.
static double decodeHalf(const llvm::fltSemantics &semantics, uint16_t bits) {
  llvm::APFloat f(semantics, llvm::APInt(16, bits));
  bool lost;
  f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &lost);
  return f.convertToDouble();
}
static uint16_t encodeHalf(const llvm::fltSemantics &semantics, double value) {
  llvm::APFloat f(value);
  bool lost;
  f.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return uint16_t(f.bitcastToAPInt().getZExtValue());
}

template <typename T> static T read(const void *place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}
template <typename T> static void write(void *place, T value) {
  std::memcpy(place, &value, sizeof(T));
}

Scalar arrc::reference::load(Element element, const void *place) {
  const char *p = static_cast<const char *>(place);
  switch (element) {
  case Element::Bool:
    return Scalar::integer(read<int8_t>(p) != 0);
  case Element::I8:
    return Scalar::integer(read<int8_t>(p));
  case Element::I16:
    return Scalar::integer(read<int16_t>(p));
  case Element::I32:
    return Scalar::integer(read<int32_t>(p));
  case Element::I64:
  case Element::Index:
    return Scalar::integer(read<int64_t>(p));
  case Element::F16:
    return Scalar::real(
        decodeHalf(llvm::APFloat::IEEEhalf(), read<uint16_t>(p)));
  case Element::BF16:
    return Scalar::real(decodeHalf(llvm::APFloat::BFloat(), read<uint16_t>(p)));
  case Element::F32:
    return Scalar::real(read<float>(p));
  case Element::F64:
    return Scalar::real(read<double>(p));
  case Element::C64:
    return Scalar::complex(read<float>(p), read<float>(p + 4));
  case Element::C128:
    return Scalar::complex(read<double>(p), read<double>(p + 8));
  }
  llvm_unreachable("unknown element type");
}

void arrc::reference::store(Element element, const Scalar &value, void *place) {
  char *p = static_cast<char *>(place);
  switch (element) {
  case Element::Bool:
    return write<int8_t>(p, value.i & 1);
  case Element::I8:
    return write<int8_t>(p, int8_t(value.i));
  case Element::I16:
    return write<int16_t>(p, int16_t(value.i));
  case Element::I32:
    return write<int32_t>(p, int32_t(value.i));
  case Element::I64:
  case Element::Index:
    return write<int64_t>(p, value.i);
  case Element::F16:
    return write<uint16_t>(p, encodeHalf(llvm::APFloat::IEEEhalf(), value.re));
  case Element::BF16:
    return write<uint16_t>(p, encodeHalf(llvm::APFloat::BFloat(), value.re));
  case Element::F32:
    return write<float>(p, float(value.re));
  case Element::F64:
    return write<double>(p, value.re);
  case Element::C64:
    write<float>(p, float(value.re));
    return write<float>(p + 4, float(value.im));
  case Element::C128:
    write<double>(p, value.re);
    return write<double>(p + 8, value.im);
  }
}

/// The position of a number among all numbers of its type, both zeros being 0.
static int64_t ordinal(Element element, double value) {
  char place[16];
  store(element, Scalar::real(value), place);
  int64_t bits;
  switch (element) {
  case Element::F16:
  case Element::BF16:
    bits = read<int16_t>(place);
    return bits < 0 ? -(bits & 0x7fff) : bits;
  case Element::F32:
    bits = read<int32_t>(place);
    return bits < 0 ? -(bits & 0x7fffffff) : bits;
  default:
    bits = read<int64_t>(place);
    return bits < 0 ? -(bits & std::numeric_limits<int64_t>::max()) : bits;
  }
}

uint64_t arrc::reference::ulpsBetween(Element element, double a, double b) {
  if (std::isnan(a) && std::isnan(b))
    return 0;
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<uint64_t>::max();
  element = partOf(element);
  int64_t x = ordinal(element, a), y = ordinal(element, b);
  return x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x);
}
