//===- Typed.cpp - the C signature of an export ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The C function of an export is a few lines: it passes the addresses of its
// arguments to arrt_call_typed, which makes handles on the caller's memory,
// calls the packed form, and copies results to where the caller wants them.
//
//===----------------------------------------------------------------------===//

#include "Core/Typed.h"
#include "Core/Array.h"
#include "Core/Sizes.h"

#include <cctype>
#include <cstdlib>
#include <set>

using namespace arrt;

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

/// A name of the program as one of C: `bs.pos` is `bs_pos`.
static std::string nameInC(const char *name) {
  std::string text = name;
  for (char &c : text)
    if (c == '.')
      c = '_';
  return text;
}

/// The names in the text of a size: `n`, `m` of `n*m + 1`.
static std::vector<std::string> namesIn(const std::string &text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    while (i < text.size() && (std::isalnum(text[i]) || text[i] == '_'))
      ++i;
    if (i > begin && !std::isdigit(text[begin]))
      names.push_back(text.substr(begin, i - begin));
    i += i == begin;
  }
  return names;
}

static bool isIntegerScalar(const arrt_param &param) {
  return !param.rank && param.element >= ARRT_I8 && param.element <= ARRT_U64;
}

static const char *dimOf(const arrt_param &param, int32_t d) {
  return param.dims ? param.dims[d] : "?";
}

/// A name that no argument before has: `name`, or that with the ending as often
/// as it takes.
static std::string freshName(const std::vector<TypedArgument> &arguments,
                             std::string name, const char *ending = "_") {
  for (const TypedArgument &argument : arguments)
    if (argument.name == name)
      return freshName(arguments, name + ending, ending);
  return name;
}

/// Adds the sizes of a parameter that no one before it has named.
static void addSizes(const arrt_param &param, std::set<std::string> &known,
                     std::vector<TypedArgument> &arguments) {
  int32_t unnamed = 0;
  for (int32_t d = 0; d < param.rank; ++d)
    unnamed += std::string(dimOf(param, d)) == "?";
  for (int32_t d = 0; d < param.rank; ++d) {
    std::string text = dimOf(param, d);
    if (text == "?") {
      std::string name = nameInC(param.name) + "_size";
      if (unnamed > 1)
        name += std::to_string(d);
      arguments.push_back(
          {TypedArgument::Size, freshName(arguments, name), &param, d, ""});
      continue;
    }
    for (const std::string &name : namesIn(text))
      if (known.insert(name).second)
        arguments.push_back(
            {TypedArgument::Size, freshName(arguments, name), &param, d, name});
  }
}

static bool isKnown(const arrt_param &result,
                    const std::set<std::string> &known) {
  for (int32_t d = 0; d < result.rank; ++d) {
    std::string text = dimOf(result, d);
    if (text.find('?') != std::string::npos)
      return false;
    for (const std::string &name : namesIn(text))
      if (!known.count(name))
        return false;
  }
  return true;
}

std::vector<TypedArgument> arrt::typedSignature(const arrt_entry &entry) {
  std::vector<TypedArgument> arguments;
  std::set<std::string> known;
  // Sizes that are parameters are passed once, as those.
  for (int32_t i = 0; i < entry.num_params; ++i)
    if (isIntegerScalar(entry.params[i]))
      known.insert(entry.params[i].name);
  for (int32_t i = 0; i < entry.num_params; ++i)
    addSizes(entry.params[i], known, arguments);
  auto add = [&](TypedArgument::Kind kind, const arrt_param &param,
                 std::string name) {
    arguments.push_back({kind, std::move(name), &param, 0, ""});
  };
  for (int32_t i = 0; i < entry.num_params; ++i)
    add(entry.params[i].rank ? TypedArgument::Array : TypedArgument::Scalar,
        entry.params[i], freshName(arguments, nameInC(entry.params[i].name)));
  for (int32_t i = 0; i < entry.num_results; ++i) {
    const arrt_param &result = entry.results[i];
    // C has one list: a result that is called as a parameter is `u_out`.
    std::string name = freshName(arguments, nameInC(result.name), "_out");
    if (!result.rank) {
      add(TypedArgument::ScalarResult, result, name);
    } else if (isKnown(result, known)) {
      add(TypedArgument::ArrayResult, result, name);
    } else {
      add(TypedArgument::NewResult, result, name);
      add(TypedArgument::NewSizes, result,
          freshName(arguments, name + "_size"));
    }
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// One call: the handles on the caller's memory, and the places of results.
class TypedCall {
public:
  TypedCall(arrt_context *ctx, const arrt_entry &entry, void **values)
      : ctx(ctx), entry(entry), values(values),
        arguments(typedSignature(entry)), handles(arguments.size()) {}
  ~TypedCall() {
    for (arrt_array *handle : handles)
      arrt_array_release(handle);
    for (arrt_array *result : results)
      arrt_array_release(result);
  }
  int32_t run(const arrt_program *program);

private:
  int32_t readSizes();
  int32_t sizesOf(const TypedArgument &argument, int64_t *out);
  int32_t borrow(size_t number);
  int32_t give(size_t number, arrt_array *result);
  int32_t giveNew(size_t number, arrt_array *result);

  arrt_context *ctx;
  const arrt_entry &entry;
  void **values;
  std::vector<TypedArgument> arguments;
  std::vector<arrt_array *> handles; ///< one an argument, null where none
  std::vector<arrt_array *> results;
  Sizes sizes;
};
} // namespace

template <typename T> static T &valueAt(void *place) {
  return *static_cast<T *>(place);
}

int32_t TypedCall::readSizes() {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypedArgument &argument = arguments[i];
    if (argument.kind == TypedArgument::Scalar) {
      sizes.addScalar(*argument.param, values[i]);
      continue;
    }
    if (argument.kind != TypedArgument::Size)
      continue;
    int64_t size = valueAt<int64_t>(values[i]);
    if (size < 0)
      return arrt_fail(ctx, ARRT_STATUS_INPUT,
                       "error: the size '%s' of '%s' is %lld",
                       argument.name.c_str(), entry.name, (long long)size);
    if (!argument.size.empty())
      sizes.add(argument.size, *argument.param, argument.dim, size);
  }
  return ARRT_STATUS_OK;
}

int32_t TypedCall::sizesOf(const TypedArgument &argument, int64_t *out) {
  const arrt_param &param = *argument.param;
  for (int32_t d = 0; d < param.rank; ++d) {
    bool isFine = false;
    if (std::string(dimOf(param, d)) == "?") {
      for (size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].kind == TypedArgument::Size &&
            arguments[i].param == &param && arguments[i].dim == d) {
          out[d] = valueAt<int64_t>(values[i]);
          isFine = true;
        }
    } else {
      isFine = sizes.evaluate(dimOf(param, d), out[d]) && out[d] >= 0;
    }
    if (!isFine)
      return arrt_fail(ctx, ARRT_STATUS_INPUT,
                       "error: '%s' of '%s' is declared '%s', and its "
                       "dimension %d has no size, or a negative one",
                       param.name, entry.name, param.type, int(d));
  }
  return ARRT_STATUS_OK;
}

/// Makes a handle on memory of the caller.
int32_t TypedCall::borrow(size_t number) {
  const TypedArgument &argument = arguments[number];
  const arrt_param &param = *argument.param;
  int64_t shape[ARRT_MAX_RANK];
  if (int32_t status = sizesOf(argument, shape))
    return status;
  void *data = valueAt<void *>(values[number]);
  handles[number] =
      ctx->takesDevicePointers
          ? arrt_array_borrow_on_device(ctx, data, param.element, param.rank,
                                        shape)
          : arrt_array_borrow(ctx, data, param.element, param.rank, shape);
  if (handles[number])
    return ARRT_STATUS_OK;
  std::string message = arrt_message(ctx);
  return arrt_fail(ctx, arrt_last_status(ctx), "%s\nnote: this is '%s' of '%s'",
                   message.c_str(), argument.name.c_str(), entry.name);
}

/// Copies a result to memory of the caller.
int32_t TypedCall::give(size_t number, arrt_array *result) {
  arrt_array *place = handles[number];
  for (int32_t d = 0; d < result->rank; ++d)
    if (result->sizes[d] != place->sizes[d])
      return arrt_fail(ctx, ARRT_STATUS_INTERNAL,
                       "error: the result '%s' of '%s' has another size than "
                       "it declares",
                       arguments[number].param->name, entry.name);
  return result->data == place->data ? int32_t(ARRT_STATUS_OK)
                                     : arrt_array_copy(ctx, place, result);
}

/// Copies a result to new memory that the caller frees.
int32_t TypedCall::giveNew(size_t number, arrt_array *result) {
  int64_t bytes = arrt_array_bytes(result);
  bool isOnDevice = ctx->takesDevicePointers && ctx->target != ARRT_TARGET_CPU;
  void *data = isOnDevice ? arrt_buffer_alloc(ctx, bytes, -1)
                          : std::malloc(size_t(bytes ? bytes : 1));
  if (!data) {
    failMemory(ctx, bytes, -1, arguments[number].param->name);
    return arrt_last_status(ctx);
  }
  handles[number] =
      isOnDevice ? arrt_array_borrow_on_device(ctx, data, result->element,
                                               result->rank, result->sizes)
                 : arrt_array_borrow(ctx, data, result->element, result->rank,
                                     result->sizes);
  int32_t status = handles[number]
                       ? arrt_array_copy(ctx, handles[number], result)
                       : arrt_last_status(ctx);
  if (status) {
    arrt_free(ctx, data);
    return status;
  }
  valueAt<void **>(values[number])[0] = data;
  int64_t *shape = valueAt<int64_t *>(values[number + 1]);
  for (int32_t d = 0; d < result->rank; ++d)
    shape[d] = result->sizes[d];
  return ARRT_STATUS_OK;
}

int32_t TypedCall::run(const arrt_program *program) {
  if (int32_t status = readSizes())
    return status;
  results.resize(size_t(entry.num_results));
  std::vector<void *> slots;
  std::vector<size_t> places; ///< of array results, by number
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypedArgument &argument = arguments[i];
    bool isArray = argument.kind == TypedArgument::Array;
    bool isResult = argument.kind == TypedArgument::ScalarResult ||
                    argument.kind == TypedArgument::ArrayResult ||
                    argument.kind == TypedArgument::NewResult;
    if (isArray || argument.kind == TypedArgument::ArrayResult)
      if (int32_t status = borrow(i))
        return status;
    if (argument.kind == TypedArgument::NewResult ||
        argument.kind == TypedArgument::NewSizes) {
      if (!valueAt<void *>(values[i]))
        return arrt_fail(ctx, ARRT_STATUS_USAGE,
                         "error: the pointer '%s' of '%s' is null",
                         argument.name.c_str(), entry.name);
      if (isResult)
        *valueAt<void **>(values[i]) = nullptr;
    }
    if (argument.kind == TypedArgument::Scalar)
      slots.push_back(values[i]);
    else if (isArray)
      slots.push_back(&handles[i]);
    else if (isResult) {
      places.push_back(i);
      slots.push_back(argument.kind == TypedArgument::ScalarResult
                          ? valueAt<void *>(values[i])
                          : &results[places.size() - 1]);
    }
  }
  int32_t status =
      arrt_call(ctx, program, &entry, slots.data(), int32_t(slots.size()));
  for (size_t r = 0; r < places.size() && !status; ++r) {
    TypedArgument::Kind kind = arguments[places[r]].kind;
    if (kind == TypedArgument::ArrayResult)
      status = give(places[r], results[r]);
    else if (kind == TypedArgument::NewResult)
      status = giveNew(places[r], results[r]);
  }
  return status ? status : arrt_synchronize(ctx);
}

int32_t arrt_call_typed(arrt_context *ctx, const arrt_program *const *programs,
                        int32_t count, const char *name, void **values) {
  if (!ctx)
    return ARRT_STATUS_USAGE;
  arrt_clear_error(ctx);
  const arrt_program *program = nullptr;
  for (int32_t i = 0; i < count && !program; ++i)
    if (programs[i]->target == ctx->target)
      program = programs[i];
  // The call says why none of them runs there.
  if (!program)
    program = programs[0];
  const arrt_entry *entry = arrt_program_entry(program, name);
  if (!entry)
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: the program has no export '%s'", name);
  return TypedCall(ctx, *entry, values).run(program);
}

void arrt_free(arrt_context *ctx, void *data) {
  if (!data)
    return;
  if (ctx->pool->sizeOf(data) >= 0)
    arrt_buffer_free(ctx, data);
  else
    std::free(data);
}
