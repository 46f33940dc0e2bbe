//===- Compare.cpp - A target's results against the evaluator's -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The bound of an element is what the evaluator tracked for it, never one
// tolerance for a program: 0 where the language fixes every rounding, so there
// the sign of a zero counts, too; `2 * k * u * sum|x|` after a sum; the units
// in the last place of the elementary functions; and how later operations
// carry these on.
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace arrc::reference;

/// True if both are the same bits, any two NaN being the same.
static bool sameBits(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

static bool sameBits(Element element, const Scalar &a, const Scalar &b) {
  if (isInteger(element))
    return a.i == b.i;
  return sameBits(a.re, b.re) && sameBits(a.im, b.im);
}

/// How much of its bound an element uses; over 1 is a failure.
static double usage(double error, double allowed) {
  if (error == 0)
    return 0;
  return allowed == 0 ? unbounded : error / allowed;
}

Comparison arrc::reference::compare(const Tensor &expected,
                                    const Tensor &actual) {
  Comparison result;
  llvm::raw_string_ostream os(result.mismatch);
  if (expected.element() != actual.element()) {
    os << "the elements are " << nameOf(actual.element()) << ", expected "
       << nameOf(expected.element());
    result.agrees = false;
    return result;
  }
  if (expected.shape() != actual.shape()) {
    os << "the shape is [";
    llvm::interleaveComma(actual.shape(), os);
    os << "], expected [";
    llvm::interleaveComma(expected.shape(), os);
    os << ']';
    result.agrees = false;
    return result;
  }

  Element element = expected.element();
  double worstUsage = -1;
  for (int64_t k = 0; k < expected.size(); ++k) {
    Scalar e = expected.get(k), a = actual.get(k);
    if (sameBits(element, e, a))
      continue;
    if (e.dev == unbounded) {
      ++result.undecided;
      continue;
    }
    double error, use;
    if (isInteger(element)) {
      error = std::fabs(double(e.i) - double(a.i));
      use = unbounded;
    } else {
      error = std::max(distance(e.re, a.re), distance(e.im, a.im));
      // Zeros of both signs are apart where every bit is fixed.
      use = error == 0 && e.dev == 0 ? unbounded : usage(error, e.dev);
    }
    if (use > 1)
      ++result.failures;
    if (use <= worstUsage)
      continue;
    worstUsage = use;
    result.worst = k;
    result.expected = e;
    result.actual = a;
    result.error = error;
    result.allowed = e.dev;
    result.ulps =
        isInteger(element)
            ? 0
            : std::max(ulpsBetween(element, e.re, a.re),
                       isComplex(element) ? ulpsBetween(element, e.im, a.im)
                                          : uint64_t(0));
  }
  result.agrees = result.failures == 0;
  return result;
}

std::string arrc::reference::report(llvm::StringRef name,
                                    const Tensor &expected,
                                    const Comparison &comparison,
                                    mlir::Location origin,
                                    std::optional<mlir::Location> uncertainAt) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << ": ";
  if (!comparison.mismatch.empty()) {
    os << comparison.mismatch << ", computed at " << describeLocation(origin);
    return text;
  }
  if (comparison.agrees)
    os << "agrees";
  else
    os << comparison.failures << " of " << expected.size()
       << (expected.size() == 1 ? " element differs" : " elements differ");
  if (comparison.worst >= 0) {
    os << (comparison.agrees ? ", farthest" : ", worst");
    if (expected.rank()) {
      os << " at [";
      llvm::interleaveComma(expected.index(comparison.worst), os);
      os << ']';
    }
    os << ": ";
    printScalar(os, expected.element(), comparison.actual);
    os << ", expected ";
    printScalar(os, expected.element(), comparison.expected);
    if (!isInteger(expected.element())) {
      if (comparison.ulps == std::numeric_limits<uint64_t>::max())
        os << " (";
      else
        os << " (" << comparison.ulps << " ulp, ";
      os << "off by " << llvm::format("%.3g", comparison.error) << ", allowed "
         << llvm::format("%.3g", comparison.allowed) << ")";
    }
  }
  if (!comparison.agrees)
    os << ", computed at " << describeLocation(origin);
  if (comparison.undecided) {
    os << ", " << comparison.undecided
       << (comparison.undecided == 1 ? " element hangs" : " elements hang")
       << " on a decision that rounding may turn";
    if (uncertainAt)
      os << " (at " << describeLocation(*uncertainAt) << ")";
  }
  return text;
}
