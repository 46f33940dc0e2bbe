//===- Module.cpp - kernels that are functions of the program -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A launch of the CPU in parts is a function of the program, which takes a
// pointer to each argument and runs the blocks from its offsets on. Copies that
// parts have updated are joined by functions of the runtime: what combines them
// is named like the kernels that the compiler makes for cards, by operator and
// bits (CombineKernels.cpp of the compiler).
//
//===----------------------------------------------------------------------===//

#include "CPU/Module.h"

#include <cstring>
#include <map>

using namespace arrt;

namespace {
using Start = int32_t (*)(arrt_context *, void **);

template <typename T> T valueAt(void *place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// Arguments as those of the compiler's kernels: to, from, first, count.
template <typename T, typename Combine>
int32_t joinBy(void **args, Combine combine) {
  T *to = valueAt<T *>(args[0]);
  const T *from = valueAt<const T *>(args[1]);
  auto first = valueAt<int64_t>(args[2]), count = valueAt<int64_t>(args[3]);
  for (int64_t i = first; i < first + count; ++i)
    to[i] = combine(to[i], from[i]);
  return ARRT_STATUS_OK;
}

template <typename T> int32_t joinAdd(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return T(a + b); });
}
template <typename T> int32_t joinMax(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return a < b ? b : a; });
}
template <typename T> int32_t joinMin(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return b < a ? b : a; });
}
template <typename T> int32_t joinAnd(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return T(a & b); });
}
template <typename T> int32_t joinOr(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return T(a | b); });
}
template <typename T> int32_t joinXor(arrt_context *, void **args) {
  return joinBy<T>(args, [](T a, T b) { return T(a ^ b); });
}

/// Of unsigned and signed integers of so many bits, whose sums wrap alike.
template <typename U, typename S>
void addIntegers(std::map<std::string, Start> &joins, const char *bits) {
  joins[std::string("addi") + bits] = joinAdd<U>;
  joins[std::string("maxs") + bits] = joinMax<S>;
  joins[std::string("mins") + bits] = joinMin<S>;
  joins[std::string("maxu") + bits] = joinMax<U>;
  joins[std::string("minu") + bits] = joinMin<U>;
  joins[std::string("andi") + bits] = joinAnd<U>;
  joins[std::string("ori") + bits] = joinOr<U>;
  joins[std::string("xori") + bits] = joinXor<U>;
}

/// What joins, by the end of a kernel's name; null if there is none.
Start findJoin(const std::string &name) {
  static const std::map<std::string, Start> joins = [] {
    std::map<std::string, Start> all;
    addIntegers<uint32_t, int32_t>(all, "32");
    addIntegers<uint64_t, int64_t>(all, "64");
    all["addf32"] = joinAdd<float>;
    all["addf64"] = joinAdd<double>;
    return all;
  }();
  size_t place = name.rfind('_');
  auto it = place == std::string::npos ? joins.end()
                                       : joins.find(name.substr(place + 1));
  return it == joins.end() ? nullptr : it->second;
}

class HostModule final : public Module {
public:
  HostModule(const arrt_image &image, std::string &error) : error(error) {
    auto *list = static_cast<const arrt_host_kernel *>(image.data);
    for (size_t i = 0; i < size_t(image.bytes) / sizeof *list; ++i)
      starts[list[i].name] = list[i].start;
  }

  void *kernel(const char *name) override {
    auto it = starts.find(name);
    Start start = it == starts.end() ? findJoin(name) : it->second;
    if (!start)
      error = "cpu: the program has no kernel '" + std::string(name) + "'";
    return reinterpret_cast<void *>(start);
  }

private:
  std::map<std::string, Start> starts;
  std::string &error;
};
} // namespace

std::unique_ptr<Module> arrt::loadHostModule(const arrt_image &image,
                                             std::string &error) {
  return std::make_unique<HostModule>(image, error);
}

int32_t arrt::launchHostKernel(const Launch &launch) {
  return reinterpret_cast<Start>(launch.kernel)(launch.context, launch.args);
}
