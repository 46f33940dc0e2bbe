//===- CPU.cpp - the CPU under the conformance suite ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "conformance/Conformance.h"

arrt_test::Subject arrt_test::findSubject() {
  return {true, "", ARRT_TARGET_CPU, 0};
}
