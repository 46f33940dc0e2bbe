//===- bundle.cpp - Several tools in one file -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The name that the file is called by says which tool it is: `arr-opt`, or
// `arrc` under any other name.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Path.h"

int arrcMain(int argc, char **argv);
int arrOptMain(int argc, char **argv);

int main(int argc, char **argv) {
  llvm::StringRef name = argc > 0 ? llvm::sys::path::stem(argv[0]) : "";
  return name == "arr-opt" ? arrOptMain(argc, argv) : arrcMain(argc, argv);
}
