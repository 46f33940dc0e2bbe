//===- Extern.cpp - calls functions from outside --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A function from outside gets memory of the host. Of a device that the host
// cannot see, arrays are copied for the time of the call: inputs before it,
// results behind it.
//
//===----------------------------------------------------------------------===//

#include "Core/Context.h"
#include "Core/Recording.h"

#include <memory>
#include <new>
#include <vector>

int32_t arrt_extern(arrt_context *ctx, arrt_packed_fn fn, void **args,
                    const int64_t *bytes, int32_t count, int32_t outs,
                    int32_t site) {
  if (ctx->recording)
    return ctx->recording->refuse("calling a function from outside");
  // What a failed check left is for no one to see.
  if (int32_t status = arrt_poll_error(ctx))
    return status;
  if (int32_t status = arrt_synchronize(ctx))
    return status;
  std::vector<void *> places(args, args + count);
  std::vector<std::unique_ptr<char[]>> copies;
  if (!ctx->device->isHostVisible())
    for (int32_t i = 0; i < count; ++i) {
      if (bytes[i] < 0)
        continue;
      copies.emplace_back(new (std::nothrow) char[size_t(bytes[i]) + 1]);
      if (!copies.back())
        return arrt_fail(ctx, ARRT_STATUS_MEMORY,
                         "error: out of memory: %lld bytes of the host, to "
                         "call a function from outside",
                         static_cast<long long>(bytes[i]));
      places[size_t(i)] = copies.back().get();
      if (i < count - outs)
        if (int32_t status =
                arrt_read(ctx, places[size_t(i)], args[i], bytes[i]))
          return status;
    }
  if (int32_t returned = fn(ctx, places.data())) {
    if (int32_t status = arrt_last_status(ctx))
      return status;
    int64_t value = returned;
    return arrt_fail_check(ctx, site, 1, &value);
  }
  for (int32_t i = count - outs; i < count; ++i)
    if (places[size_t(i)] != args[i])
      if (int32_t status =
              arrt_write(ctx, args[i], places[size_t(i)], bytes[i]))
        return status;
  return ARRT_STATUS_OK;
}
