//===- arrt.h - the runtime's C interface ------------------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs compiled programs: contexts, counted arrays in pooled memory, `.npy`
/// files, checks with messages, and the command line of a program. Plain C, no
/// compiler needed, safe to include from C++.
///
/// Functions that can fail return an `arrt_status` (0 is success) or null, and
/// leave a message in the context: `arrt_message`. One context is used by one
/// thread at a time; different contexts are independent. Reference counts and
/// the pool may be used from any thread.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_ARRT_H
#define ARRT_ARRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARRT_TYPES
#include "arrt/EntryPoints.def"

/// Element types of arrays: ARRT_BOOL, ARRT_I8, .., ARRT_C128.
typedef enum arrt_element {
#define ARRT_ELEMENT(Enum, name, bytes) ARRT_##Enum,
#include "arrt/EntryPoints.def"
  ARRT_NUM_ELEMENTS
} arrt_element;

/// Status codes: ARRT_STATUS_OK, ARRT_STATUS_USAGE, ..
typedef enum arrt_status {
#define ARRT_STATUS(Enum, code, exit, text) ARRT_STATUS_##Enum = code,
#include "arrt/EntryPoints.def"
} arrt_status;

/// Kinds of checks: ARRT_CHECK_INPUT, ARRT_CHECK_ASSERT, ..
typedef enum arrt_check_kind {
#define ARRT_CHECK_KIND(Enum, name, status) ARRT_CHECK_##Enum,
#include "arrt/EntryPoints.def"
  ARRT_NUM_CHECK_KINDS
} arrt_check_kind;

enum {
  ARRT_MAX_RANK = 8,    ///< the largest rank of an array
  ARRT_ALIGNMENT = 64,  ///< of every block, in bytes
  ARRT_ABI_VERSION = 1, ///< of the tables below; arrt_program.version
};

//===----------------------------------------------------------------------===//
// The table of a program, which the compiler writes
//===----------------------------------------------------------------------===//

/// One parameter or result of an export.
typedef struct arrt_param {
  const char *name;        ///< as on the command line: `t0`, `bs0.pos`
  const char *type;        ///< as declared: `f32[n, m]`
  int32_t element;         ///< an arrt_element
  int32_t rank;            ///< 0 for a scalar
  const char *const *dims; ///< `rank` texts, `n`, `n+1`, `3`, `?`; may be null
  /// The value of a scalar (or the elements of an array whose sizes are all
  /// constant) to use when the argument is missing; null: it is required.
  const void *default_value;
} arrt_param;

/// One export of a program.
typedef struct arrt_entry {
  const char *name;          ///< as in the program
  arrt_packed_fn packed;     ///< its code
  int32_t num_params;        ///< how many parameters
  int32_t num_results;       ///< how many results
  const arrt_param *params;  ///< in declared order, structs one a field
  const arrt_param *results; ///< in declared order, tuples one a component
} arrt_entry;

/// One place of the program that may fail, in source order.
typedef struct arrt_site {
  const char *file;    ///< the source file, as given to the compiler
  int32_t line;        ///< from 1; 0 if unknown
  int32_t column;      ///< from 1; 0 if unknown
  int32_t kind;        ///< an arrt_check_kind
  int32_t reserved;    ///< 0
  const char *message; ///< with {0}, {1} for values; of an ALLOC site: a name
  const char *values;  ///< a letter a value: i, u, f; null: all i
} arrt_site;

/// A compiled program: one constant in its object, `arrt_program_table`.
typedef struct arrt_program {
  int32_t version;           ///< ARRT_ABI_VERSION
  int32_t num_entries;       ///< how many exports
  const arrt_entry *entries; ///< the exports
  const arrt_site *sites;    ///< the places that may fail
  int32_t num_sites;         ///< how many places
  int32_t reserved;          ///< 0
  const char *file;          ///< the main source file
} arrt_program;

//===----------------------------------------------------------------------===//
// Functions that generated code calls, and that anyone may call
//===----------------------------------------------------------------------===//

#define ARRT_ENTRY(result, name, parameters, doc) result name parameters;
#include "arrt/EntryPoints.def"

//===----------------------------------------------------------------------===//
// Elements and status codes
//===----------------------------------------------------------------------===//

/// The name of an element type in the language (`f32`), or null.
const char *arrt_element_name(int32_t element);
/// The bytes of one element, or 0 for a number that is no element type.
int64_t arrt_element_bytes(int32_t element);
/// The element type with this name, or -1.
int32_t arrt_element_from_name(const char *name);
/// What a status means, never null.
const char *arrt_status_text(int32_t status);
/// The exit code of a program that ends with this status.
int32_t arrt_status_exit_code(int32_t status);

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// What a context is made with; all zero are the defaults.
typedef struct arrt_options {
  int32_t threads;      ///< 0: ARRC_THREADS, else one a core
  int32_t reserved;     ///< 0
  int64_t memory_limit; ///< bytes the pool may hold; 0: ARRC_MEMORY, else none
} arrt_options;

/// A context on the CPU, or null if not even that can be made. `options` may
/// be null. Free it with arrt_context_destroy.
arrt_context *arrt_context_create(const arrt_options *options);
/// Frees a context and its pool. Its arrays must have been released; those
/// that were not are freed as well, and their handles are dead.
void arrt_context_destroy(arrt_context *ctx);
/// The message of the last failure, "" if there was none. Never null; valid
/// until the next call on this context.
const char *arrt_message(const arrt_context *ctx);
/// Records a failure: `status` and a message as printf makes it. Returns it.
int32_t arrt_fail(arrt_context *ctx, int32_t status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/// Forgets message, status and recorded errors of kernels.
void arrt_clear_error(arrt_context *ctx);
/// Bytes of the pool that are in use, and the largest number that ever was.
int64_t arrt_memory_in_use(const arrt_context *ctx);
/// See arrt_memory_in_use.
int64_t arrt_memory_peak(const arrt_context *ctx);
/// Gives free blocks of the pool back to the system.
void arrt_memory_trim(arrt_context *ctx);

/// Runs an export: `args` as its packed form wants them. On failure gives back
/// all buffers that it allocated, and no result is valid.
int32_t arrt_call(arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args);

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// A handle on memory of the caller, dense and row-major, which must outlive
/// it. Never freed or reused by the runtime.
arrt_array *arrt_array_borrow(arrt_context *ctx, void *data, int32_t element,
                              int32_t rank, const int64_t *sizes);
/// The element type.
int32_t arrt_array_element(const arrt_array *array);
/// The rank, 0 to ARRT_MAX_RANK.
int32_t arrt_array_rank(const arrt_array *array);
/// The number of elements: the product of the sizes, 1 for rank 0.
int64_t arrt_array_count(const arrt_array *array);
/// The bytes of all elements.
int64_t arrt_array_bytes(const arrt_array *array);

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Reads a `.npy` file (versions 1 to 3, C or Fortran order, either byte
/// order) into a new array, or returns null with a message. Sizes are checked
/// against the file's before anything is allocated.
arrt_array *arrt_load(arrt_context *ctx, const char *path);
/// Writes a `.npy` file: a temporary file beside it, then a rename, so that
/// the file is there whole or not at all. bf16 is refused: NumPy has none.
int32_t arrt_save(arrt_context *ctx, const char *path, const arrt_array *array);
/// Reads the member `name.npy` of a `.npz` archive, as `np.savez` writes it;
/// compressed ones are refused.
arrt_array *arrt_load_member(arrt_context *ctx, const char *path,
                             const char *name);
/// Writes a `.npz` archive with a member for each name, whole or not at all.
int32_t arrt_save_members(arrt_context *ctx, const char *path, int32_t count,
                          const char *const *names,
                          const arrt_array *const *arrays);
/// Converts to another element type by the language's conversions.
arrt_array *arrt_array_convert(arrt_context *ctx, const arrt_array *array,
                               int32_t element);

//===----------------------------------------------------------------------===//
// The command line of a program
//===----------------------------------------------------------------------===//

/// Runs a program as its command line says: `NAME=VALUE`, `NAME=@file.npy`,
/// `STRUCT=@file.npz`, `--output NAME=@file.npy`, `--entry F`, `--threads N`, `--convert`,
/// `--time`, `--help`. `argv[0]` is the name to print. Returns the exit code.
int arrt_main(int argc, char **argv, const arrt_program *program);

/// What a caller of arrt_run wants to do in between.
typedef struct arrt_run_hooks {
  void *user; ///< given to the functions
  /// After a successful call, before results are written: the arguments in
  /// packed form. A status other than 0, with its message in the context
  /// (arrt_fail), ends the run. May be null.
  int32_t (*after)(void *user, arrt_context *ctx, const arrt_entry *entry,
                   void **args);
} arrt_run_hooks;

/// As arrt_main, with hooks, which may be null.
int arrt_run(int argc, char **argv, const arrt_program *program,
             const arrt_run_hooks *hooks);

#ifdef __cplusplus
}
#endif

#endif // ARRT_ARRT_H
