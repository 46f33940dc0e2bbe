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
/// `k: f32[2] [1, 2]`.
std::string summarize(arrt_context *ctx, const arrt_param &param,
                      const arrt_array *array);
/// `iterations: i64 1024`.
std::string summarize(const arrt_param &param, const void *scalar);

} // namespace arrt

#endif // ARRT_RUN_SUMMARY_H
