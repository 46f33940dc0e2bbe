//===- Tensor.cpp - An array on the host ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Tensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace arrc::reference;

std::optional<int64_t>
arrc::reference::elementCount(llvm::ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t n) { return n < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t n : shape)
    if (llvm::MulOverflow(count, n, count))
      return std::nullopt;
  return count;
}

Tensor::Tensor(Element element, llvm::ArrayRef<int64_t> shape)
    : kind(element), width(sizeOf(element)), dims(shape.begin(), shape.end()) {
  std::optional<int64_t> n = elementCount(shape);
  assert(n && "not a shape");
  count = *n;
  bytes.resize(count * width);
}

Tensor::Tensor(Element element, llvm::ArrayRef<int64_t> shape, const void *data)
    : Tensor(element, shape) {
  if (count)
    std::memcpy(bytes.data(), data, bytes.size());
}

Tensor Tensor::scalar(Element element, const Scalar &value) {
  Tensor t(element, {});
  t.set(0, value);
  return t;
}

void Tensor::set(int64_t position, const Scalar &value) {
  store(kind, value, bytes.data() + position * width);
  if (value.dev == 0 && devs.empty())
    return;
  if (devs.empty())
    devs.resize(count);
  devs[position] = value.dev;
}

int64_t Tensor::position(llvm::ArrayRef<int64_t> index) const {
  int64_t position = 0;
  for (auto [i, n] : llvm::zip_equal(index, dims))
    position = position * n + i;
  return position;
}

llvm::SmallVector<int64_t> Tensor::index(int64_t position) const {
  llvm::SmallVector<int64_t> index(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    index[d] = position % dims[d];
    position /= dims[d];
  }
  return index;
}

/// The shortest text that reads back as the same number (of f32 for the
/// narrower types), as programs print it.
static void printReal(llvm::raw_ostream &os, Element element, double value) {
  if (std::isnan(value)) {
    os << "nan";
    return;
  }
  if (std::isinf(value)) {
    os << (value < 0 ? "-inf" : "inf");
    return;
  }
  if (element != Element::F64)
    element = Element::F32;
  char text[64];
  int digits = 1;
  for (; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
    if (roundTo(element, std::strtod(text, nullptr)) == value)
      break;
  }
  int exponent = std::atoi(std::strchr(text, 'e') + 1);
  if (exponent >= -5 && exponent < 16)
    std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - exponent),
                  value);
  os << text;
}

void arrc::reference::printScalar(llvm::raw_ostream &os, Element element,
                                  const Scalar &value) {
  if (element == Element::Bool) {
    os << (value.i ? "true" : "false");
  } else if (isInteger(element)) {
    os << value.i;
  } else if (isFloat(element)) {
    printReal(os, element, value.re);
  } else {
    os << '(';
    printReal(os, partOf(element), value.re);
    os << ", ";
    printReal(os, partOf(element), value.im);
    os << ')';
  }
}

/// Prints the dimensions from `dim` on, beginning at `position`.
static void printNested(llvm::raw_ostream &os, const Tensor &tensor,
                        int64_t dim, int64_t position, int64_t stride) {
  if (dim == tensor.rank()) {
    printScalar(os, tensor.element(), tensor.get(position));
    return;
  }
  int64_t n = tensor.shape()[dim];
  stride = n ? stride / n : 0;
  os << '[';
  for (int64_t i = 0; i < n; ++i) {
    if (i)
      os << ", ";
    printNested(os, tensor, dim + 1, position + i * stride, stride);
  }
  os << ']';
}

void Tensor::print(llvm::raw_ostream &os) const {
  os << nameOf(kind);
  if (!dims.empty()) {
    os << '[';
    llvm::interleaveComma(dims, os);
    os << ']';
  }
  os << ' ';
  printNested(os, *this, 0, 0, count);
}
