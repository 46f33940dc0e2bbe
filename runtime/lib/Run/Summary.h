//===- Summary.h - a line about a result -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_SUMMARY_H
#define ARRT_RUN_SUMMARY_H

#include "arrt/arrt.h"

#include <string>

namespace arrt {

/// `t: f32[512, 512]  min 0  mean 0.4375  max 1`; up to 64 elements by value,
/// `k: f32[2] [1, 2]`. The array is on the host; or on a device that several
/// processes have, which all call it: the first gets the text. Returns a
/// status.
int32_t summarize(arrt_context *ctx, const arrt_param &param,
                  const arrt_array *array, std::string &text);
/// `iterations: i64 1024`.
std::string summarize(const arrt_param &param, const void *scalar);

} // namespace arrt

#endif // ARRT_RUN_SUMMARY_H
