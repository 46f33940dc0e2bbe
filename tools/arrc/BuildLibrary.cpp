//===- BuildLibrary.cpp - arrc build --emit=header, --emit=lib ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A library holds the program once a target, and the functions of C that take
// the one that the context is for.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Header.h"
#include "Output.h"
#include "Target.h"
#include "Verbs.h"

#include "arrc/Target/CPU/CPU.h"

#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Complains of text that is below the level that the exports are read from.
static int checkIsAtArrays(Compiler &compiler, const CommandLine &line) {
  if (compiler.isAtArrays())
    return Done;
  return complain(WrongUse, "'" + line.file +
                                "' is below the level 'array', "
                                "which says what its exports are");
}

int arrc::tool::buildHeader(const CommandLine &line, StringRef output) {
  Timer timer;
  Compiler compiler(line, TargetOptions(), timer);
  if (int code = compiler.load())
    return code;
  if (int code = checkIsAtArrays(compiler, line))
    return code;
  Exports exports(compiler.module(), line.file);
  if (exports.empty())
    return complainOfNoExport(line);
  return writeOutput(output, exports.header());
}

namespace {
/// The object files of a library, as they are made.
struct Parts {
  std::deque<TemporaryFile> files;
  std::vector<std::string> paths, names;
  /// A new file, or null after a complaint.
  TemporaryFile *add(const std::string &name) {
    files.emplace_back("o");
    if (files.back().isMissing())
      return nullptr;
    paths.push_back(files.back().getPath().str());
    names.push_back(name + ".o");
    return &files.back();
  }
};
} // namespace

/// Compiles the program for one target. `definitions` gets the text of the
/// functions of C.
static int addTarget(const CommandLine &line, ArrayRef<std::string> targets,
                     bool isFirst, Parts &parts, std::string &definitions) {
  std::optional<Target> target = findBuildTarget(line);
  if (!target)
    return NoDevice;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (!isFirst)
    compiler.beQuiet();
  if (int code = compiler.load())
    return code;
  if (int code = checkIsAtArrays(compiler, line))
    return code;
  Exports exports(compiler.module(), line.file);
  if (exports.empty())
    return complainOfNoExport(line);
  std::string name =
      programNameFor(exports.name(), target->options.name, isFirst);
  compiler.module()->setAttr(
      "arrc.name",
      mlir::StringAttr::get(compiler.module()->getContext(), name));
  if (isFirst)
    definitions = exports.definitions(targets);
  if (int code = compiler.lowerTo(Level::LLVM))
    return code;
  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.isGlue = target->options.isDevice();
  options.cpu = line.cpu;
  SmallVector<char, 0> bytes;
  if (mlir::failed(cpu::compile(compiler.module(), options,
                                cpu::OutputKind::Object, bytes)))
    return line.passes.isGiven() ? ProgramError : InternalError;
  TemporaryFile *object = parts.add(name);
  return object ? object->write(StringRef(bytes.data(), bytes.size()))
                : int(CannotReadOrWrite);
}

/// Writes an archive of the objects.
static int writeArchiveOf(const Parts &parts, StringRef output) {
  std::vector<NewArchiveMember> members;
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  for (auto [path, name] : llvm::zip(parts.paths, parts.names)) {
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return complain(CannotReadOrWrite, "cannot read a temporary file: " +
                                             buffer.getError().message());
    buffers.push_back(
        MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), name));
    members.emplace_back(buffers.back()->getMemBufferRef());
    members.back().MemberName = name;
  }
  auto archive =
      writeArchiveToBuffer(members, SymtabWritingMode::NormalSymtab,
                           object::Archive::K_GNU, /*Deterministic=*/true,
                           /*Thin=*/false);
  if (!archive)
    return complain(InternalError, "the archive cannot be written: " +
                                       toString(archive.takeError()));
  return writeOutput(output, (*archive)->getBuffer());
}

int arrc::tool::buildLibrary(const CommandLine &line, StringRef output) {
  std::vector<std::string> wanted = {line.target};
  wanted.insert(wanted.end(), line.moreTargets.begin(), line.moreTargets.end());
  std::vector<std::string> kinds;
  for (const std::string &target : wanted)
    kinds.push_back(StringRef(target).split(':').first.str());
  Parts parts;
  std::string definitions;
  for (size_t i = 0; i < wanted.size(); ++i) {
    CommandLine one = line;
    one.target = wanted[i];
    // What is said of cards is not meant for the others.
    if (kinds[i] != "cuda" && wanted.size() > 1) {
      one.arch.clear();
      one.facts.clear();
    }
    if (int code = addTarget(one, kinds, i == 0, parts, definitions))
      return code;
  }
  TemporaryFile *entries = parts.add("entries");
  if (!entries)
    return CannotReadOrWrite;
  if (int code = compileC(definitions, entries->getPath()))
    return code;
  return sys::path::extension(output) == ".a"
             ? writeArchiveOf(parts, output)
             : linkLibrary(parts.paths, output, line.links);
}
