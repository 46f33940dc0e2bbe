//===- arr-opt.cpp - Try passes alone -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  arrc::registerAllPasses();
  mlir::DialectRegistry registry;
  arrc::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "arr-opt: passes of the arrc compiler, one by one\n",
      registry));
}
