//===- Table.h - Columns for a terminal -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TABLE_H
#define ARRC_TOOLS_ARRC_TABLE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace arrc::tool {

/// Rows of cells, printed in columns: the first one to the left, the others to
/// the right.
class Table {
public:
  explicit Table(std::vector<std::string> heads) : rows{std::move(heads)} {}
  /// Adds columns before there are rows.
  void addColumns(std::vector<std::string> heads) {
    llvm::append_range(rows.front(), heads);
  }
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::raw_ostream &os) const {
    std::vector<unsigned> widths(rows.front().size());
    for (const auto &row : rows)
      for (auto [width, cell] : llvm::zip(widths, row))
        width = std::max<unsigned>(width, unsigned(cell.size()));
    for (const auto &row : rows) {
      std::string text;
      llvm::raw_string_ostream line(text);
      for (size_t c = 0; c < row.size(); ++c)
        if (c == 0)
          line << llvm::left_justify(row[c], widths[c]);
        else
          line << "  " << llvm::right_justify(row[c], widths[c]);
      os << llvm::StringRef(text).rtrim() << '\n';
    }
  }

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TABLE_H
