//===- Argument.cpp - What a caller hands over ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Memory is used where it is if it is dense and row-major: through the buffer
// protocol, DLPack, or the array interface of CUDA, in this order. Who owns it
// is kept until the call is over.
//
//===----------------------------------------------------------------------===//

#include "Argument.h"

#include "DLPack.h"
#include "Errors.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <unordered_map>

using namespace arrc::python;
namespace nb = nanobind;

Argument::~Argument() {
  unmake();
  if (buffer)
    PyBuffer_Release(buffer.get());
}

void Argument::unmake() {
  if (array)
    arrt_array_release(array);
  array = nullptr;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void Argument::checkElement(int32_t found, const std::string &name,
                            const arrt_param &param) const {
  if (found == param.element)
    return;
  std::string has = found < 0 ? "of '" + name + "'"
                              : "of " + std::string(arrt_element_name(found));
  raiseTypeError("'" + std::string(param.name) + "' is an array " + has +
                 ", and " + param.type + " is wanted: convert it first");
}

void Argument::checkRank(const arrt_param &param, int64_t found) const {
  if (found != param.rank)
    raiseTypeError("'" + std::string(param.name) + "' is an array of rank " +
                   std::to_string(found) + ", and " + param.type +
                   " is wanted");
}

/// Keeps strides (in elements of `unit` bytes) unless memory is dense.
void Argument::setStrides(const int64_t *given, int64_t unit) {
  int64_t dense = arrt_element_bytes(param->element);
  bool isEmpty = false, isDense = true;
  for (int32_t d = param->rank - 1; d >= 0; --d) {
    isEmpty |= shape[d] == 0;
    isDense &= shape[d] == 1 || given[d] * unit == dense;
    dense *= shape[d];
  }
  if (isEmpty || isDense)
    return;
  for (int32_t d = 0; d < param->rank; ++d)
    strides.push_back(given[d] * unit);
}

//===----------------------------------------------------------------------===//
// Protocols
//===----------------------------------------------------------------------===//

bool Argument::takeBuffer(nb::handle value, const arrt_param &param) {
  if (!PyObject_CheckBuffer(value.ptr()))
    return false;
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(value.ptr(), view.get(),
                         PyBUF_STRIDES | PyBUF_FORMAT)) {
    // What the protocol has no name for may be known to DLPack.
    if (PyErr_ExceptionMatches(PyExc_BufferError) &&
        nb::hasattr(value, "__dlpack__")) {
      PyErr_Clear();
      return false;
    }
    throw nb::python_error();
  }
  buffer = std::move(view);
  checkElement(elementOfFormat(buffer->format, buffer->itemsize),
               buffer->format ? buffer->format : "B", param);
  checkRank(param, buffer->ndim);
  data = static_cast<char *>(buffer->buf);
  // What lies without gaps may say nothing of strides, whoever asks for them.
  int64_t given[ARRT_MAX_RANK];
  for (int32_t d = 0; d < param.rank; ++d) {
    shape[d] =
        buffer->shape ? buffer->shape[d] : buffer->len / buffer->itemsize;
    given[d] = buffer->strides ? buffer->strides[d] : 0;
  }
  if (buffer->strides)
    setStrides(given, 1);
  return true;
}

/// The functions that the library of a type offers; null if there are none.
static const dlpack::Exchange *exchangeOf(PyTypeObject *type) {
  // Python's lock is held. The types stay, so that no other takes an address.
  static auto &known =
      *new std::unordered_map<PyTypeObject *, const dlpack::Exchange *>;
  auto [place, isNew] = known.try_emplace(type, nullptr);
  if (!isNew)
    return place->second;
  Py_INCREF(type);
  const dlpack::Exchange *found = nullptr;
  if (PyObject *capsule = PyObject_GetAttrString(
          reinterpret_cast<PyObject *>(type), dlpack::exchangeAttribute)) {
    if (PyCapsule_IsValid(capsule, dlpack::exchangeCapsule))
      found = static_cast<const dlpack::Exchange *>(
          PyCapsule_GetPointer(capsule, dlpack::exchangeCapsule));
    Py_DECREF(capsule);
  }
  PyErr_Clear();
  while (found && found->major != 1)
    found = found->older;
  return known[type] = found && found->toTensor ? found : nullptr;
}

void Argument::takeTensor(const dlpack::Tensor &tensor,
                          const arrt_param &param) {
  isHost =
      tensor.deviceType == dlpack::CPU || tensor.deviceType == dlpack::CUDAHost;
  if (!isHost && tensor.deviceType != dlpack::CUDA)
    raiseTypeError("'" + std::string(param.name) +
                   "' is on a device that is neither the CPU nor CUDA");
  int32_t element =
      tensor.lanes == 1 ? elementOfDLPack(tensor.code, tensor.bits) : -1;
  checkElement(element,
               "elements of DLPack's code " + std::to_string(tensor.code),
               param);
  checkRank(param, tensor.rank);
  data = static_cast<char *>(tensor.data) + tensor.byteOffset;
  for (int32_t d = 0; d < param.rank; ++d)
    shape[d] = tensor.shape[d];
  if (tensor.strides)
    setStrides(tensor.strides, arrt_element_bytes(element));
  if (!isHost)
    home = Device::get("cuda:" + std::to_string(tensor.deviceNumber), 0);
}

bool Argument::takeDLPack(nb::handle value, const arrt_param &param) {
  if (const dlpack::Exchange *exchange = exchangeOf(Py_TYPE(value.ptr()))) {
    dlpack::Tensor tensor = {};
    if (exchange->toTensor(value.ptr(), &tensor))
      throw nb::python_error();
    // Its memory is the object's, which stays for the call.
    keeper = nb::borrow(value);
    takeTensor(tensor, param);
    return true;
  }
  if (!nb::hasattr(value, "__dlpack__") ||
      !nb::hasattr(value, "__dlpack_device__"))
    return false;
  nb::object place = value.attr("__dlpack_device__")();
  int type = nb::cast<int>(nb::int_(place[0]));
  int number = nb::cast<int>(nb::int_(place[1]));
  bool isOfHost = type == dlpack::CPU || type == dlpack::CUDAHost;
  if (!isOfHost && type != dlpack::CUDA)
    raiseTypeError("'" + std::string(param.name) +
                   "' is on a device that is neither the CPU nor CUDA");
  // All work on a card is waited for: the producer need not.
  keeper = isOfHost ? value.attr("__dlpack__")()
                    : value.attr("__dlpack__")(nb::arg("stream") = -1);
  auto *managed = static_cast<dlpack::Managed *>(
      PyCapsule_GetPointer(keeper.ptr(), dlpack::capsule));
  if (!managed)
    throw nb::python_error();
  dlpack::Tensor tensor = managed->tensor;
  tensor.deviceType = type;
  tensor.deviceNumber = number;
  takeTensor(tensor, param);
  return true;
}

bool Argument::takeCUDA(nb::handle value, const arrt_param &param,
                        const Device &device) {
  if (!nb::hasattr(value, "__cuda_array_interface__"))
    return false;
  nb::dict info = nb::cast<nb::dict>(value.attr("__cuda_array_interface__"));
  std::string typestr = nb::cast<std::string>(info["typestr"]);
  checkElement(elementOfTypestr(typestr.c_str()), typestr, param);
  nb::tuple sizes = nb::cast<nb::tuple>(info["shape"]);
  checkRank(param, int64_t(nb::len(sizes)));
  int64_t given[ARRT_MAX_RANK];
  for (int32_t d = 0; d < param.rank; ++d)
    shape[d] = nb::cast<int64_t>(sizes[d]);
  nb::object place = info["data"];
  data = reinterpret_cast<char *>(
      nb::cast<uintptr_t>(nb::int_(nb::object(place[0]))));
  if (info.contains("strides") && !info["strides"].is_none()) {
    for (int32_t d = 0; d < param.rank; ++d)
      given[d] = nb::cast<int64_t>(nb::object(info["strides"])[d]);
    setStrides(given, 1);
  }
  isHost = false;
  keeper = nb::borrow(value);
  // The interface does not say which card it is.
  home = Device::get(device.target == ARRT_TARGET_CUDA ? device.name : "cuda:0",
                     0);
  return true;
}

void Argument::take(nb::handle value, const arrt_param &wanted,
                    const std::shared_ptr<Device> &device) {
  param = &wanted;
  std::string what = "'" + std::string(wanted.name) + "'";
  if (!value.is_valid() || value.ptr() == nullptr) {
    if (!wanted.default_value)
      raiseTypeError(what + " is missing");
    kind = wanted.rank ? Kind::Default : Kind::Scalar;
    if (!wanted.rank)
      std::memcpy(cell.bytes, wanted.default_value,
                  size_t(arrt_element_bytes(wanted.element)));
    return;
  }
  if (!wanted.rank)
    return toCell(value, wanted.element, what, cell);
  if (nb::isinstance<Array>(value)) {
    kind = Kind::Own;
    own = nb::cast<Array &>(value).get().share();
    int32_t element = arrt_array_element(own.get());
    checkElement(element, arrt_element_name(element), wanted);
    checkRank(wanted, arrt_array_rank(own.get()));
    return;
  }
  kind = Kind::Memory;
  bool isArray = false;
  try {
    isArray = takeBuffer(value, wanted) || takeDLPack(value, wanted) ||
              takeCUDA(value, wanted, *device);
  } catch (nb::cast_error &) {
    raiseTypeError(what + " says that it is an array, and nothing sound of it");
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_LookupError))
      throw;
    nb::raise_from(error, PyExc_TypeError,
                   "%s says that it is an array, and nothing sound of it",
                   what.c_str());
  }
  if (!isArray)
    raiseTypeError(what + " is no array: " + wanted.type + " is wanted, not " +
                   nb::type_name(value.type()).c_str());
  if (!isHost && !strides.empty())
    raiseValueError(what + " is strided memory of a device: make it "
                           "contiguous first");
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// Copies the dimensions from `d` on to dense memory; returns its end.
static char *copyRows(char *to, const char *from, int32_t d, int32_t rank,
                      const int64_t *shape, const int64_t *strides,
                      size_t bytes) {
  if (d == rank) {
    std::memcpy(to, from, bytes);
    return to + bytes;
  }
  for (int64_t i = 0; i < shape[d]; ++i)
    to =
        copyRows(to, from + i * strides[d], d + 1, rank, shape, strides, bytes);
  return to;
}

int32_t Argument::copyStrided(arrt_context *ctx) {
  array = arrt_array_alloc_host(ctx, param->element, param->rank, shape);
  if (!array)
    return arrt_last_status(ctx);
  copyRows(static_cast<char *>(arrt_array_data(array)), data, 0, param->rank,
           shape, strides.data(), size_t(arrt_element_bytes(param->element)));
  return ARRT_STATUS_OK;
}

int32_t Argument::copyDefault(arrt_context *ctx) {
  // Only arrays whose sizes are constants have defaults.
  for (int32_t d = 0; d < param->rank; ++d)
    shape[d] = std::strtoll(param->dims[d], nullptr, 10);
  array = arrt_array_borrow(ctx, const_cast<void *>(param->default_value),
                            param->element, param->rank, shape);
  return array ? ARRT_STATUS_OK : arrt_last_status(ctx);
}

int32_t Argument::make(const std::shared_ptr<Device> &device) {
  arrt_context *ctx = device->ctx;
  switch (kind) {
  case Kind::Scalar:
    return ARRT_STATUS_OK;
  case Kind::Default:
    return copyDefault(ctx);
  case Kind::Own:
    array = arrt_array_retain(own.get());
    return ARRT_STATUS_OK;
  case Kind::Memory:
    break;
  }
  if (!strides.empty())
    return copyStrided(ctx);
  if (isHost) {
    int64_t align = arrt_element_bytes(param->element);
    // Memory that is not aligned to its elements is copied, too.
    if (uintptr_t(data) % uintptr_t(align)) {
      int64_t dense = align;
      strides.resize(size_t(param->rank));
      for (int32_t d = param->rank - 1; d >= 0; --d) {
        strides[size_t(d)] = dense;
        dense *= shape[d];
      }
      return copyStrided(ctx);
    }
    array = arrt_array_borrow(ctx, data, param->element, param->rank, shape);
    return array ? ARRT_STATUS_OK : arrt_last_status(ctx);
  }
  if (home != device)
    return ARRT_STATUS_OK;
  return borrowAtHome();
}

int32_t Argument::borrowAtHome() {
  array = arrt_array_borrow_on_device(home->ctx, data, param->element,
                                      param->rank, shape);
  return array ? ARRT_STATUS_OK : arrt_last_status(home->ctx);
}

int32_t Argument::makeAbroad(const std::shared_ptr<Device> &device,
                             std::string &message) {
  if (kind != Kind::Memory || isHost || home == device)
    return ARRT_STATUS_OK;
  std::lock_guard<std::mutex> lock(home->mutex);
  int32_t status = arrt_wait_for_others(home->ctx);
  if (!status)
    status = borrowAtHome();
  if (status)
    message = arrt_message(home->ctx);
  return status;
}

bool Argument::holds(const void *memory) const {
  if (!array)
    return false;
  auto *first = static_cast<const char *>(arrt_array_data(array));
  auto *at = static_cast<const char *>(memory);
  return at >= first && at < first + arrt_array_bytes(array);
}
