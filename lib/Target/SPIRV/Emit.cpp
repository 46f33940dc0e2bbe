//===- Emit.cpp - LLVM's SPIR-V backend in a process of its own -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The backend keeps the numbers of labels in a static table, by the address of
// the function and the number of the block, and never clears it. The functions
// of a later module may lie at the addresses of earlier ones: then two labels
// of one function can get the same number, and the image means nothing. So each
// image is written by a child that is forked for it: its table is empty, and is
// gone with it. A backend that ends the process ends the child, and is
// reported.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/TargetParser/Triple.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/// LLVM's SPIR-V backend in one call; the library exports it without a header.
extern "C" bool SPIRVTranslate(llvm::Module *module, std::string &result,
                               std::string &error,
                               const std::vector<std::string> &extensions,
                               llvm::CodeGenOptLevel level,
                               llvm::Triple triple);

namespace {
/// What stands before the bytes that the child sends.
struct Header {
  uint64_t isImage; ///< else a reason
  uint64_t bytes;
};
} // namespace

static bool writeAll(int file, const void *data, size_t bytes) {
  auto *at = static_cast<const char *>(data);
  while (bytes) {
    ssize_t done = write(file, at, bytes);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    bytes -= size_t(done);
  }
  return true;
}

static bool readAll(int file, void *data, size_t bytes) {
  auto *at = static_cast<char *>(data);
  while (bytes) {
    ssize_t done = read(file, at, bytes);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    at += done;
    bytes -= size_t(done);
  }
  return true;
}

/// The child: writes the image of `module`, or why there is none, and ends.
[[noreturn]] static void runBackend(llvm::Module &module,
                                    const llvm::Triple &triple, int file) {
  // Handlers of the parent would remove the files that it is writing, and what
  // the backend prints when it fails is not for users.
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGQUIT,
                     SIGSEGV, SIGTERM, SIGTRAP})
    std::signal(signal, SIG_DFL);
  if (int null = open("/dev/null", O_WRONLY); null >= 0)
    dup2(null, STDERR_FILENO);
  std::string image, problem;
  // No passes over LLVM IR in the backend: they would make again what
  // `legalize` took away.
  bool done = SPIRVTranslate(&module, image, problem, {},
                             llvm::CodeGenOptLevel::None, triple);
  const std::string &sent = done ? image : problem;
  Header header = {done, sent.size()};
  bool isSent = writeAll(file, &header, sizeof header) &&
                writeAll(file, sent.data(), sent.size());
  // Buffers and destructors are the parent's.
  _exit(isSent ? 0 : 1);
}

bool arrc::target::opencl::emit(llvm::Module &module,
                                const llvm::Triple &triple, std::string &image,
                                std::string &problem) {
  int ends[2];
  pid_t child = -1;
  if (pipe2(ends, O_CLOEXEC) == 0) {
    child = fork();
    if (child == 0) {
      close(ends[0]);
      runBackend(module, triple, ends[1]);
    }
    int error = errno;
    close(ends[1]);
    if (child < 0)
      close(ends[0]);
    errno = error;
  }
  if (child < 0) {
    problem = "there is no process for the code generator: ";
    problem += std::strerror(errno);
    return false;
  }
  Header header;
  std::string sent;
  bool isWhole = readAll(ends[0], &header, sizeof header);
  if (isWhole) {
    sent.resize(header.bytes);
    isWhole = readAll(ends[0], sent.data(), sent.size());
  }
  close(ends[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
  if (!isWhole)
    problem = "the code generator ended without an answer";
  else
    (header.isImage ? image : problem) = std::move(sent);
  return isWhole && header.isImage;
}
