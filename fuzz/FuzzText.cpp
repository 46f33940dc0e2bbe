//===- FuzzText.cpp - Any text goes through the parser --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Whatever the bytes are, the parser ends with a tree or with messages that
// have a place, and the messages print.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile("/fuzz.arr", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  llvm::SourceMgr sources;
  arrc::DiagnosticEngine diags(sources);
  arrc::ast::Context context;
  arrc::LoadOptions options;
  options.fileSystem = files;
  bool parsed =
      arrc::loadProgram("/fuzz.arr", options, context, diags).has_value();
  if (parsed == diags.hasErrors())
    std::abort();
  diags.print(llvm::nulls());
  return 0;
}
