//===- CUDA.h - a CUDA driver without a card -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Control over the stub of libcuda.so.1: two cards whose memory is the host's
/// and whose kernels are those of stub/Kernels.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_STUB_CUDA_H
#define ARRT_TEST_STUB_CUDA_H

extern "C" {
/// Makes the next call of a function return an error, once.
void stubFail(const char *call, int result);
/// Makes all calls of a function return an error; 0: ends that.
void stubFailAlways(const char *call, int result);
/// How often a function was called; null: all of them.
int stubCalls(const char *call);
/// What is still held: memory, modules, streams, links, contexts.
int stubLive(void);
}

#endif // ARRT_TEST_STUB_CUDA_H
