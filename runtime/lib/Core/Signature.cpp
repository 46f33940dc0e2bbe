//===- Signature.cpp - what a call gives and its entry takes --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Signature.h"
#include "Core/Array.h"
#include "Core/Sizes.h"

#include <algorithm>

using namespace arrt;

static arrt_array *arrayAt(void *place) {
  return *static_cast<arrt_array **>(place);
}

/// "error: argument 'x' of 'f' is declared 'f32[n]', but " and what it is.
static int32_t refuse(arrt_context *ctx, const arrt_entry &entry,
                      const arrt_param &param, const std::string &what) {
  return arrt_fail(ctx, ARRT_STATUS_INPUT,
                   "error: argument '%s' of '%s' is declared '%s', but %s",
                   param.name, entry.name, param.type, what.c_str());
}

/// A null pointer, no handle, or a value that its type does not have.
static int32_t checkPlace(arrt_context *ctx, const arrt_entry &entry,
                          const arrt_param &param, void *place) {
  if (!place)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: the pointer to argument '%s' of '%s' is null",
                     param.name, entry.name);
  if (!param.rank) {
    auto byte = *static_cast<const uint8_t *>(place);
    return param.element != ARRT_BOOL || byte < 2
               ? int32_t(ARRT_STATUS_OK)
               : refuse(ctx, entry, param,
                        "the byte is " + std::to_string(byte) +
                            ", and neither 0 nor 1");
  }
  const arrt_array *array = arrayAt(place);
  if (!isAlive(ctx, array))
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     array ? "error: argument '%s' of '%s' is no array, or one "
                             "that was released"
                           : "error: argument '%s' of '%s' is no array, but "
                             "null",
                     param.name, entry.name);
  return ARRT_STATUS_OK;
}

/// The largest size of a dimension of an argument, of one without elements,
/// too: the compiler relies on numbers near such a size being no overflow.
static constexpr int64_t maxSize = int64_t(1) << 48;

int32_t arrt::checkArguments(arrt_context *ctx, const arrt_entry *entry,
                             void **args, int32_t count) {
  if (!entry || !entry->packed)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: there is no entry to call");
  int32_t params = entry->num_params, results = entry->num_results;
  if (count != params + results)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: '%s' has %d parameters and %d results, and was "
                     "called with %d pointers",
                     entry->name, params, results, count);
  if (count && !args)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: '%s' was called without its arguments",
                     entry->name);

  if ((params && !entry->params) || (results && !entry->results))
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: nothing says what '%s' takes and gives",
                     entry->name);

  Sizes sizes;
  for (int32_t i = 0; i < params; ++i) {
    const arrt_param &param = entry->params[i];
    if (int32_t status = checkPlace(ctx, *entry, param, args[i]))
      return status;
    if (!param.rank) {
      sizes.addScalar(param, args[i]);
      continue;
    }
    const arrt_array *array = arrayAt(args[i]);
    if (array->element != param.element || array->rank != param.rank)
      return refuse(ctx, *entry, param,
                    "is " +
                        shapeText(array->element, array->rank, array->sizes));
    for (int32_t d = 0; d < array->rank; ++d)
      if (array->sizes[d] > maxSize)
        return refuse(ctx, *entry, param,
                      "is " +
                          shapeText(array->element, array->rank, array->sizes) +
                          ", and a size is at most 2^48");
  }
  for (int32_t i = 0; i < results; ++i)
    if (!args[params + i])
      return arrt_fail(ctx, ARRT_STATUS_USAGE,
                       "error: the pointer to result '%s' of '%s' is null",
                       entry->results[i].name, entry->name);

  for (int32_t i = 0; i < params; ++i)
    if (entry->params[i].rank)
      sizes.bind(entry->params[i], arrayAt(args[i]));
  for (int32_t i = 0; i < params; ++i) {
    const arrt_param &param = entry->params[i];
    if (!param.rank)
      continue;
    const arrt_array *array = arrayAt(args[i]);
    std::string wrong = sizes.check(param, array);
    if (!wrong.empty())
      return refuse(ctx, *entry, param,
                    "is " +
                        shapeText(array->element, array->rank, array->sizes) +
                        ": " + wrong);
  }
  return ARRT_STATUS_OK;
}

int32_t arrt::checkResults(arrt_context *ctx, const arrt_entry &entry,
                           void **args) {
  for (int32_t i = 0; i < entry.num_results; ++i) {
    const arrt_param &result = entry.results[i];
    if (!result.rank)
      continue;
    const arrt_array *array = arrayAt(args[entry.num_params + i]);
    if (array && array->element == result.element && array->rank == result.rank)
      continue;
    std::string is = array
                         ? shapeText(array->element, array->rank, array->sizes)
                         : "no array";
    return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                     "error: result '%s' of '%s' is declared '%s', but is %s",
                     result.name, entry.name, result.type, is.c_str());
  }
  return ARRT_STATUS_OK;
}

void arrt::forgetResults(const arrt_entry &entry, void **args) {
  void **end = args + entry.num_params;
  for (int32_t i = 0; i < entry.num_results; ++i)
    if (entry.results[i].rank && end[i] && std::find(args, end, end[i]) == end)
      *static_cast<arrt_array **>(end[i]) = nullptr;
}
