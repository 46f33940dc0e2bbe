//===- arrc.h - the compiler's C interface -----------------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles programs in this process: the library `arrc`, which holds the
/// compiler and the runtime (arrt/arrt.h). Plain C, safe to include from C++.
///
/// All functions may be called from any thread.
///
//===----------------------------------------------------------------------===//

#ifndef ARRC_C_ARRC_H
#define ARRC_C_ARRC_H

#include "arrt/arrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A program that was compiled and loaded into this process.
typedef struct arrc_program arrc_program;

/// The version of the compiler, `0.1.0`.
const char *arrc_version(void);

/// Compiles a program, or takes what the cache has, and loads it. `file` is the
/// program's path; `text` is its text, or null: then the file is read.
/// `options` are words as behind `arrc run FILE`: `--target=cuda`, `-O2`, `-D`,
/// `N=3`.
///
/// Returns 0 and the program, or the exit code that `arrc` would end with. What
/// the compiler said, warnings too, is in `messages`: null if it said nothing,
/// else for arrc_free.
int32_t arrc_program_load(const char *file, const char *text,
                          int32_t num_options, const char *const *options,
                          arrc_program **program, char **messages);
/// The table of a program: its exports with their parameters.
const arrt_program *arrc_program_table(const arrc_program *program);
/// The device that it was compiled for: `cpu`, `cuda:0`.
const char *arrc_program_device(const arrc_program *program);
/// As arrt_call. Kernels that are launched for the first time are compiled.
int32_t arrc_program_call(arrc_program *program, arrt_context *ctx,
                          const arrt_entry *entry, void **args,
                          int32_t num_args);
/// Forgets a program. Contexts that ran it must have unloaded it
/// (arrt_program_unload). Null is ignored.
void arrc_program_destroy(arrc_program *program);
/// Frees a text; null is ignored.
void arrc_free(char *text);

#ifdef __cplusplus
}
#endif

#endif // ARRC_C_ARRC_H
