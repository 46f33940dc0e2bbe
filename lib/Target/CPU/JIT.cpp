//===- JIT.cpp - Native code in this process ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The module is compiled to the same object file as `arrc build` writes, and
// ORC links that: both ways of running a program run the same instructions.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "arrc/Target/CPU/CPU.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using arrc::cpu::JIT;

struct JIT::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// What the linker had to say, one line an error.
  std::string problem;
};

JIT::JIT(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
JIT::~JIT() = default;

/// Loads `object` and the names that it needs into `jit`.
static llvm::Error link(llvm::orc::LLJIT &jit, StringRef object,
                        ArrayRef<arrc::cpu::Symbol> symbols) {
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  llvm::orc::SymbolMap map;
  for (auto [name, address] : symbols)
    map[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                      llvm::JITSymbolFlags::Exported |
                                          llvm::JITSymbolFlags::Callable};
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(map))))
    return error;
  // libm and libmvec; without libmvec nothing was compiled to need it.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently("libm.so.6");
  llvm::sys::DynamicLibrary::LoadLibraryPermanently("libmvec.so.1");
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return jit.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "arr"));
}

std::unique_ptr<JIT> JIT::load(StringRef object, ArrayRef<Symbol> symbols,
                               std::string &problem) {
  initializeNative();
  auto impl = std::make_unique<Impl>();
  auto jit = llvm::orc::LLJITBuilder().create();
  llvm::Error error = jit ? link(**jit, object, symbols) : jit.takeError();
  if (error) {
    problem = toString(std::move(error));
    return nullptr;
  }
  impl->jit = std::move(*jit);
  impl->jit->getExecutionSession().setErrorReporter(
      [text = &impl->problem](llvm::Error error) {
        *text += (text->empty() ? "" : "\n") + toString(std::move(error));
      });
  return std::unique_ptr<JIT>(new JIT(std::move(impl)));
}

StringRef JIT::problem() const { return impl->problem; }

bool JIT::add(StringRef object) {
  impl->problem.clear();
  llvm::Error error = impl->jit->addObjectFile(
      llvm::MemoryBuffer::getMemBufferCopy(object, "task"));
  if (error)
    impl->problem = toString(std::move(error));
  return impl->problem.empty();
}

void *JIT::lookup(StringRef name) const {
  impl->problem.clear();
  auto address = impl->jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<void *>();
}
