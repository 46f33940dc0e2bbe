//===- TuneProcess.h - Who measures for a tuner -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TUNEPROCESS_H
#define ARRC_TOOLS_ARRC_TUNEPROCESS_H

namespace arrc::tool {

/// Names this process to those that it starts to measure candidates.
void nameTuner();
/// Has a process that measures for a tuner end with it: one that went on would
/// be in the way of whatever is measured next.
void endWithTuner();

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TUNEPROCESS_H
