//===- New.cpp - arrc new -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Console.h"
#include "Verbs.h"

#include "arrc/Frontend/Lexer.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace arrc::tool;

static constexpr StringLiteral program =
    R"arr(# NAME: smooths an array of two dimensions a few times.
#
#   arrc run NAME.arr u=@NAME.npy steps=10 --output v=@smooth.npy
#   arrc run NAME.arr u=@NAME.npy steps=10 --check      # against the evaluator
#   arrc check NAME.arr                                 # errors only
#   arrc NAME.arr -o NAME                               # a program of its own

# What others call is an 'export def'. The sizes n and m come from the array.
export def NAME(u: f32[n, m], steps: int = 1) -> (v: f32[n, m], change: f32) where steps >= 0 {
  var v = u
  # 'loop' runs in order and may change a 'var'.
  loop k in steps {
    # Beyond its edges an extended array has the values of the edges.
    let e = extend(v, clamp)
    # 'for' and 'stencil' make an array: one value for each pair of indices.
    v = stencil i in n, j in m {
      0.2 * (e[i, j] + e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1])
    }
  }
  # Combinators such as 'max', 'sum' and 'mean' stand in front of a 'for'.
  let change = max for i, j { abs(v[i, j] - u[i, j]) }
  (v, change)
}
)arr";

/// A hill on a plain of 48 x 64, as a file of NumPy.
static std::string inputFile() {
  constexpr unsigned rows = 48, columns = 64;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(columns) +
                       "), }";
  // The data begins at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  bytes += header;
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      float y = (i - 23.5f) / 8, x = (j - 31.5f) / 8;
      float height = std::exp(-(x * x + y * y));
      char number[4];
      support::endian::write(number, height, llvm::endianness::little);
      bytes.append(number, sizeof number);
    }
  return bytes;
}

/// Writes a file that is not there yet.
static int writeNew(const std::string &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path, error, sys::fs::CD_CreateNew);
  if (error == std::errc::file_exists)
    return complain(WrongUse, "'" + path + "' is there already",
                    "choose another name, or remove it");
  if (!error) {
    os << text;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return complain(CannotReadOrWrite,
                    "cannot write '" + path + "': " + error.message());
  return Done;
}

int arrc::tool::newProgram(const CommandLine &line) {
  if (line.rest.size() != 1 || StringRef(line.rest.front()).starts_with("-"))
    return complain(WrongUse, "a new program needs a name",
                    "write arrc new NAME");
  StringRef name = line.rest.front();
  name.consume_back(".arr");
  if (!arrc::isName(name))
    return complain(WrongUse, "'" + name + "' cannot be a name",
                    "a name has letters, digits and '_', and is no keyword");
  std::string text;
  for (StringRef rest = program; !rest.empty();) {
    size_t at = rest.find("NAME");
    text += rest.take_front(at);
    if (at == StringRef::npos)
      break;
    text += name;
    rest = rest.drop_front(at + 4);
  }
  if (int code = writeNew((name + ".arr").str(), text))
    return code;
  if (int code = writeNew((name + ".npy").str(), inputFile()))
    return code;
  outs() << name << ".arr and " << name
         << ".npy are written. Run it:\n  arrc run " << name << ".arr u=@"
         << name << ".npy steps=10\n";
  return Done;
}
