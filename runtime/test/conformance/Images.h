//===- Images.h - the kernels of Kernels.c, compiled -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_IMAGES_H
#define ARRT_TEST_IMAGES_H

#include "arrt/arrt.h"

namespace arrt_test {

/// The kernels in the format of an arrt_target; `data` is null if it runs none.
arrt_image kernelsFor(int32_t target);

} // namespace arrt_test

#endif // ARRT_TEST_IMAGES_H
