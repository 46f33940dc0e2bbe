//===- MPI.h - an MPI library, found at run time ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/Ranks. MPI has no binary interface of its own: handles are
/// pointers in Open MPI and integers in MPICH and its descendants (Intel MPI,
/// MVAPICH, Cray), and constants have other values. Both interfaces have been
/// kept for years. Handles are words here; where a library takes 32 bits, it
/// reads the lower half of the register or of the place in memory that a word
/// has, on every little-endian 64-bit machine.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_RANKS_MPI_H
#define ARRT_RANKS_MPI_H

#include <cstdint>
#include <string>

namespace arrt::mpi {

/// A communicator, a type of data, a request.
using Handle = uintptr_t;

/// The functions of a library and the values of its constants.
struct Library {
#define MPI_FUNCTION(name, parameters) int(*name) parameters;
#include "Ranks/MPISymbols.def"

  Handle world = 0, byte = 0, returnErrors = 0, noRequest = 0;
  int anySource = 0;
  void *ignoreStatus = nullptr;

  /// What an error code means.
  std::string describe(int error) const;
};

/// The library that the launcher of this process belongs to, or null with why,
/// and what to do about it. ARRC_MPI_LIBRARY names another file.
const Library *findLibrary(std::string &problem, std::string &remedy);

/// Which of the processes that a launcher (mpirun) has started this is.
struct Launched {
  int rank = 0, count = 1;
};

/// What the environment says of that, before MPI is started. Without a
/// launcher, or with ARRC_RANKS=off, one process.
Launched findLaunched();

} // namespace arrt::mpi

#endif // ARRT_RANKS_MPI_H
