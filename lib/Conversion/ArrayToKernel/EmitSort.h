//===- EmitSort.h - Launches for sorts --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H

#include "LaunchFrame.h"

namespace arrc {

/// Replaces a sort of the host, all of whose arrays lie in memory, by launches.
void convertSort(array::SortOp sort, HostSizes &sizes);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H
