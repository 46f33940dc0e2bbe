//===- Options.h - the arguments of a program's command line ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_OPTIONS_H
#define ARRT_RUN_OPTIONS_H

#include "arrt/arrt.h"

#include <string>
#include <vector>

namespace arrt {

/// `NAME=VALUE`, or `NAME=@FILE`.
struct Assignment {
  std::string name;
  std::string text; ///< the expression, or the path without the @
  bool isFile = false;
  std::string member; ///< of the archive that the file is; "" if it is none
};

/// A command line, taken apart and not yet compared with any program.
struct Options {
  std::vector<Assignment> inputs;
  std::vector<Assignment> outputs;
  std::string entry; ///< "" if not given
  int32_t threads = 0;
  int32_t parts = 0;  ///< 0: not given
  std::string target; ///< "" if not given
  bool convert = false;
  bool help = false;
  bool time = false;
  int64_t repeat = 1; ///< how often it is called
};

/// Takes `argv[1..]` apart. Returns "" or an error text; `help` may then hold
/// a line that says what to write.
std::string parseOptions(int argc, char **argv, Options &options,
                         std::string &help);

/// The export that the options ask for, or null with a message, with lines of
/// help behind it.
const arrt_entry *findEntry(const arrt_program &program, const Options &options,
                            std::string &error);

} // namespace arrt

#endif // ARRT_RUN_OPTIONS_H
