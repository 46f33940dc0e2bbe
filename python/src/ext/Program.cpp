//===- Program.cpp - Programs and their calls -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Argument.h"
#include "Errors.h"
#include "Held.h"

#include "arrc-c/arrc.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <set>

using namespace arrc::python;
namespace nb = nanobind;

namespace {
/// A compiled program, and the contexts that have run it.
class Program {
public:
  Program(const std::string &file, nb::object text,
          const std::vector<std::string> &options);
  ~Program();

  /// What the compiler said, "" if nothing.
  const std::string &messages() const { return said; }
  std::string device() const { return arrc_program_device(program); }
  /// A tuple an export: name, parameters, results.
  nb::list entries() const;
  /// Calls export `number` on a context; null pointers in `values` are
  /// defaults. Gives the results: numbers and arrays, on the host if they are
  /// wanted there.
  nb::list call(int number, const std::shared_ptr<Device> &device,
                nb::sequence values, bool toHost, bool warnsOfCopies);

private:
  const arrt_entry &entry(int number) const;

  arrc_program *program = nullptr;
  std::string said;
  std::mutex mutex;
  std::set<std::shared_ptr<Device>> devices;
};

/// The places of a call's results.
struct Result {
  Cell cell;
  arrt_array *array = nullptr;
};
} // namespace

Program::Program(const std::string &file, nb::object text,
                 const std::vector<std::string> &options) {
  std::vector<const char *> words;
  for (const std::string &option : options)
    words.push_back(option.c_str());
  bool hasText = !text.is_none();
  std::string own = hasText ? nb::cast<std::string>(text) : "";
  char *messages = nullptr;
  int32_t code = 0;
  {
    nb::gil_scoped_release unlocked;
    code = arrc_program_load(file.c_str(), hasText ? own.c_str() : nullptr,
                             int32_t(words.size()), words.data(), &program,
                             &messages);
    if (messages)
      said = messages;
    arrc_free(messages);
  }
  if (code)
    raiseCompileError(code, said);
}

Program::~Program() {
  nb::gil_scoped_release unlocked;
  for (const std::shared_ptr<Device> &device : devices) {
    std::lock_guard<std::mutex> lock(device->mutex);
    arrt_program_unload(device->ctx, arrc_program_table(program));
  }
  // The last owner of a context may be this one.
  devices.clear();
  arrc_program_destroy(program);
}

static nb::list describe(const arrt_param *params, int32_t count) {
  nb::list result;
  for (int32_t i = 0; i < count; ++i) {
    const arrt_param &param = params[i];
    nb::list dims;
    for (int32_t d = 0; d < param.rank && param.dims; ++d)
      dims.append(param.dims[d]);
    nb::object value = nb::none();
    if (param.default_value && !param.rank)
      value = fromCell(param.default_value, param.element);
    result.append(nb::make_tuple(param.name, param.type,
                                 arrt_element_name(param.element), param.rank,
                                 dims, param.default_value != nullptr, value));
  }
  return result;
}

nb::list Program::entries() const {
  nb::list result;
  const arrt_program *table = arrc_program_table(program);
  for (int32_t e = 0; e < table->num_entries; ++e) {
    const arrt_entry &entry = table->entries[e];
    result.append(nb::make_tuple(entry.name,
                                 describe(entry.params, entry.num_params),
                                 describe(entry.results, entry.num_results)));
  }
  return result;
}

const arrt_entry &Program::entry(int number) const {
  const arrt_program *table = arrc_program_table(program);
  if (number < 0 || number >= table->num_entries)
    throw nb::index_error("no such export");
  return table->entries[number];
}

/// Values have no places that one could write to by way of another: a result in
/// the memory of an argument, or of a result before it, becomes a copy.
static int32_t separate(arrt_context *ctx, std::vector<Argument> &arguments,
                        std::vector<Result> &results, size_t number) {
  arrt_array *array = results[number].array;
  const void *data = arrt_array_data(array);
  bool isShared = false;
  for (Argument &argument : arguments)
    isShared |= argument.holds(data);
  for (size_t i = 0; i < number; ++i)
    isShared |= results[i].array && arrt_array_data(results[i].array) == data;
  if (!isShared || !arrt_array_bytes(array))
    return ARRT_STATUS_OK;
  int64_t sizes[ARRT_MAX_RANK];
  int32_t rank = arrt_array_rank(array), element = arrt_array_element(array);
  for (int32_t d = 0; d < rank; ++d)
    sizes[d] = arrt_array_size(array, d);
  arrt_array *copy = arrt_array_is_on_host(array)
                         ? arrt_array_alloc_host(ctx, element, rank, sizes)
                         : arrt_array_alloc(ctx, element, rank, sizes, -1);
  if (!copy)
    return arrt_last_status(ctx);
  results[number].array = copy;
  int32_t status = arrt_array_copy(ctx, copy, array);
  arrt_array_release(array);
  return status ? status : arrt_synchronize(ctx);
}

/// Replaces results on a device by copies on the host.
static int32_t bringHome(arrt_context *ctx, std::vector<Result> &results) {
  for (Result &result : results) {
    if (!result.array)
      continue;
    arrt_array *host = arrt_array_to_host(ctx, result.array);
    if (!host)
      return arrt_last_status(ctx);
    arrt_array_release(result.array);
    result.array = host;
  }
  return ARRT_STATUS_OK;
}

nb::list Program::call(int number, const std::shared_ptr<Device> &given,
                       nb::sequence values, bool toHost, bool warnsOfCopies) {
  std::shared_ptr<Device> device = Device::here(given);
  const arrt_entry &entry = this->entry(number);
  if (nb::len(values) != size_t(entry.num_params))
    raiseTypeError("wrong number of arguments");
  std::vector<Argument> arguments(size_t(entry.num_params));
  std::vector<Result> results(size_t(entry.num_results));
  std::vector<void *> slots;
  for (size_t i = 0; i < arguments.size(); ++i) {
    nb::object value = values[i];
    bool isDefault = value.ptr() == Py_Ellipsis;
    arguments[i].take(isDefault ? nb::handle() : nb::handle(value),
                      entry.params[i], device);
    if (warnsOfCopies && arguments[i].isStrided())
      warn("CopyWarning", "'" + std::string(entry.params[i].name) +
                              "' is not dense and row-major, and was copied: "
                              "numpy.ascontiguousarray makes it so once");
    slots.push_back(arguments[i].slot());
  }
  for (size_t i = 0; i < results.size(); ++i)
    slots.push_back(entry.results[i].rank ? (void *)&results[i].array
                                          : results[i].cell.bytes);
  int32_t status = ARRT_STATUS_OK;
  std::string message;
  {
    nb::gil_scoped_release unlocked;
    {
      std::lock_guard<std::mutex> lock(mutex);
      devices.insert(device);
    }
    for (Argument &argument : arguments)
      if (!status)
        status = argument.makeAbroad(device, message);
    std::lock_guard<std::mutex> lock(device->mutex);
    arrt_context *ctx = device->ctx;
    device->releaseNow();
    bool isAbroad = status != ARRT_STATUS_OK;
    bool isForeign = false;
    for (const Argument &argument : arguments)
      isForeign |= argument.isForeignOn(device);
    if (!status && isForeign)
      status = arrt_wait_for_others(ctx);
    for (Argument &argument : arguments)
      if (!status)
        status = argument.make(device);
    if (!status)
      status = arrc_program_call(program, ctx, &entry, slots.data(),
                                 int32_t(slots.size()));
    for (size_t i = 0; i < results.size() && !status; ++i)
      if (results[i].array)
        status = separate(ctx, arguments, results, i);
    if (!status && toHost)
      status = bringHome(ctx, results);
    if (status && !isAbroad)
      message = arrt_message(ctx);
    for (Argument &argument : arguments)
      argument.unmake();
  }
  nb::list made;
  for (size_t i = 0; i < results.size(); ++i) {
    if (entry.results[i].rank) {
      Handle handle(device, results[i].array);
      if (!status)
        made.append(nb::cast(Array(std::move(handle))));
    } else if (!status) {
      made.append(fromCell(results[i].cell.bytes, entry.results[i].element));
    }
  }
  if (status)
    raiseRunError(status, message);
  return made;
}

NB_MODULE(_core, module) {
  module.doc() = "The compiler and the runtime of arrc; see the package arrc.";
  nb::set_leak_warnings(false);
  bindArray(module);
  bindHeld(module);
  nb::class_<Device>(module, "Device", "A context of the runtime.")
      .def_ro("name", &Device::name)
      .def_prop_ro("memory_in_use", [](Device &device) {
        return arrt_memory_in_use(device.ctx);
      });
  nb::class_<Program>(module, "Program", "A program in this process.")
      .def(nb::init<const std::string &, nb::object,
                    const std::vector<std::string> &>(),
           nb::arg("file"), nb::arg("text").none(), nb::arg("options"))
      .def_prop_ro("messages", &Program::messages)
      .def_prop_ro("device", &Program::device)
      .def_prop_ro("entries", &Program::entries)
      .def("call", &Program::call);
  module.def("device", &Device::get, nb::arg("name"), nb::arg("threads") = 0);
  module.def("forget_devices", &Device::forgetAll);
  module.attr("__version__") = arrc_version();
}
