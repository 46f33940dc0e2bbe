//===- Tensor.h - An array on the host --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_TENSOR_H
#define ARRC_REFERENCE_TENSOR_H

#include "arrc/Reference/Scalar.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace arrc::reference {

/// A dense, row-major array of one element type, as the runtime stores it. A
/// scalar is an array of rank 0.
class Tensor {
public:
  Tensor() = default;
  /// An array of zeros.
  Tensor(Element element, llvm::ArrayRef<int64_t> shape);
  /// A copy of the dense array at `data` (bools one byte each, 0 or 1).
  Tensor(Element element, llvm::ArrayRef<int64_t> shape, const void *data);
  /// A number.
  static Tensor scalar(Element element, const Scalar &value);

  Element element() const { return kind; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  int64_t rank() const { return dims.size(); }
  /// The number of elements.
  int64_t size() const { return count; }
  /// The elements, row-major.
  const char *data() const { return bytes.data(); }
  char *data() { return bytes.data(); }

  /// The element at a position in row-major order.
  Scalar get(int64_t position) const {
    Scalar s = load(kind, bytes.data() + position * width);
    if (!devs.empty())
      s.dev = devs[position];
    return s;
  }
  /// Writes the element at a position in row-major order.
  void set(int64_t position, const Scalar &value);

  /// How far a correct target may be from the element (see Scalar::dev).
  double deviation(int64_t position) const {
    return devs.empty() ? 0.0 : devs[position];
  }
  /// True if a correct target must have these very bits everywhere.
  bool isExact() const { return devs.empty(); }

  /// The position in row-major order of an index that is inside.
  int64_t position(llvm::ArrayRef<int64_t> index) const;
  /// The index of a position in row-major order.
  llvm::SmallVector<int64_t> index(int64_t position) const;

  /// Prints `f32[2, 3] [[1, 2, 3], [4, 5, 6]]`.
  void print(llvm::raw_ostream &os) const;

private:
  Element kind = Element::I64;
  unsigned width = 8;
  int64_t count = 0;
  llvm::SmallVector<int64_t, 4> dims;
  std::vector<char> bytes;
  /// One deviation an element, or nothing if all are 0.
  std::vector<double> devs;
};

/// Prints a number as the language writes it; floats with as many digits as
/// tell them apart.
void printScalar(llvm::raw_ostream &os, Element element, const Scalar &value);

/// Reads an array as `Tensor::print` writes it after the type: `[1, 2]`, `1.5`,
/// `true`, `(0, 1)`; none if the text is something else.
std::optional<Tensor> parseTensor(llvm::StringRef text, Element element);

/// Random numbers for tests: the same on every machine.
class RandomSource {
public:
  explicit RandomSource(uint64_t seed) : state(seed) {}

  /// Sixty-four random bits.
  uint64_t next();
  /// An integer in an interval, both ends included.
  int64_t integer(int64_t lowest, int64_t highest);
  /// A number: integers in the interval; floats in [-1, 1), or whole numbers
  /// in the interval.
  Scalar scalar(Element element, int64_t lowest, int64_t highest,
                bool wholeFloats);

private:
  uint64_t state;
};

/// The number of elements of a shape; none if it is negative or over 2^63.
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape);

} // namespace arrc::reference

#endif // ARRC_REFERENCE_TENSOR_H
