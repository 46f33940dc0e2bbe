//===- ProgramMain.cpp - the main function of a compiled program ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrt/arrt.h"

/// In the object that the compiler writes.
extern "C" const arrt_program arrt_program_table;

int main(int argc, char **argv) {
  return arrt_main(argc, argv, &arrt_program_table);
}
