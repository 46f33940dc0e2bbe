//===- Table.h - what parts of a kernel touch ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads arrt_kernel.parts, the compiler's answer (kernel.partition) in terms
/// of the kernel's arguments:
///
///     cut 0 box 2 r 4 2 , a3 , a4 , l 8 * -1 + , h 8 * 1 + , c
///                         a4 , 1 , , , n
///
/// `cut N`: parts share pair N of offset and extent (-1: all of the kernel).
/// `box`: the pointer among the arguments; what is done: `r` some is read, `w`
/// all is written, `t` some is read or written, `u` some is combined with
/// values, then the name of what combines (`addi32`); bytes of an element; the
/// rank; the position of the first element behind the pointer. Then of each
/// dimension the size, the stride, the lower and the upper end (excluded) and
/// how indices outside are mapped: `n` they do not occur, `c` to the nearest,
/// `w` from the other side, `m` and `r` turned at the edge; with `o` they go on
/// in the next row. An expression is in postfix form and ends with a comma:
/// numbers, `aN` argument N, `l` and `h` the part's first iteration and the one
/// behind its last, `+ * / c %` sum, product, quotient rounded down and up,
/// remainder, `> <` the larger and the lesser, `gN` of an index and a length
/// the element of the row of so many 64-bit numbers at pointer N, and behind
/// its last more than any index. An end that is empty is that of the array.
/// `because` and the rest of the text say why there is no cut but that of all.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_PARTS_TABLE_H
#define ARRT_PARTS_TABLE_H

#include "Parts/Owners.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace arrt {

/// What a row of numbers in memory says at an index: by the pointer among the
/// arguments, the index and the row's length.
using ReadNumber =
    std::function<int64_t(int pointer, int64_t index, int64_t length)>;

/// A number that follows from the arguments of a launch and a part of it.
class PartExpression {
public:
  /// Reads up to the comma behind it; false if it is none.
  bool read(const char *&text);
  bool isEmpty() const { return steps.empty(); }
  /// `argument` gives the value of an argument.
  int64_t get(const std::function<int64_t(int)> &argument, int64_t low,
              int64_t high, const ReadNumber &read = {}) const;

private:
  struct Step {
    char kind; ///< `#` a number, else as in the text
    int64_t number;
  };
  std::vector<Step> steps;
};

/// What a part touches of one array.
struct PartBox {
  struct Dimension {
    PartExpression size, stride, lower, upper;
    char edge = 'n';
  };
  int pointer = 0;
  char kind = 't';
  std::string combiner; ///< of `u`
  int64_t elementBytes = 1;
  PartExpression first;
  std::vector<Dimension> dimensions;

  /// What getRanges adds: the box; rows that it goes on into, as a whole; or,
  /// of too many pieces, what lies from the first to the last.
  enum class Fit { Exact, Rows, Around };

  /// Adds the bytes behind the pointer to `ranges`. Without `read` rows of
  /// numbers are taken to share the array equally.
  Fit getRanges(const std::function<int64_t(int)> &argument, int64_t low,
                int64_t high, Ranges &ranges,
                const ReadNumber &read = {}) const;
};

/// One way to cut a kernel.
struct PartCut {
  int pair = -1;
  std::vector<PartBox> boxes;
};

/// Reads the text; false if it is not of this form. `reason` is why there is no
/// cut but that of all.
bool readPartTable(const char *text, std::vector<PartCut> &cuts,
                   std::string &reason);

} // namespace arrt

#endif // ARRT_PARTS_TABLE_H
