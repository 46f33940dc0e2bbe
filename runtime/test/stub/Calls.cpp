//===- Calls.cpp - what stubs of drivers note -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/Calls.h"
#include "stub/Control.h"

using namespace stub;

Calls &stub::calls() {
  // Never destroyed: calls come until the process is gone.
  static Calls *all = new Calls;
  return *all;
}

int Calls::enter(const char *call) {
  ++counts[call];
  auto found = failures.find(call);
  if (found == failures.end())
    return always[call];
  int result = found->second;
  failures.erase(found);
  return result;
}

void stubFail(const char *call, int result) { calls().failures[call] = result; }

void stubFailAlways(const char *call, int result) {
  calls().always[call] = result;
}

int stubCalls(const char *call) {
  if (call)
    return calls().counts[call];
  int all = 0;
  for (auto &[name, count] : calls().counts)
    all += count;
  return all;
}

int stubLive(void) { return int(calls().handles.size()) + calls().held; }
