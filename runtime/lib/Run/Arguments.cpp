//===- Arguments.cpp - the values that an export is called with -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Arguments.h"
#include "Core/Array.h"
#include "Core/Printable.h"
#include "Core/Sizes.h"
#include "IO/NpyWrite.h"
#include "Run/Text.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

using namespace arrt;

std::vector<std::string> arrt::namesOf(const arrt_param *params,
                                       int32_t count) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < count; ++i)
    names.push_back(params[i].name);
  return names;
}

/// The parameters or results that are fields of a struct.
static std::vector<std::string>
fieldsOf(const arrt_param *params, int32_t count, const std::string &name) {
  std::vector<std::string> fields;
  for (int32_t i = 0; i < count; ++i)
    if (!std::strncmp(params[i].name, (name + ".").c_str(), name.size() + 1))
      fields.push_back(params[i].name);
  return fields;
}

static bool endsIn(const std::string &path, const std::string &end) {
  return path.size() > end.size() &&
         !path.compare(path.size() - end.size(), end.size(), end);
}

static bool isArchive(const std::string &path) { return endsIn(path, ".npz"); }

static std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

Arguments::Arguments(arrt_context *ctx, const arrt_entry &entry)
    : ctx(ctx), entry(entry),
      slots(size_t(entry.num_params + entry.num_results)) {
  for (int32_t i = 0; i < entry.num_params + entry.num_results; ++i) {
    const arrt_param &param = i < entry.num_params
                                  ? entry.params[i]
                                  : entry.results[i - entry.num_params];
    Slot &slot = slots[i];
    packed.push_back(param.rank ? static_cast<void *>(&slot.array)
                                : static_cast<void *>(slot.scalar));
  }
}

Arguments::~Arguments() {
  for (Slot &slot : slots)
    arrt_array_release(slot.array);
  for (arrt_array *array : onHost)
    arrt_array_release(array);
}

void Arguments::releaseResults() {
  for (int32_t i = 0; i < entry.num_results; ++i) {
    Slot &slot = slots[size_t(entry.num_params + i)];
    arrt_array_release(slot.array);
    slot.array = nullptr;
  }
}

const arrt_array *Arguments::resultArray(int32_t result) const {
  return slots[entry.num_params + result].array;
}

const void *Arguments::resultScalar(int32_t result) const {
  return slots[entry.num_params + result].scalar;
}

int32_t Arguments::refuse(const arrt_param &param, const std::string &what,
                          const std::string &help) {
  std::string text = "error: '" + std::string(param.name) + "' is declared '" +
                     param.type + "', but " + what;
  if (!help.empty())
    text += "\nhelp: " + help;
  return arrt_fail(ctx, ARRT_STATUS_INPUT, "%s", text.c_str());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

int32_t Arguments::expandStruct(const Assignment &input,
                                std::vector<Assignment> &inputs) {
  std::vector<std::string> fields =
      fieldsOf(entry.params, entry.num_params, input.name);
  if (!input.isFile || !isArchive(input.text))
    return arrt_fail(ctx, ARRT_STATUS_INPUT,
                     "error: '%s' is a struct: give its fields %s\n"
                     "help: or all of them at once by %s=@file.npz",
                     printable(input.name).c_str(), joined(fields).c_str(),
                     printable(input.name).c_str());
  for (const std::string &field : fields) {
    for (const Assignment &other : inputs)
      if (other.name == field)
        return arrt_fail(ctx, ARRT_STATUS_INPUT,
                         "error: '%s' is given twice, by itself and with '%s'",
                         field.c_str(), printable(input.name).c_str());
    Assignment part = input;
    part.name = field;
    part.member = field.substr(input.name.size() + 1);
    inputs.push_back(part);
  }
  return ARRT_STATUS_OK;
}

int32_t Arguments::checkNames(const Options &options,
                              std::vector<Assignment> &inputs) {
  std::vector<std::string> names = namesOf(entry.params, entry.num_params);
  auto isParam = [&](const Assignment &input) {
    return std::find(names.begin(), names.end(), input.name) != names.end();
  };
  for (const Assignment &input : options.inputs)
    if (isParam(input))
      inputs.push_back(input);
  for (const Assignment &input : options.inputs) {
    if (isParam(input))
      continue;
    if (!fieldsOf(entry.params, entry.num_params, input.name).empty()) {
      if (int32_t status = expandStruct(input, inputs))
        return status;
      continue;
    }
    std::string near = nearest(input.name, names);
    std::string help = near.empty() ? "its parameters are " + joined(names)
                                    : "did you mean '" + near + "'?";
    return arrt_fail(ctx, ARRT_STATUS_INPUT,
                     "error: '%s' has no parameter '%s'\nhelp: %s", entry.name,
                     printable(input.name).c_str(), help.c_str());
  }
  return ARRT_STATUS_OK;
}

int32_t Arguments::read(const Options &options) {
  std::vector<Assignment> inputs;
  if (int32_t status = checkNames(options, inputs))
    return status;

  // What is missing, before files are read.
  std::vector<const Assignment *> given(size_t(entry.num_params));
  for (int32_t i = 0; i < entry.num_params; ++i) {
    const arrt_param &param = entry.params[i];
    for (const Assignment &input : inputs)
      if (input.name == param.name)
        given[i] = &input;
    if (!given[i] && !param.default_value && !(maker && param.rank))
      return arrt_fail(ctx, ARRT_STATUS_INPUT,
                       "error: the argument '%s' of type '%s' is missing\n"
                       "help: write %s=%s",
                       param.name, param.type, param.name,
                       param.rank ? "@file.npy" : "VALUE");
  }

  Sizes sizes;
  for (const auto &[name, size] : givenSizes)
    sizes.add(name, *entry.params, -1, size);
  for (int32_t i = 0; i < entry.num_params; ++i) {
    const arrt_param &param = entry.params[i];
    if (!given[i] && !param.default_value)
      continue;
    if (int32_t status = readOne(param, given[i], slots[i], options.convert))
      return status;
    if (!param.rank)
      sizes.addScalar(param, slots[i].scalar);
  }
  for (int32_t i = 0; i < entry.num_params; ++i)
    if (slots[i].array)
      sizes.bind(entry.params[i], slots[i].array);
  for (int32_t i = 0; i < entry.num_params; ++i) {
    const arrt_param &param = entry.params[i];
    if (slots[i].array || given[i] || param.default_value)
      continue;
    slots[i].array = maker(param, sizes);
    if (!slots[i].array)
      return arrt_last_status(ctx)
                 ? arrt_last_status(ctx)
                 : arrt_fail(ctx, ARRT_STATUS_INPUT,
                             "error: the size of '%s', which is '%s', is not "
                             "known\nhelp: give its sizes, as n=1000, or "
                             "%s=@file.npy",
                             param.name, param.type, param.name);
    sizes.bind(param, slots[i].array);
  }
  for (int32_t i = 0; i < entry.num_params; ++i)
    if (slots[i].array) {
      std::string wrong = sizes.check(entry.params[i], slots[i].array);
      if (!wrong.empty())
        return refuse(entry.params[i], wrong);
    }
  return ARRT_STATUS_OK;
}

int32_t Arguments::readOne(const arrt_param &param, const Assignment *from,
                           Slot &slot, bool convert) {
  if (!from)
    return readDefault(param, slot);
  return from->isFile ? readFile(param, *from, slot, convert)
                      : readValue(param, *from, slot);
}

int32_t Arguments::readDefault(const arrt_param &param, Slot &slot) {
  if (!param.rank) {
    std::memcpy(slot.scalar, param.default_value,
                size_t(arrt_element_bytes(param.element)));
    return ARRT_STATUS_OK;
  }
  // The sizes of an array with a default are constants.
  int64_t sizes[ARRT_MAX_RANK] = {};
  for (int32_t d = 0; d < param.rank; ++d) {
    Value size;
    if (!evaluate(param.dims[d], ARRT_F64, {}, size).empty())
      return refuse(param, "its default has no constant size");
    sizes[d] = int64_t(size.integer);
  }
  slot.array = arrt_array_alloc_host(ctx, param.element, param.rank, sizes);
  if (!slot.array)
    return arrt_last_status(ctx);
  std::memcpy(arrt_array_data(slot.array), param.default_value,
              size_t(arrt_array_bytes(slot.array)));
  return ARRT_STATUS_OK;
}

int32_t Arguments::readFile(const arrt_param &param, const Assignment &from,
                            Slot &slot, bool convert) {
  arrt_array *array =
      from.member.empty()
          ? arrt_load(ctx, from.text.c_str())
          : arrt_load_member(ctx, from.text.c_str(), from.member.c_str());
  if (!array)
    return arrt_last_status(ctx);
  slot.array = array; // released with the slot on every failure
  int64_t sizes[ARRT_MAX_RANK];
  int32_t rank = arrt_array_rank(array), element = arrt_array_element(array);
  for (int32_t d = 0; d < rank; ++d)
    sizes[d] = arrt_array_size(array, d);
  std::string came =
      "'" + printable(from.text) + "' holds " + shapeText(element, rank, sizes);
  if (rank != param.rank)
    return refuse(param, came + ": it has " + std::to_string(rank) +
                             (rank == 1 ? " dimension" : " dimensions") +
                             " and not " + std::to_string(param.rank));
  if (element != param.element) {
    std::string wanted = arrt_element_name(param.element);
    if (!convert)
      return refuse(param, came + ": its elements are not " + wanted,
                    "convert it to " + wanted +
                        ", or add --convert to do so on reading");
    arrt_array *converted = arrt_array_convert(ctx, array, param.element);
    if (!converted)
      return refuse(param, came + ": there is no conversion to " + wanted);
    arrt_array_release(array);
    slot.array = array = converted;
  }
  if (!param.rank) {
    std::memcpy(slot.scalar, arrt_array_data(array),
                size_t(arrt_array_bytes(array)));
    arrt_array_release(array);
    slot.array = nullptr;
  }
  return ARRT_STATUS_OK;
}

int32_t Arguments::readValue(const arrt_param &param, const Assignment &from,
                             Slot &slot) {
  Value value;
  std::string what = "'" + printable(from.text.substr(0, 40)) +
                     (from.text.size() > 40 ? ".." : "") + "'";
  std::string error = evaluate(from.text, param.element, {}, value, room);
  if (!error.empty())
    return refuse(param, what + " is no value: " + error,
                  endsIn(from.text, ".npy")
                      ? "a file is written " + std::string(param.name) + "=@" +
                            printable(from.text)
                      : "");
  std::vector<int64_t> sizes;
  error = listSizes(value, sizes);
  if (!error.empty())
    return refuse(param, what + " is no array: " + error);
  // An empty list has no say in the dimensions below it: they are as declared
  // where that is a number.
  if (!sizes.empty() && sizes.back() == 0)
    for (size_t d = sizes.size(); d < size_t(param.rank); ++d) {
      Value size;
      bool fixed =
          param.dims && evaluate(param.dims[d], ARRT_F64, {}, size).empty();
      sizes.push_back(fixed ? int64_t(size.integer) : 0);
    }
  if (sizes.size() != size_t(param.rank))
    return refuse(
        param,
        what + " is " + describe(value) +
            (param.rank ? ", not an array with " + std::to_string(param.rank) +
                              (param.rank == 1 ? " dimension" : " dimensions")
                        : ", not a single value"));
  void *data = slot.scalar;
  if (param.rank) {
    int64_t bytes = 0;
    byteCount(param.element, param.rank, sizes.data(), bytes);
    slot.array =
        arrt_array_alloc_host(ctx, param.element, param.rank, sizes.data());
    if (!slot.array) {
      failMemory(ctx, bytes, -1, param.name, ctx->hostPool.get());
      return arrt_last_status(ctx);
    }
    data = arrt_array_data(slot.array);
  }
  error = storeValue(value, param.element, data);
  if (!error.empty())
    return refuse(param, what + (param.rank ? " holds " : " is ") + error);
  return ARRT_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Between host and device
//===----------------------------------------------------------------------===//

int32_t Arguments::upload() {
  onHost.resize(size_t(entry.num_params));
  for (int32_t i = 0; i < entry.num_params; ++i) {
    if (!slots[i].array)
      continue;
    arrt_array *there = arrt_array_to_device(ctx, slots[i].array);
    if (!there && arrt_last_status(ctx) == ARRT_STATUS_MEMORY)
      failMemory(ctx, arrt_array_bytes(slots[i].array), -1,
                 entry.params[i].name);
    if (!there)
      return arrt_last_status(ctx);
    onHost[i] = slots[i].array;
    slots[i].array = there;
  }
  return ARRT_STATUS_OK;
}

int32_t Arguments::download() {
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].array)
      continue;
    arrt_array *here = i < onHost.size()
                           ? std::exchange(onHost[i], nullptr)
                           : arrt_array_to_host(ctx, slots[i].array);
    if (!here)
      return arrt_last_status(ctx);
    arrt_array_release(slots[i].array);
    slots[i].array = here;
  }
  return ARRT_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

int32_t Arguments::checkResults(const Assignment &output) {
  std::vector<std::string> names = namesOf(entry.results, entry.num_results);
  std::vector<int32_t> found = resultsOf(output);
  if (found.empty()) {
    std::string near = nearest(output.name, names);
    std::string help = near.empty() ? "its results are " + joined(names)
                                    : "did you mean '" + near + "'?";
    if (!fieldsOf(entry.results, entry.num_results, output.name).empty())
      help = "it is a struct: write its fields, or all of them by --output " +
             output.name + "=@file.npz";
    return arrt_fail(ctx, ARRT_STATUS_USAGE,
                     "error: '%s' has no result '%s'\nhelp: %s", entry.name,
                     printable(output.name).c_str(), help.c_str());
  }
  for (int32_t i : found)
    if (entry.results[i].element == ARRT_BF16)
      return arrt_fail(ctx, ARRT_STATUS_USAGE,
                       "error: '%s' is declared '%s', and NumPy's format has "
                       "no bf16\nhelp: return f32 from the program",
                       entry.results[i].name, entry.results[i].type);
  return ARRT_STATUS_OK;
}

int32_t Arguments::checkOutputs(const Options &options) {
  std::vector<OutputPlace> places;
  for (const Assignment &output : options.outputs) {
    if (int32_t status = checkResults(output))
      return status;
    std::string shown = printable(output.text);
    OutputPlace place = findOutputPlace(output.text);
    if (place.kind == OutputPlace::Refused)
      return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot write '%s': %s",
                       shown.c_str(), place.problem.c_str());
    if (place.kind == OutputPlace::File && !isArchive(output.text) &&
        !endsIn(output.text, ".npy"))
      return arrt_fail(ctx, ARRT_STATUS_USAGE,
                       "error: '%s' is no .npy or .npz file, and results are "
                       "written as nothing else\nhelp: write --output "
                       "%s=@%s.npy",
                       shown.c_str(), output.name.c_str(), shown.c_str());
    for (const OutputPlace &other : places)
      if (place.isSame(other))
        return arrt_fail(ctx, ARRT_STATUS_USAGE,
                         "error: two outputs are to be written to '%s'",
                         shown.c_str());
    places.push_back(place);
  }
  return ARRT_STATUS_OK;
}

std::vector<int32_t> Arguments::resultsOf(const Assignment &output) const {
  std::vector<int32_t> found;
  std::string prefix = output.name + ".";
  for (int32_t i = 0; i < entry.num_results; ++i) {
    std::string name = entry.results[i].name;
    if (name == output.name ||
        (isArchive(output.text) && !name.compare(0, prefix.size(), prefix)))
      found.push_back(i);
  }
  return found;
}

int32_t Arguments::writeOutputs(const Options &options) {
  // All of them are written before one takes the place of what is there.
  std::deque<OutputFile> files;
  for (const Assignment &output : options.outputs)
    if (int32_t status = writeOutput(output, files.emplace_back()))
      return status;
  // By all processes.
  if (int32_t status = agree(ctx, ARRT_STATUS_OK))
    return status;
  for (size_t i = 0; i < files.size(); ++i)
    if (int32_t status =
            publish(ctx, files[i], options.outputs[i].text.c_str()))
      return status;
  return ARRT_STATUS_OK;
}

int32_t Arguments::writeOutput(const Assignment &output, OutputFile &file) {
  // Scalars are written as arrays of rank 0, through handles that borrow them.
  std::vector<arrt_array *> borrowed;
  std::vector<const arrt_array *> arrays;
  std::vector<const char *> names;
  int32_t status = ARRT_STATUS_OK;
  for (int32_t i : resultsOf(output)) {
    const arrt_param &result = entry.results[i];
    Slot &slot = slots[entry.num_params + i];
    arrt_array *array = slot.array;
    if (!result.rank) {
      array = arrt_array_borrow(ctx, slot.scalar, result.element, 0, nullptr);
      borrowed.push_back(array);
    }
    if (!array)
      status = arrt_last_status(ctx);
    arrays.push_back(array);
    // `bs.pos` of `bs` is the member `pos`, a result by itself its own name.
    names.push_back(output.name == result.name
                        ? result.name
                        : result.name + output.name.size() + 1);
  }
  if (!status)
    status = isArchive(output.text)
                 ? writeNpz(ctx, file, output.text.c_str(),
                            int32_t(arrays.size()), names.data(), arrays.data())
                 : writeNpy(ctx, file, output.text.c_str(), arrays[0]);
  for (arrt_array *array : borrowed)
    arrt_array_release(array);
  return status;
}
