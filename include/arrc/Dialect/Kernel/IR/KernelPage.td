//===- KernelPage.td - What the page of the dialect tells ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

include "arrc/Dialect/Kernel/IR/KernelOps.td"
include "arrc/Dialect/Kernel/IR/IndicesFit.td"
