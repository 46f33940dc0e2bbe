//===- Hidden.cpp - addresses that the host cannot touch ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/Hidden.h"

#include <csignal>
#include <cstdio>
#include <map>

#include <sys/mman.h>
#include <unistd.h>

using namespace stub;
using arrt::cuda::Address;

namespace {
struct Piece {
  size_t bytes, mapped;
};
std::map<Address, Piece> &pieces() {
  static auto *all = new std::map<Address, Piece>;
  return *all;
}
struct sigaction before;

/// Says what was touched, if it is ours, and leaves the end to who was asked
/// before. Takes no lock: nothing goes on behind this.
void report(int, siginfo_t *info, void *) {
  auto at = Address(reinterpret_cast<uintptr_t>(info->si_addr));
  auto next = pieces().upper_bound(at);
  if (next != pieces().begin()) {
    auto &[begin, piece] = *--next;
    if (at - begin < piece.mapped) {
      char text[160];
      int length = std::snprintf(
          text, sizeof text,
          "error: the host touched device memory at 0x%llx, byte %llu of an "
          "allocation of %zu; it can only be copied\n",
          static_cast<unsigned long long>(at),
          static_cast<unsigned long long>(at - begin), piece.bytes);
      if (write(STDERR_FILENO, text, size_t(length)) < 0)
        _exit(1);
    }
  }
  sigaction(SIGSEGV, &before, nullptr);
}

bool listen() {
  struct sigaction action = {};
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, &action, &before) == 0;
}
} // namespace

Address stub::hide(size_t bytes) {
  static const bool isListening = listen();
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  size_t mapped = (bytes + page - 1) / page * page + page;
  void *data = mmap(nullptr, mapped, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!isListening || data == MAP_FAILED)
    return 0;
  auto address = Address(reinterpret_cast<uintptr_t>(data));
  pieces()[address] = {bytes, mapped};
  return address;
}

void stub::unhide(Address data) {
  auto found = pieces().find(data);
  munmap(reinterpret_cast<void *>(uintptr_t(data)), found->second.mapped);
  pieces().erase(found);
}
