//===- MPI.cpp - an MPI library, found at run time ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Ranks/MPI.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace arrt;
using namespace arrt::mpi;

/// Launchers, by the variables that say which process this is of how many.
static constexpr struct {
  const char *rank, *count;
  bool isOpenMPI;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", true},
    {"PMI_RANK", "PMI_SIZE", false},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", false},
};

static const char *valueOf(const char *variable) {
  const char *text = std::getenv(variable);
  return text && *text ? text : nullptr;
}

Launched mpi::findLaunched() {
  const char *use = valueOf("ARRC_RANKS");
  if (use && !std::strcmp(use, "off"))
    return {};
  for (const auto &launcher : launchers) {
    const char *rank = valueOf(launcher.rank), *count = valueOf(launcher.count);
    if (rank && count)
      return {std::atoi(rank), std::atoi(count)};
  }
  return {};
}

std::string Library::describe(int error) const {
  char text[8192] = ""; // longer than any library's MPI_MAX_ERROR_STRING
  int length = 0;
  if (MPI_Error_string(error, text, &length) || length <= 0)
    return "error " + std::to_string(error);
  return std::string(text, size_t(length));
}

/// Files to try, that of the launcher first.
static std::vector<std::string> findFiles() {
  if (const char *other = valueOf("ARRC_MPI_LIBRARY"))
    return {other};
  std::vector<std::string> openMPI = {"libmpi.so.40", "libmpi.so.80"};
  std::vector<std::string> others = {"libmpi.so.12", "libmpich.so.12"};
  bool isOpenMPI = true;
  for (const auto &launcher : launchers)
    if (valueOf(launcher.count)) {
      isOpenMPI = launcher.isOpenMPI;
      break;
    }
  auto &first = isOpenMPI ? openMPI : others;
  auto &then = isOpenMPI ? others : openMPI;
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

namespace {
struct Found {
  Library library;
  std::string problem, remedy;
};
} // namespace

/// Takes the values of constants; false if it is neither kind of library.
static bool readConstants(void *handle, Library &library) {
  auto address = [&](const char *name) {
    return reinterpret_cast<Handle>(::dlsym(handle, name));
  };
  library.world = address("ompi_mpi_comm_world");
  if (library.world) {
    library.byte = address("ompi_mpi_byte");
    library.returnErrors = address("ompi_mpi_errors_return");
    library.noRequest = address("ompi_request_null");
    library.anySource = -1;
    library.ignoreStatus = nullptr;
    return library.byte && library.returnErrors && library.noRequest;
  }
  library.world = 0x44000000;
  library.byte = 0x4c00010d;
  library.returnErrors = 0x54000001;
  library.noRequest = 0x2c000000;
  library.anySource = -2;
  library.ignoreStatus = reinterpret_cast<void *>(uintptr_t(1));
  return ::dlsym(handle, "MPIR_Err_return_comm") ||
         ::dlsym(handle, "MPID_Init") || ::dlsym(handle, "MPIR_Dup_fn") ||
         ::dlsym(handle, "MPIR_F08_MPI_BOTTOM");
}

static Found find() {
  Found found;
  void *handle = nullptr;
  std::string file, why;
  // One that the program is linked with is the one that it has started.
  if (::dlsym(RTLD_DEFAULT, "MPI_Init_thread")) {
    handle = ::dlopen(nullptr, RTLD_NOW);
    file = "the MPI library of the program";
  }
  for (const std::string &each : findFiles()) {
    if (handle)
      break;
    file = each;
    // Open MPI's own plugins look for its functions among the global ones.
    handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    const char *text = handle ? nullptr : ::dlerror();
    bool isMissing = text && std::strstr(text, "No such file");
    if (text && (!isMissing || valueOf("ARRC_MPI_LIBRARY")))
      why = file + " cannot be loaded: " + text;
  }
  if (!handle) {
    found.problem = why.empty() ? "no MPI library is installed" : why;
    found.remedy = "apt-get install openmpi-bin, or name the file in "
                   "ARRC_MPI_LIBRARY; ARRC_RANKS=off has each process run the "
                   "program by itself";
    return found;
  }
#define MPI_FUNCTION(name, parameters)                                         \
  if (void *symbol = ::dlsym(handle, #name))                                   \
    std::memcpy(&found.library.name, &symbol, sizeof symbol);                  \
  else                                                                         \
    found.problem = file + " has no function '" #name "'";
#include "Ranks/MPISymbols.def"
  if (found.problem.empty() && !readConstants(handle, found.library))
    found.problem = file + " is neither Open MPI nor a relative of MPICH";
  if (!found.problem.empty())
    found.remedy = "name a library of MPI 3.0 in ARRC_MPI_LIBRARY";
  return found;
}

const Library *mpi::findLibrary(std::string &problem, std::string &remedy) {
  static const Found found = find();
  problem = found.problem;
  remedy = found.remedy;
  return problem.empty() ? &found.library : nullptr;
}
