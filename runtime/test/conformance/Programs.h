//===- Programs.h - programs made by hand ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_PROGRAMS_H
#define ARRT_TEST_PROGRAMS_H

#include "conformance/Conformance.h"

#include <vector>

namespace arrt_test {

/// The kernels of a program, by their numbers.
enum KernelNumber { Axpy, Fails, Blocks32, Blocks64, Step, One, Forty };

/// A program whose exports are functions of the test.
class Programs : public Conformance {
protected:
  void SetUp() override;
  void TearDown() override { arrt_context_destroy(ctx); }
  /// Another context on the device, or on the CPU.
  arrt_context *create(uint32_t flags = 0, bool onCPU = false);
  /// Runs code as an export of the program; a status.
  int32_t call(arrt_context *ctx, arrt_packed_fn code,
               std::vector<void *> args = {});
  /// An array on the device of a context, with this content.
  template <typename T>
  arrt_array *upload(arrt_context *ctx, int32_t element, std::vector<T> host) {
    auto n = int64_t(host.size());
    arrt_array *from = arrt_array_borrow(ctx, host.data(), element, 1, &n);
    arrt_array *to = arrt_array_alloc(ctx, element, 1, &n, -1);
    EXPECT_NE(to, nullptr) << arrt_message(ctx);
    EXPECT_EQ(arrt_array_copy(ctx, to, from), 0) << arrt_message(ctx);
    arrt_array_release(from);
    return to;
  }
  /// The content of an array.
  template <typename T>
  std::vector<T> download(arrt_context *ctx, arrt_array *array) {
    arrt_array *host = arrt_array_to_host(ctx, array);
    EXPECT_NE(host, nullptr) << arrt_message(ctx);
    if (!host)
      return {};
    auto *data = static_cast<const T *>(arrt_array_data(host));
    std::vector<T> content(data, data + arrt_array_count(host));
    arrt_array_release(host);
    return content;
  }

  arrt_image image = {};
  arrt_program program = {};
  arrt_context *ctx = nullptr;
};

} // namespace arrt_test

#endif // ARRT_TEST_PROGRAMS_H
