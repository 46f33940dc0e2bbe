//===- CUDALink.cpp - the linker of a CUDA driver without a card ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"

#include <cstdio>

using namespace arrt::cuda;
using namespace stub;

namespace arrt::cuda {
struct CUlinkState_st {
  std::string made;
  char *errors = nullptr;
  size_t errorBytes = 0;
};
} // namespace arrt::cuda

extern "C" {

Result cuLinkCreate_v2(unsigned count, JITOption *options, void **values,
                       LinkRef *link) {
  ENTER_CURRENT(cuLinkCreate);
  *link = calls().begin<CUlinkState_st>();
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == errorLog)
      (*link)->errors = static_cast<char *>(values[i]);
    else if (options[i] == errorLogBytes)
      (*link)->errorBytes = size_t(reinterpret_cast<uintptr_t>(values[i]));
  return success;
}
Result cuLinkAddData_v2(LinkRef link, JITInput kind, void *data, size_t bytes,
                        const char *, unsigned, JITOption *, void **) {
  ENTER_CURRENT(cuLinkAddData);
  auto *text = static_cast<const char *>(data);
  if (!isAlive(link) || kind != inputPTX || !bytes || text[bytes - 1])
    return invalidValue;
  std::string error;
  Result result = card().link(text, link->made, error);
  if (result && link->errors)
    std::snprintf(link->errors, link->errorBytes, "%s", error.c_str());
  return result;
}
Result cuLinkComplete(LinkRef link, void **code, size_t *bytes) {
  ENTER_CURRENT(cuLinkComplete);
  *code = &link->made[0];
  *bytes = link->made.size() + 1;
  return success;
}
Result cuLinkDestroy(LinkRef link) {
  ENTER_CURRENT(cuLinkDestroy);
  return calls().end(link) ? success : invalidValue;
}

} // extern "C"
