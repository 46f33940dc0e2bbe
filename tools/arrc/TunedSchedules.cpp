//===- TunedSchedules.cpp - Schedules beside a program --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A schedule names a kernel, and which kernels there are depends on the text of
// a program and on what was chosen for the way down. So a file that is not
// named counts only if it says that it was made for just these, as those of
// `arrc tune` do. Any other is named by
// `--schedule=FILE`.
//
//===----------------------------------------------------------------------===//

#include "TunedSchedules.h"

#include "Compiler.h"
#include "Console.h"

#include "arrc/Support/Printable.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

static constexpr StringLiteral mark = "// for ";

std::string arrc::tool::getTunedFile(StringRef program) {
  return (program + ".schedules").str();
}

/// Stands for the options that choose kernels.
static std::string digestOfOptions(const CommandLine &line) {
  std::string text = ARRC_VERSION "\n" + line.passes.getKey();
  auto add = [&](StringRef what) { text += what.str() + "\n"; };
  add(std::to_string(line.optLevel));
  add(std::to_string(line.parts));
  for (const auto *list : {&line.without, &line.plugins, &line.defines})
    add(join(*list, " "));
  for (const auto &[name, number] : line.facts)
    add(name + "=" + std::to_string(number));
  if (line.reproducible)
    add("reproducible");
  if (line.sanitize)
    add("sanitize");
  return toHex(digestOf(text), /*LowerCase=*/true);
}

/// Stands for the text of the program; "" if it cannot be read.
static std::string digestOfProgram(const CommandLine &line) {
  auto text = readSourceFile(line.file, mostModuleBytes);
  return text ? toHex(digestOf((*text)->getBuffer()), /*LowerCase=*/true) : "";
}

std::string arrc::tool::getTunedHead(const CommandLine &line,
                                     StringRef target) {
  std::string program = digestOfProgram(line);
  if (program.empty())
    return "";
  return (mark + target + " of " + program + " " + digestOfOptions(line) + "\n")
      .str();
}

void arrc::tool::useTunedSchedules(CommandLine &line) {
  std::string file = getTunedFile(line.file);
  if (line.text || line.file.empty() || !sys::fs::exists(file))
    return;
  auto text = readSourceFile(file, mostSourceBytes);
  if (!text)
    return;
  auto leaveOut = [&](StringRef why) {
    static bool isSaid = false;
    if (!isSaid && line.messageFormat == MessageFormat::Full)
      console() << "note: '" << printable(file) << "' " << why
                << ", and is left out\n";
    isSaid = true;
  };
  for (StringRef row : split((*text)->getBuffer(), '\n')) {
    if (!row.consume_front(mark))
      continue;
    auto [target, key] = row.trim().split(" of ");
    auto [program, options] = key.split(' ');
    if (options != digestOfOptions(line))
      return;
    if (program != digestOfProgram(line))
      return leaveOut("was measured with another text of the program");
    // A name that cannot stand in a pipeline has to be given another.
    (void)line.passes.addSchedules(file);
    return;
  }
  leaveOut("is not what 'arrc tune' writes");
}
