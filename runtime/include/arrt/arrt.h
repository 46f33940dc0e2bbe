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

/// Launches that can be run again.
typedef struct arrt_recording arrt_recording;

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

/// Kinds of devices: ARRT_TARGET_CPU, ARRT_TARGET_CUDA, ARRT_TARGET_OPENCL.
typedef enum arrt_target {
#define ARRT_TARGET(Enum, name) ARRT_TARGET_##Enum,
#include "arrt/EntryPoints.def"
  ARRT_NUM_TARGETS
} arrt_target;

/// Formats of compiled kernels: ARRT_IMAGE_PTX, ..
typedef enum arrt_image_format {
#define ARRT_IMAGE(Enum, name) ARRT_IMAGE_##Enum,
#include "arrt/EntryPoints.def"
  ARRT_NUM_IMAGE_FORMATS
} arrt_image_format;

/// The layout of a device's error record: ARRT_RECORD_KEY, ..
enum {
#define ARRT_RECORD(Enum, value) ARRT_RECORD_##Enum = value,
#include "arrt/EntryPoints.def"
  ARRT_RECORD_BYTES = ARRT_RECORD_FIRST + ARRT_RECORD_SLOTS * ARRT_RECORD_STRIDE
};

enum {
  ARRT_MAX_RANK = 8,    ///< the largest rank of an array
  ARRT_ALIGNMENT = 64,  ///< of every block, in bytes
  ARRT_ABI_VERSION = 5, ///< of the tables below; arrt_program.version
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

/// Kernels that were compiled together.
typedef struct arrt_image {
  int32_t format;      ///< an arrt_image_format
  int32_t bytes;       ///< of data; 0: see arrt_set_images
  const void *data;    ///< the code
  const char *options; ///< what it was compiled with, `sm_90`; may be null
} arrt_image;

/// One kernel of an image of the host: its data is a list of them.
typedef struct arrt_host_kernel {
  const char *name; ///< as arrt_kernel.name
  /// Runs the blocks that its arguments say, on the cores of the context; a
  /// pointer to each argument. Returns an arrt_status.
  int32_t (*start)(struct arrt_context *ctx, void **args);
} arrt_host_kernel;

enum arrt_kernel_flags {
  /// Before it touches memory the kernel waits by itself for the launch before,
  /// so that a device may start it while that one ends.
  ARRT_KERNEL_OVERLAPS = 1,
  /// Blocks of the kernel wait for each other: in the bits from this one on
  /// stands how many multiprocessors the device must have.
  ARRT_KERNEL_UNITS = 1 << 16
};

/// One kernel of an image.
typedef struct arrt_kernel {
  const char *name;   ///< in the image
  int32_t image;      ///< number of the image
  int32_t index_bits; ///< width of `o` and `x` in the image: 32, 64; 0: 64
  /// A letter an argument: `p` memory of the device (a pointer); `1`, `2`, `4`,
  /// `8` a scalar of so many bytes; `o`, `x` offset and extent, in blocks, of a
  /// parallel dimension (an int64_t), in pairs, the outermost first: the grid
  /// is the product of the extents, or more if it has several rows. Filled in
  /// by the runtime: `e` the error record (a pointer), `t` a 32-bit counter
  /// that is zero whenever no kernel runs (a pointer), `l` the dynamic
  /// work-group memory, where a device passes it as an argument (OpenCL).
  const char *args;
  int32_t flags; ///< arrt_kernel_flags
  /// What a part of the launch touches of each array, as text that
  /// lib/Core/PartTable.h describes; null: nothing is known, and it runs on one
  /// device.
  const char *parts;
} arrt_kernel;

/// A compiled program: one constant in its object, `NAME_program`.
typedef struct arrt_program {
  int32_t version;            ///< ARRT_ABI_VERSION
  int32_t num_entries;        ///< how many exports
  const arrt_entry *entries;  ///< the exports
  const arrt_site *sites;     ///< the places that may fail
  int32_t num_sites;          ///< how many places
  int32_t target;             ///< an arrt_target: what it was compiled for
  const char *file;           ///< the main source file
  int32_t num_images;         ///< how many images
  int32_t num_kernels;        ///< how many kernels
  const arrt_image *images;   ///< code for a device that is not the host
  const arrt_kernel *kernels; ///< what arrt_launch numbers
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
  int32_t target;       ///< an arrt_target
  int64_t memory_limit; ///< bytes the pool may hold; 0: ARRC_MEMORY, else none
  int32_t device;       ///< the number of the device among those of its kind
  uint32_t flags;       ///< sum of ARRT_OPTION_..
  int32_t parts;        ///< 0: ARRC_PARTS, else one a device of `devices`
  /// Several devices of the kind, as arrt_parse_target reads them; null: one.
  const char *devices;
} arrt_options;

/// Flags of a context; the environment variables turn them on as well.
enum {
  /// ARRC_HALVES=1: runs every launch whose kernel has an offset in two halves.
  ARRT_OPTION_HALVES = 1,
  /// ARRC_POOL=off: every array is an allocation of its own, of its very size,
  /// freed at once, and every launch is waited for. For sanitizers.
  ARRT_OPTION_NO_POOL = 2,
  /// Pointers to arrays that arrt_call_typed takes, and memory that it gives,
  /// are of the device and not of the host.
  ARRT_OPTION_DEVICE_POINTERS = 4,
  /// The processes that a launcher of MPI has started are one: each has some of
  /// the parts that launches are cut into, `parts` of them in all. They make
  /// the same calls with the same values, and get the same results. MPI is
  /// started if the caller has not, and ended then by arrt_ranks_finish.
  ARRT_OPTION_RANKS = 8
};

/// A context on one device, or null if not even a context for a message can be
/// made. `options` may be null: the CPU. If the device cannot be used the
/// context is one on the CPU whose arrt_last_status and arrt_message say why.
/// Free it with arrt_context_destroy.
arrt_context *arrt_context_create(const arrt_options *options);
/// The same on a stream of the caller's, which must outlive the context: for a
/// CUDA context a CUstream (a cudaStream_t). What is started follows what was
/// started there before.
arrt_context *arrt_context_create_on(const arrt_options *options, void *stream);
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
/// What the devices of a context have sent each other, in words; "" where there
/// is one. Valid until the next call on this context.
const char *arrt_context_traffic(arrt_context *ctx);
/// Which of the processes that share the context's device this is, and how many
/// there are in `count`, which may be null: 0 of 1 but with ARRT_OPTION_RANKS.
int32_t arrt_context_rank(const arrt_context *ctx, int32_t *count);
/// Ends MPI, if a context has started it, when all contexts are destroyed; all
/// processes call it.
void arrt_ranks_finish(void);
/// Bytes of the pool that are in use, and the largest number that ever was.
int64_t arrt_memory_in_use(const arrt_context *ctx);
/// See arrt_memory_in_use.
int64_t arrt_memory_peak(const arrt_context *ctx);
/// What the pool takes for `bytes`; -1 if that is more than it can count.
int64_t arrt_memory_rounded(const arrt_context *ctx, int64_t bytes);
/// Gives free blocks of the pool back to the system.
void arrt_memory_trim(arrt_context *ctx);

/// Makes an image when the first of its kernels is launched: fills in `made`,
/// whose data must last until it is called again. Returns a status, with its
/// message in the context.
typedef int32_t (*arrt_image_fn)(void *user, arrt_context *ctx,
                                 const arrt_program *program, int32_t number,
                                 arrt_image *made);
/// Who makes the images of programs that have no bytes; `make` may be null.
void arrt_set_images(arrt_context *ctx, arrt_image_fn make, void *user);
/// Gets the kernels of a program ready, which arrt_call does at the first call.
/// Each image is loaded when a kernel of it is launched.
int32_t arrt_program_load(arrt_context *ctx, const arrt_program *program);
/// Seconds that went into making and loading images so far.
double arrt_load_seconds(const arrt_context *ctx);
/// Forgets the kernels of a program whose table is about to go away.
void arrt_program_unload(arrt_context *ctx, const arrt_program *program);

/// What an observer is told of.
enum arrt_event_kind {
  ARRT_EVENT_KERNEL,
  ARRT_EVENT_COPY,     ///< inside the device
  ARRT_EVENT_COPY_IN,  ///< from the host to the device
  ARRT_EVENT_COPY_OUT, ///< from the device to the host
  ARRT_EVENT_FILL
};
/// One thing that was done for a program.
typedef struct arrt_event {
  int32_t kind;     ///< an arrt_event_kind
  int32_t number;   ///< of a kernel of the CPU, see arrt_mark; else -1
  const char *name; ///< of a kernel of a device; null on the CPU
  int64_t bytes;    ///< of copies and fills
  int64_t grid[3];  ///< blocks of a launch
  int32_t block[3]; ///< threads of a block
  int64_t shared;   ///< bytes of dynamic work-group memory
  double begin;     ///< in seconds since arrt_observe
  double seconds;   ///< how long it took; a kernel by the device's clock, if
                    ///< it has one
} arrt_event;
/// Is told of an event behind its end; `event` lives until it returns.
typedef void (*arrt_event_fn)(void *user, const arrt_event *event);
/// From now on does one thing after the other, waits for each and tells
/// `observer`; null: as always. What was recorded runs step by step.
void arrt_observe(arrt_context *ctx, arrt_event_fn observer, void *user);
/// The export of a program with this name, or null.
const arrt_entry *arrt_program_entry(const arrt_program *program,
                                     const char *name);
/// Runs an export: `args` as its packed form wants them, `num_args` of them: a
/// pointer to each argument, then to the place of each result. All that the
/// entry says of them is checked before it runs: their number, null pointers,
/// element types, ranks, sizes, and that arrays are alive. Arrays that are not
/// on the context's device, of other contexts too, are copied there for the
/// call. Results are on the device, and all work is done when it returns. On
/// failure gives back all buffers that it allocated; the places of results that
/// are arrays are null then.
int32_t arrt_call(arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args, int32_t num_args);

//===----------------------------------------------------------------------===//
// Functions of C
//===----------------------------------------------------------------------===//

/// A complex number of two floats, as in arrays of c64.
typedef struct arrt_c64 {
  float re, im;
} arrt_c64;
/// A complex number of two doubles, as in arrays of c128.
typedef struct arrt_c128 {
  double re, im;
} arrt_c128;

/// What the functions do that `arrc build --emit=header` declares: calls an
/// export on memory of the caller. `programs` are compilations of one program
/// for `count` targets, of which that of the context is taken; values[i] points
/// to argument i of the C function, behind the context. Returns a status.
int32_t arrt_call_typed(arrt_context *ctx, const arrt_program *const *programs,
                        int32_t count, const char *entry, void **values);
/// Frees memory that such a function gave; null is ignored.
void arrt_free(arrt_context *ctx, void *data);

//===----------------------------------------------------------------------===//
// Recordings
//===----------------------------------------------------------------------===//

/// From now on launches, copies inside the device, fills and writes are noted
/// and not started; arrays and buffers are allocated as ever. What would wait
/// for them (reading, moving arrays to the host) fails. On the CPU: copies,
/// fills and writes alone.
int32_t arrt_capture_begin(arrt_context *ctx);
/// Ends that. Null if something could not be recorded. Memory that a recording
/// uses must live as long as it, but for buffers that were released while it
/// was recorded: these are kept. Likewise the program.
arrt_recording *arrt_capture_end(arrt_context *ctx);
/// Starts all that was recorded, `times` times in a row. Errors of its kernels
/// are those of a launch: see arrt_poll_error.
int32_t arrt_replay(arrt_recording *recording, int64_t times);
/// Starts it as long as the byte at `condition`, in memory of the device, is
/// not 0 when all before is done, but at most `most` times. Gives how often it
/// was in `times`, which may be null.
int32_t arrt_replay_while(arrt_recording *recording, const void *condition,
                          int64_t most, int64_t *times);
/// Forgets a recording, which arrt_context_destroy does with those that are
/// left; null is ignored.
void arrt_recording_release(arrt_recording *recording);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// A device that was found, or a kind of device that was not.
typedef struct arrt_device_info {
  int32_t target;        ///< an arrt_target
  int32_t device;        ///< its number among those of its kind; -1: none
  char name[128];        ///< as the vendor calls it
  char arch[32];         ///< `sm_90`; `OpenCL 3.0`
  char problem[192];     ///< why it cannot be used; "" if it can
  char remedy[192];      ///< what to do about the problem, in a line
  int64_t memory;        ///< bytes
  int64_t shared_memory; ///< bytes of work-group memory that a block can have
  int32_t units;         ///< multiprocessors, compute units, cores
  int32_t warp;          ///< threads that run in step; 0 if not known
  int32_t max_threads;   ///< in a block
  int32_t compute;       ///< CUDA: 10 * major + minor; else 0
  uint32_t features;     ///< sum of ARRT_FEATURE_..
  int32_t is_host;       ///< 1 if it runs on the machine's cores
  // Facts for the planning of kernels; 0 where they are not known.
  int64_t shared_default; ///< of shared_memory, what needs no request
  int64_t shared_unit;    ///< bytes of work-group memory of a unit
  int64_t max_allocation; ///< bytes of the largest single piece of memory
  int64_t cache;          ///< bytes of the last cache before the memory
  int32_t registers;      ///< 32-bit registers of a unit
  int32_t unit_threads;   ///< threads that a unit holds
  int32_t unit_blocks;    ///< blocks that a unit holds
  int32_t align;          ///< bytes: where an argument inside memory may start
  int32_t memory_clock;   ///< kHz
  int32_t memory_bits;    ///< width of the way to the memory
  int32_t subgroups[8];   ///< sizes of sub-groups that kernels may ask for
} arrt_device_info;

/// What a device can do besides 32-bit numbers.
enum {
  ARRT_FEATURE_F64 = 1,
  ARRT_FEATURE_F16 = 2,
  ARRT_FEATURE_I64_ATOMICS = 4,
  ARRT_FEATURE_SUBGROUPS = 8,
  ARRT_FEATURE_F32_ATOMICS = 16,    ///< addition
  ARRT_FEATURE_F64_ATOMICS = 32,    ///< addition
  ARRT_FEATURE_ORDERED_BLOCKS = 64, ///< a block sees what finished ones wrote
  ARRT_FEATURE_PEER_COPIES = 128,   ///< copies from others of its kind
  /// f32 division and square roots are correctly rounded.
  ARRT_FEATURE_EXACT_F32 = 256
};

/// Looks for devices. Writes at most `capacity` entries and returns how many
/// there are; kinds without any have an entry with a problem.
int32_t arrt_devices(arrt_device_info *infos, int32_t capacity);
/// What is known of one device, as arrt_devices says it. A status other than 0
/// if it cannot be used: `problem` and `remedy` say why.
int32_t arrt_device_facts(int32_t target, int32_t device,
                          arrt_device_info *info);
/// The name of a kind of device (`cuda`), or null.
const char *arrt_target_name(int32_t target);
/// Reads `cpu`, `cuda`, `cuda:1`, `opencl:0`. Returns 0, or a status if it is
/// none of these.
int32_t arrt_parse_target(const char *text, int32_t *target, int32_t *device);
/// What the device of a context is called in messages: `cuda:0`.
const char *arrt_context_device(const arrt_context *ctx);

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// As arrt_array_alloc, in the host's memory whatever the device is.
arrt_array *arrt_array_alloc_host(arrt_context *ctx, int32_t element,
                                  int32_t rank, const int64_t *sizes);
/// The array on the device of the context, with one owner more: itself if it is
/// there, else a copy. It may come from another context.
arrt_array *arrt_array_to_device(arrt_context *ctx, arrt_array *array);
/// The array in the host's memory, likewise.
arrt_array *arrt_array_to_host(arrt_context *ctx, arrt_array *array);
/// Copies all elements of an array to another with as many bytes, wherever the
/// two are; one of them is on the device of the context, or both on the host.
/// When it returns `from` may change.
int32_t arrt_array_copy(arrt_context *ctx, arrt_array *to,
                        const arrt_array *from);
/// 1 if the host may read arrt_array_data.
int32_t arrt_array_is_on_host(const arrt_array *array);
/// A handle on memory of the caller, dense, row-major and aligned to its
/// elements, which must outlive it. Never freed or reused by the runtime.
arrt_array *arrt_array_borrow(arrt_context *ctx, void *data, int32_t element,
                              int32_t rank, const int64_t *sizes);
/// The same for memory of the context's device: of a CUDA context, any that the
/// process has in the card's primary context. What others still do with it is
/// waited for by arrt_wait_for_others. Where it does not begin at a multiple of
/// 16 bytes (a slice of a larger array) each call copies it on the device.
arrt_array *arrt_array_borrow_on_device(arrt_context *ctx, void *data,
                                        int32_t element, int32_t rank,
                                        const int64_t *sizes);
/// Waits until all is done that anyone in this process started on the device of
/// the context, on whatever stream; returns a status.
int32_t arrt_wait_for_others(arrt_context *ctx);
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
/// `STRUCT=@file.npz`, `--output NAME=@file.npy`, `--entry F`, `--threads N`,
/// `--target T`, `--convert`, `--time`, `--help`. `argv[0]` is the name to
/// print. Returns the exit code.
int arrt_main(int argc, char **argv, const arrt_program *program);

/// What a caller of arrt_run wants to do in between.
typedef struct arrt_run_hooks {
  void *user; ///< given to the functions
  /// After a successful call, before results are written: the arguments in
  /// packed form. A status other than 0, with its message in the context
  /// (arrt_fail), ends the run. May be null.
  int32_t (*after)(void *user, arrt_context *ctx, const arrt_entry *entry,
                   void **args);
  /// Makes images, as arrt_set_images says. May be null.
  arrt_image_fn image;
  /// After the message of a run that failed was printed. May be null.
  void (*failed)(void *user, const char *message);
  /// Runs an export as arrt_call does, with the same arguments, in its place.
  /// May be null.
  int32_t (*call)(void *user, arrt_context *ctx, const arrt_program *program,
                  const arrt_entry *entry, void **args, int32_t num_args);
} arrt_run_hooks;

/// As arrt_main, with hooks, which may be null.
int arrt_run(int argc, char **argv, const arrt_program *program,
             const arrt_run_hooks *hooks);

#ifdef __cplusplus
}
#endif

#endif // ARRT_ARRT_H
