//===- FuzzText.cpp - Any text goes through parser and checker ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Whatever the bytes are, the front end ends with a checked program or with
// messages that have a place, and the messages print.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Frontend.h"

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
  arrc::FrontendOptions options;
  options.load.fileSystem = files;
  if (arrc::checkSource("/fuzz.arr", options, diags) == diags.hasErrors())
    std::abort();
  diags.print(llvm::nulls());
  return 0;
}
